// The page of the story: what the server shows these eyes, the pocket beside it, and a box to speak.
//
// Everything shown comes over one stream of events; nothing is made up here. What is sent is an envelope with an
// id of its own. If no answer comes, the same envelope is sent again, so nothing happens twice.

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;
/** No word for so long, not even a heartbeat: the connection is dead. */
const SILENCE_MS = 40_000;
const PAGE_ENTRIES = 200;
/** Older ones are let go; the server still has them. */
const MOST_ENTRIES = 5000;
const WIDE = matchMedia("(min-width: 50.01rem)");

/**
 * @typedef {{entry_id: string, created_at_world: string, channel: string, author_label: string | null, text: string}} Entry
 * @typedef {{stream: {cursor_before: string | null, cursor_after: string | null, entries: Entry[]}, pocket: any}} StoryPage
 * @typedef {{invoker: object, operator_id: string}} Sender
 */

/** @returns {any} */
const part = (/** @type {string} */ id) => document.getElementById(id);
const [stream, words, pause, send, again] = ["stream", "words", "pause", "send", "again"].map(part);

// The token this page was opened with: taken out of the address at once, and kept for this tab, as the world's
// page does (web/src/token.ts).
const TOKEN_KEY = "thorp-token";
let token = takeToken();

function takeToken() {
  const url = new URL(location.href);
  const given = url.searchParams.get("token");
  if (given !== null) {
    url.searchParams.delete("token");
    history.replaceState(history.state, "", url);
  }
  try {
    if (given) sessionStorage.setItem(TOKEN_KEY, given);
    return sessionStorage.getItem(TOKEN_KEY);
  } catch {
    return given; // a browser that keeps nothing: good until the page is left
  }
}

/** The server does not know this token (any more): go on as one who has none. */
function forgetToken() {
  token = null;
  try {
    sessionStorage.removeItem(TOKEN_KEY);
  } catch {
    // nothing was kept
  }
}

/** A path of the server, with the token. */
function address(/** @type {string} */ path, /** @type {Record<string, string>} */ query = {}) {
  const url = new URL(path, location.href);
  for (const [name, value] of Object.entries(token ? { ...query, token } : query)) url.searchParams.set(name, value);
  return url;
}

function element(/** @type {string} */ name, /** @type {string} */ text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

// What is perceived

/** @type {Map<string, HTMLElement>} */
const shown = new Map();

/** The zone of the pocket's clock, in which all times are shown. @type {string | undefined} */
let zone;

function shownTime(/** @type {string} */ text) {
  try {
    return zone ? `${new Date(text).toLocaleString("sv-SE", { timeZone: zone })} ${zone}` : text;
  } catch {
    return text; // the browser does not know this zone
  }
}

function drawn(/** @type {Entry} */ entry) {
  const item = document.createElement("li");
  item.dataset.id = entry.entry_id;
  item.dataset.channel = entry.channel;
  item.title = shownTime(entry.created_at_world);
  if (entry.author_label !== null) item.append(element("b", entry.author_label));
  item.append(element("span", entry.text));
  return item;
}

/** Add those that are not there yet, and keep the reader's place. */
function add(/** @type {Entry[]} */ entries, /** @type {boolean} */ before) {
  const fresh = entries.filter(({ entry_id }) => !shown.has(entry_id));
  const items = fresh.map(drawn);
  const wasAtEnd = atEnd();
  const fromEnd = stream.scrollHeight - stream.scrollTop;
  before ? stream.prepend(...items) : stream.append(...items);
  fresh.forEach(({ entry_id }, n) => shown.set(entry_id, items[n]));
  if (before) stream.scrollTop = stream.scrollHeight - fromEnd;
  else if (wasAtEnd) toEnd();
  else if (items.length) part("below").hidden = false;
  while (!before && stream.childElementCount > MOST_ENTRIES) letGo(stream.firstElementChild);
  return items.length;
}

function letGo(/** @type {HTMLElement} */ item) {
  const height = stream.scrollHeight;
  item.remove();
  shown.delete(item.dataset.id ?? "");
  stream.scrollTop -= height - stream.scrollHeight;
  part("earlier").hidden = false;
}

const atEnd = () => stream.scrollHeight - stream.scrollTop - stream.clientHeight < 40;

function toEnd() {
  stream.scrollTop = stream.scrollHeight;
  part("below").hidden = true;
}

async function showEarlier() {
  const query = { last: String(stream.childElementCount + PAGE_ENTRIES), limit: String(PAGE_ENTRIES) };
  const answer = await fetch(address("v1/story/stream", query)).catch(() => null);
  if (!answer?.ok) return;
  const found = /** @type {StoryPage} */ (await answer.json()).stream.entries;
  part("earlier").hidden = add(found, true) === 0 || stream.childElementCount >= MOST_ENTRIES;
}

// The pocket

function list(/** @type {string} */ id, /** @type {any[]} */ items, /** @type {(item: any) => (string | null)[]} */ tell) {
  part(id).replaceChildren(...items.map((item) => {
    const [first, ...rest] = tell(item).filter((text) => text !== null && text !== "");
    const made = element("li", String(first));
    made.append(...rest.map((text) => element("small", String(text))));
    return made;
  }));
}

function showPocket(/** @type {any} */ pocket) {
  part("pocket").hidden = !pocket.is_available;
  if (!pocket.is_available) return;
  part("clock").textContent = (pocket.clock.world_time ?? "").slice(0, 16).replace("T", " ");
  part("clock").dateTime = pocket.clock.world_time ?? "";
  part("zone").textContent = pocket.clock.timezone ?? "";
  list("calendar", pocket.calendar.items, (item) => [item.title, item.time, item.location, item.notes]);
  list("messages", pocket.messages.items, (item) => [item.text, item.from, item.time]);
}

// What comes

/** @type {Sender | null} */
let sender = null;
/** @type {string | null} */
let cursor = null;
let heardAt = 0;
let wake = () => {};

function hear(/** @type {StoryPage} */ { stream: { entries, cursor_before, cursor_after }, pocket }) {
  if (cursor !== null && cursor !== cursor_before) forget(); // it goes on elsewhere: this is another story
  if (shown.size === 0) part("earlier").hidden = cursor_before === null;
  zone = pocket.clock.timezone ?? undefined;
  add(entries, false);
  cursor = cursor_after;
  showPocket(pocket);
}

function forget() {
  stream.replaceChildren();
  shown.clear();
}

function greet(/** @type {{reader: string | null, sender: Sender | null}} */ { reader, sender: given }) {
  sender = given;
  part("eyes").textContent = reader === null ? "as everybody" : `as ${reader}`;
  if (part("composer").hidden && sender) {
    part("composer").hidden = false;
    words.focus();
  }
  part("composer").hidden = !sender;
}

function state(/** @type {"live" | "away"} */ now, /** @type {string} */ text = now) {
  part("state").dataset.state = now;
  part("state").textContent = text;
}

/** Read one stream of events to its end, and tell whether there ever was any. */
function follow() {
  const source = new EventSource(address("v1/story/events", cursor === null ? { last: String(PAGE_ENTRIES) } : { cursor }));
  heardAt = performance.now();
  return new Promise((resolve) => {
    let opened = false;
    const end = () => {
      clearInterval(watch);
      source.close();
      resolve(opened);
    };
    const watch = setInterval(() => { if (performance.now() - heardAt > SILENCE_MS) end(); }, 1000);
    const on = (/** @type {string} */ name, /** @type {(data: any) => void} */ take) =>
      source.addEventListener(name, (event) => {
        heardAt = performance.now();
        take(JSON.parse(/** @type {MessageEvent} */ (event).data));
      });
    source.onopen = () => {
      opened = true;
      state("live");
    };
    source.onerror = end;
    on("reader", greet);
    on("page", hear);
    on("still", () => {});
  });
}

/** Why there are no events, in the server's own words if it has any. */
async function reason() {
  const answer = await fetch(address("v1/story/stream", { limit: "1" })).catch(() => null);
  if (answer === null || answer.ok) return "the server cannot be reached";
  if (answer.status === 401) forgetToken();
  const { details } = await answer.json().catch(() => ({ details: answer.statusText }));
  return `the server says: ${details}`;
}

async function run() {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.6, LONGEST_PAUSE_MS)) {
    if (await follow()) pauseMs = FIRST_PAUSE_MS;
    state("away", await reason());
    await new Promise((resolve) => {
      wake = () => resolve(null);
      setTimeout(resolve, pauseMs);
    });
  }
}

