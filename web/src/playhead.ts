// Where in time the page is: live, or at a tick of the past, paused or playing. One playhead drives everything.

import { type Focus, type GroundListener, PastGround } from "./past/ground.ts";
import { OpenBook } from "./past/open_book.ts";
import { segmentNumber, type TapeListener, TapeReader } from "./past/tape_reader.ts";
import { PastView, type Present } from "./past/view.ts";
import { plainly } from "./says.ts";
import { askMarks, type Mark, type Marks, OWN, SEGMENT_TICKS } from "./tape.ts";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 16, 64] as const;
// How many segments are loaded ahead of a slow playhead, and of a fast one.
const AHEAD = 2;
const FAR_AHEAD = 8;
const FAST = 16;
// The picture changes at most this often while it plays.
const SHOW_EVERY_MS = 90;
// A frame counts as at most this long, so that the playhead does not leap when a hidden tab is shown again.
const LONGEST_FRAME_MS = 500;
// The range in which the next mark is searched for first. In so short a range the server names nearly all marks.
const NEAR_TICKS = 2000;
// How often what depends on the tick is asked for while it plays.
const ASKED_TICKS = 50;
// Until the tape says.
const USUAL_DAY_TICKS = 6000;
const USUAL_TICK_RATE_HZ = 5;

/** Why the tick that was asked for cannot be shown. */
interface Trouble {
  text: string;
  /** What resolves it: a segment, by its number, or ground that arrives. */
  missing: number | "ground" | null;
}

export class Playhead implements TapeListener, GroundListener {
  /** The tick, with a fraction while it plays; null while the page is live. */
  position: number | null = null;
  playing = false;
  speed = 1;
  /** Whether the world is over: it has a last tick instead of a present. */
  isOver = false;
  /** Whether the other side of a comparison shows the tick too; while it does not, playing waits. */
  otherSide: () => boolean = () => true;
  /** Nothing is known of what was before: the first tick of a film. */
  firstTick = 1;
  /** Where it stops by itself; null for nowhere. */
  private until: number | null = null;
  /** The last tick that came from the stream. */
  liveTick = 0;
  readonly tape: TapeReader;
  readonly past: PastView;
  readonly book: OpenBook;
  private trouble: Trouble | null = null;
  private readonly ground: PastGround;
  private frameAt = 0;

  constructor(
    private readonly changed: () => void,
    private readonly present: Present,
    focus: Focus,
    of = OWN,
  ) {
    this.tape = new TapeReader(this, of);
    this.ground = new PastGround(this.tape, focus, this);
    this.past = new PastView(this.tape, this.ground, present);
    this.book = new OpenBook(this.tape, this, () => present.society()?.open_book ?? false, changed);
  }

  get isPast(): boolean {
    return this.position !== null;
  }

  /** Why the tick that was asked for cannot be shown. */
  get problem(): string | null {
    return this.trouble?.text ?? null;
  }

  get loading(): boolean {
    return this.isPast && this.trouble === null && (this.past.tick !== this.tick || !this.ground.isLoaded);
  }

  get tick(): number {
    return this.position === null ? this.liveTick : Math.floor(this.position);
  }

  /** The tick up to which things are asked for; while it plays, they are asked for now and then. */
  get askedTick(): number {
    return this.playing ? Math.floor(this.tick / ASKED_TICKS) * ASKED_TICKS : this.tick;
  }

  get dayTicks(): number {
    return this.tape.state?.day_ticks ?? USUAL_DAY_TICKS;
  }

  // From the reader

  jump(tick: number): void {
    this.until = null;
    this.ground.retry();
    this.position = Math.max(Math.min(this.firstTick, this.liveTick), Math.min(tick, this.liveTick));
    this.trouble = null;
    this.advance();
    if (tick > this.liveTick + 1) {
      this.complain(`Tick ${digits(tick)} has not come yet; the last one was ${digits(this.liveTick)}`);
    }
    if (tick < this.firstTick && this.firstTick > 1)
      this.complain(`This film begins with tick ${digits(this.firstTick)}`);
    this.changed();
  }

  /** Play from one tick to another in some seconds, and stop there. */
  playStretch(from: number, to: number, seconds: number): void {
    const rate = this.tape.state?.tick_rate_hz ?? USUAL_TICK_RATE_HZ;
    this.jump(Math.max(1, from));
    this.speed =
      SPEEDS.find((speed) => speed >= (to - from) / rate / seconds && speed >= 1) ?? SPEEDS[SPEEDS.length - 1];
    this.until = Math.min(to, this.liveTick - 1);
    this.playing = true;
    this.changed();
  }

  goLive(): void {
    if (this.isOver) {
      this.playing = false;
      this.jump(this.liveTick);
      return;
    }
    this.until = null;
    this.position = null;
    this.playing = false;
    this.trouble = null;
    this.past.close();
    this.changed();
  }

  toggle(): void {
    if (this.position === null) {
      this.playing = false;
      this.jump(this.liveTick);
    } else {
      this.playing = !this.playing;
    }
    this.changed();
  }

