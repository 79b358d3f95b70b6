// The present world, as the stream brings it, with what happened before the page was opened.

import { Chronicle } from "./chronicle.ts";
import { nameOf } from "./names.ts";
import { historyBefore } from "./past/history.ts";
import type { TapeReader } from "./past/tape_reader.ts";
import type { Bootstrap, Tick } from "./protocol.ts";
import { plainly } from "./says.ts";
import type { Papers } from "./society.ts";
import { Traces } from "./traces.ts";
import { World } from "./world.ts";

// How often the history is requested until all of it comes, and the first pause, which grows each time. After that a
// part of it will do.
const STRICT_ATTEMPTS = 4;
const LATER_MS = 2000;

export class LiveWorld {
  world: World | null = null;
  chronicle = new Chronicle();
  readonly traces = new Traces();
  private hasAskedForHistory = false;
  private failures = 0;

  constructor(
    private readonly papers: Papers,
    private readonly tape: TapeReader,
    private readonly changed: () => void,
  ) {}

  begin(bootstrap: Bootstrap): void {
    const before = this.world?.bootstrap;
    const isSame = before?.world_id === bootstrap.world_id && before.world_params.seed === bootstrap.world_params.seed;
    if (before && (!isSame || bootstrap.tick < before.tick)) this.chronicle = new Chronicle();
    this.world = new World(bootstrap);
  }

  take(message: Tick, world: World): void {
    const now = performance.now();
    const name = (id: string) => nameOf(id, world, this.papers.society);
    world.tick = message;
    world.heardAt = now;
    world.crowd.take(message.agents, now);
    this.papers.take(message.happenings ?? []);
    this.askForHistory(message.tick, world);
    this.traces.take(message);
    this.chronicle.take(message, world.looks, name);
    for (const { kind, from, text } of message.happenings ?? []) {
      if (kind === "CHAT" && from && text) world.crowd.get(from)?.say(plainly(text, name), now);
    }
  }

  /** Request what happened before, once, as soon as everybody's name is known. */
  private askForHistory(tick: number, world: World): void {
    if (this.hasAskedForHistory || !this.papers.society || !this.tape.state) return;
    this.hasAskedForHistory = true;
    const { chronicle, traces } = this;
    const reading = {
      looks: world.looks,
      nameOf: (id: string) => nameOf(id, world, this.papers.society),
      strict: this.failures < STRICT_ATTEMPTS,
    };
    const putBefore = (history: Awaited<ReturnType<typeof historyBefore>>) => {
      if (!history || chronicle !== this.chronicle) return;
      chronicle.goBack(history.chronicle);
      traces.goBack(history.traces);
      const squares = [...history.traces.squares.values()];
      traces.takeSquares(squares.map(({ x, z, mined, placed }) => [x, z, mined, placed]));
      this.changed();
    };
    const tryLater = () => {
      this.failures++;
      setTimeout(() => {
        this.hasAskedForHistory = false;
      }, LATER_MS * this.failures);
    };
    void historyBefore(this.tape, traces.since || tick, reading).then(putBefore, tryLater);
  }
}