// What is sent

/** The envelope that has no answer yet. @type {any} */
let pending = null;

function envelope() {
  return {
    request_id: `page-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`,
    invoker: sender?.invoker,
    operator: { operator_id: sender?.operator_id, input_text: words.value },
    mode: { kind: "BEAT" },
    declared_overrides: { time: null, pause_time: JSON.parse(pause.value) },
  };
}

const isStill = (/** @type {any} */ sent) =>
  sent?.operator.input_text === words.value && sent.declared_overrides.pause_time === JSON.parse(pause.value);

/** Send what is in the box; what was sent before without an answer goes out again as it was. */
async function speak() {
  if (send.disabled || !sender) return;
  if (!isStill(pending)) pending = envelope();
  await deliver();
}

async function deliver() {
  complain("");
  send.disabled = words.readOnly = pause.disabled = true;
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(address("invocations"), { method: "POST", headers, body: JSON.stringify(pending) })
    .then(async (given) => ({ status: given.status, body: await given.json() }))
    .catch(() => ({ status: 0, body: { error: "no answer came" } }));
  send.disabled = words.readOnly = pause.disabled = false;
  if (answer.status === 200) {
    if (isStill(pending)) {
      words.value = "";
      pause.value = "null";
    }
    pending = null;
    const trouble = answer.body.debug?.writer;
    if (trouble) complain(`Your words are kept; the writer failed (${trouble.code}: ${trouble.message})`);
    toEnd();
    wake();
  } else {
    const unknown = answer.status === 0 || answer.status >= 500 || answer.status === 429;
    const { error, details, writer } = answer.body;
    const given = Array.isArray(details) ? details.map(({ path, message }) => `${path}: ${message}`).join("; ") : details;
    const told = writer ? `${writer.code}: ${writer.message}` : given;
    complain(told ? `${error} (${told})` : error, unknown);
    if (!unknown) pending = null;
  }
  words.focus();
}

function complain(/** @type {string} */ text, canRetry = false) {
  part("why").textContent = text;
  part("notice").hidden = !text;
  again.hidden = !canRetry;
}

// Hands

part("composer").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  void speak();
});
words.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.isComposing) return;
  if (event.key === "Escape") stream.focus();
  if (event.key !== "Enter" || event.shiftKey) return;
  event.preventDefault();
  void speak();
});
addEventListener("keydown", (event) => {
  const typing = event.target instanceof Element && event.target.matches("textarea, select, input");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  words.focus();
});
again.addEventListener("click", () => { if (pending && !send.disabled) void deliver(); });
part("below").addEventListener("click", toEnd);
part("earlier").addEventListener("click", () => void showEarlier());
stream.addEventListener("scroll", () => { if (atEnd()) part("below").hidden = true; });
addEventListener("online", () => wake());
WIDE.addEventListener("change", () => { part("pocket").open = WIDE.matches; });
part("pocket").open = WIDE.matches;
void run();