  step(ticks: number): void {
    this.playing = false;
    this.jump(this.tick + ticks);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    if (this.position === null) this.jump(this.liveTick);
    this.playing = true;
    this.changed();
  }

  /** Say why the past is not shown, until the reader goes elsewhere. */
  complain(text: string): void {
    this.trouble = { text, missing: null };
  }

  /** Go to the next mark, or the one before; to one about a thing, if it is given. */
  async toMark(direction: 1 | -1, subject: string | null): Promise<void> {
    const here = this.tick;
    const isAhead = ({ tick }: Mark) => (direction > 0 ? tick > here : tick < here);
    const nearest = async (from: number, to: number) => {
      const marks = (await this.marks(from, to, 1))?.marks ?? [];
      const ahead = marks.filter((mark) => isAhead(mark) && (subject === null || mark.refs.includes(subject)));
      return direction > 0 ? ahead[0] : ahead.at(-1);
    };
    const near = direction > 0 ? nearest(here + 1, here + NEAR_TICKS) : nearest(here - NEAR_TICKS, here - 1);
    const mark = (await near) ?? (await nearest(0, this.liveTick));
    if (!mark || this.tick !== here) return;
    this.playing = false;
    this.jump(mark.tick);
  }

  // From the server

  /** The marks of a range of ticks, in plain words; null if no answer came. */
  async marks(from: number, to: number, bins: number): Promise<Marks | null> {
    const first = Math.max(0, Math.floor(from));
    const last = Math.max(0, Math.floor(to));
    const answer = await askMarks(first, last, bins, this.tape.of).catch(() => null);
    for (const mark of answer?.marks ?? []) mark.text = plainly(mark.text, (id) => this.present.nameOf(id));
    return answer;
  }

  /** A stream has begun, of this world or of another. */
  begin(): void {
    this.tape.begin();
    this.past.restart(this.isPast);
  }

  /** Ask from time to time which ticks are on the tape. */
  async refresh(now: number): Promise<void> {
    const isFirst = this.tape.state === null;
    const state = await this.tape.refresh(now);
    if (!state) return;
    if (isFirst) this.trouble = null;
    this.liveTick = Math.max(this.liveTick, state.tick);
    this.advance();
    this.changed();
  }

  segmentArrived(n: number): void {
    if (this.trouble?.missing === n) this.trouble = null;
    this.advance();
    this.changed();
  }

  segmentFailed(n: number, problem: Error): void {
    if (this.position === null || segmentNumber(this.position) !== n) return;
    this.trouble = { text: problem.message, missing: n };
    this.playing = false;
    this.changed();
  }

  groundArrived(): void {
    if (this.trouble?.missing === "ground") this.trouble = null;
    this.advance();
    this.changed();
  }

  groundFailed(problem: string | null): void {
    if (problem !== null) this.trouble = { text: problem, missing: "ground" };
    this.advance();
    this.changed();
  }

  /** Called for every frame. */
  frame(now: number): void {
    const elapsedMs = Math.min(now - this.frameAt, LONGEST_FRAME_MS);
    this.frameAt = now;
    if (this.position === null) return;
    if (this.playing && this.hasTick && this.otherSide()) {
      this.position += (elapsedMs / 1000) * (this.tape.state?.tick_rate_hz ?? USUAL_TICK_RATE_HZ) * this.speed;
      if (this.until !== null && this.position >= this.until) {
        this.jump(this.until);
        this.playing = false;
        this.changed();
        return;
      }
      if (this.position >= this.liveTick) {
        this.goLive();
        return;
      }
    }
    if (now - this.past.changedAt >= SHOW_EVERY_MS) this.advance();
  }

  /** Whether everything of the tick is loaded. */
  get hasTick(): boolean {
    const { position } = this;
    if (position === null || !this.ground.isLoaded) return false;
    return this.tape.segment(segmentNumber(position))?.has(this.tick) ?? false;
  }

  /** Show the tick that the other side of a comparison shows; `settled` if that one does not play. */
  follow(tick: number, settled: boolean): void {
    const least = this.tape.state?.playable[0]?.[0] ?? this.firstTick;
    const wanted = Math.max(least, Math.min(tick, this.liveTick));
    if (this.position !== null && wanted === this.tick) return;
    if (settled) this.ground.retry();
    this.trouble = null;
    this.position = wanted;
    this.advance();
  }

  /** Show the tick at the playhead if it is loaded, and load what is missing and what comes next. */
  private advance(): void {
    if (this.position === null) return;
    const { tick } = this;
    const current = segmentNumber(tick);
    const last = current + this.segmentsAhead;
    for (let n = current; n <= last && n * SEGMENT_TICKS <= this.liveTick; n++) {
      this.tape.need(n, n === current ? tick : n * SEGMENT_TICKS);
    }
    const segment = this.tape.segment(current);
    if (segment?.has(tick) && this.past.show(segment, tick)) this.changed();
  }

  private get segmentsAhead(): number {
    if (!this.playing) return 0;
    return this.speed >= FAST ? FAR_AHEAD : AHEAD;
  }
}

const digits = (tick: number): string => tick.toLocaleString("en-GB");
