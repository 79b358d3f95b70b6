// A client of the agent protocol in one file, for Node 20 and newer and for browsers; no packages.
//
//   node client.mjs [ws://127.0.0.1:8080/v1/ws]     joins, does three things, and ends
//
//   import { connect } from "./client.mjs";
//   const agent = await connect("ws://127.0.0.1:8080/v1/ws", "mole");
//   const tree = agent.find("LOG");
//   await agent.do({ type: "MOVE_TO", target: tree });
//
// docs/protocol.md has every message and every action.

const VERSION = "0.9";
const TASKS = new Set(
  ["MOVE_TO", "FOLLOW", "MINE", "GATHER", "PLACE", "OPEN", "TRANSFER", "CRAFT", "SMELT", "BUILD_BLUEPRINT", "STOP",
    "CLAIM_LAND"],
);
const STALE_RETRIES = 3;

/** Join a world. With the `token` of an earlier connection the body is the same again. */
export async function connect(url, name, { token, accessToken } = {}) {
  const socket = await openSocket(url, accessToken);
  const agent = new Agent(socket);
  const auth = token ? { auth: { token } } : {};
  agent.send({ type: "HELLO", agent_name: name, capabilities: { delta_voxels: true, max_queue: 8 }, ...auth });
  await agent.observe();
  return agent;
}

export class Agent {
  constructor(socket) {
    this.id = "";
    this.token = "";
    this.catalogs = {};
    this.obs = null; // the newest observation
    this.onevent = () => {}; // called with each event
    this.socket = socket;
    this.lockstep = false;
    this.actedOn = -1;
    this.asked = new Map(); // actions that wait for their result, by id
    this.running = new Map(); // tasks that were accepted, by their task_id
    this.waiting = []; // who waits for the next observation
    this.count = 0;
    this.cells = null; // the cube of blocks around the agent
    socket.onmessage = (message) => this.take(JSON.parse(message.data));
    socket.onclose = (end) => this.end(new Error(`the connection is over: ${end.code} ${end.reason}`.trim()));
  }

  get position() {
    return this.obs.self.pos;
  }

  get inventory() {
    return Object.fromEntries(this.obs.inventory.map(({ item, count }) => [item, count]));
  }

  /** Where the nearest block of these names is; null if none is in sight. */
  find(...names) {
    const { center, radius } = this.obs.voxels;
    let nearest = null;
    let least = Infinity;
    this.eachCell(radius, (index, [dx, dy, dz]) => {
      const away = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
      if (away < least && names.includes(this.catalogs.block_palette[this.cells[index]])) {
        least = away;
        nearest = [center[0] + dx, center[1] + dy, center[2] + dz];
      }
    });
    return nearest;
  }

  /** The next observation. */
  observe() {
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  /** Do one thing. Resolves with the world's last event about it: `ok` is true, or `code` says why not. */
  do(action) {
    const id = `js-${++this.count}`;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { action: { ...action, id }, resolve, reject, tries: 0 });
      this.act(id);
    });
  }

  close() {
    this.socket.close(1000);
  }

  send(message) {
    this.socket.send(JSON.stringify({ protocol_version: VERSION, ...message }));
  }

  act(...ids) {
    const actions = ids.map((id) => this.asked.get(id).action);
    const isTask = (action) => TASKS.has(action.type);
    this.actedOn = this.obs.tick;
    this.send({
      type: "ACT",
      tick: this.obs.tick,
      agent_id: this.id,
      instants: actions.filter((action) => !isTask(action)),
      tasks: actions.filter(isTask),
    });
  }

  take(message) {
    if (message.type === "WELCOME") {
      this.id = message.agent_id;
      this.token = message.resume_token;
      this.lockstep = message.world_params.clock === "lockstep";
    } else if (message.type === "CATALOG") {
      const { name, part, data } = message;
      this.catalogs[name] = part === 1 ? data : this.catalogs[name].concat(data);
    } else if (message.type === "OBS") {
      this.obs = message;
      this.see(message.voxels);
      for (const event of message.events) {
        this.settle(event);
        this.onevent(event);
      }
      for (const { resolve } of this.waiting.splice(0)) resolve(message);
      // A world in lockstep waits for a move of everybody; an empty ACT is a pass.
      if (this.lockstep) setTimeout(() => this.actedOn < message.tick && this.act());
    }
  }

  /** Match a result with what was asked. */
  settle(event) {
    if (event.type === "ACTION_RESULT" && event.ref === "ACT" && event.code === "E_STALE") {
      // The ACT came too late for its observation: ask again for the newest one.
      for (const [id, asked] of this.asked) {
        if (++asked.tries <= STALE_RETRIES) this.act(id);
        else this.finish(this.asked, id, event);
      }
    } else if (event.type === "ACTION_RESULT" && this.asked.has(event.ref)) {
      if (event.ok && event.task_id) {
        this.running.set(event.task_id, this.asked.get(event.ref));
        this.asked.delete(event.ref);
      } else this.finish(this.asked, event.ref, event);
    } else if (event.type === "TASK_DONE" || event.type === "TASK_FAIL") {
      this.finish(this.running, event.task_id, { ...event, ok: event.type === "TASK_DONE" });
    }
  }

  finish(table, id, event) {
    table.get(id)?.resolve(event);
    table.delete(id);
  }

  /** Nothing will be answered any more. */
  end(problem) {
    for (const each of [...this.waiting.splice(0), ...this.asked.values(), ...this.running.values()]) {
      each.reject(problem);
    }
    this.asked.clear();
    this.running.clear();
  }

  /** The cube of blocks: whole (RLE), or what changed (DELTA). */
  see({ radius, encoding, data, ops }) {
    const edge = 2 * radius + 1;
    if (encoding === "RLE") {
      this.cells = new Uint8Array(edge ** 3);
      const numbers = varints(Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0)));
      for (let at = 0, pair = 0; pair < numbers.length; pair += 2) {
        this.cells.fill(numbers[pair], at, (at += numbers[pair + 1]));
      }
    } else {
      for (const { d: [dx, dy, dz], b } of ops) {
        this.cells[((dy + radius) * edge + dz + radius) * edge + dx + radius] = b;
      }
    }
  }

  /** Cells stand in the order y, z, x; x is the fastest. */
  eachCell(radius, visit) {
    let index = 0;
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dz = -radius; dz <= radius; dz++) {
        for (let dx = -radius; dx <= radius; dx++) visit(index++, [dx, dy, dz]);
      }
    }
  }
}

function varints(bytes) {
  const numbers = [];
  let number = 0;
  let shift = 0;
  for (const byte of bytes) {
    number |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte < 0x80) {
      numbers.push(number);
      number = shift = 0;
    }
  }
  return numbers;
}

/** The platform's WebSocket; before Node 22, which has none, the small one below. */
function openSocket(url, accessToken) {
  const withToken = accessToken ? `${url}?token=${encodeURIComponent(accessToken)}` : url;
  const socket = globalThis.WebSocket ? new WebSocket(withToken) : new SmallSocket(withToken);
  return new Promise((resolve, reject) => {
    socket.onopen = () => resolve(socket);
    socket.onerror = () => reject(new Error(`nobody answers at ${url}`));
  });
}

/** As much of a WebSocket as an agent needs, on Node's own sockets: text frames, pings, close. */
class SmallSocket {
  constructor(url) {
    this.buffer = Buffer.alloc(0);
    this.parts = [];
    this.over = false;
    this.start(url).catch(() => this.onerror?.());
  }

  async start(url) {
    const [http, https, crypto] = await Promise.all(
      ["node:http", "node:https", "node:crypto"].map((name) => import(name)));
    this.random = crypto.randomBytes;
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": this.random(16).toString("base64"),
    };
    const request = (url.startsWith("wss") ? https : http).request(url.replace(/^ws/, "http"), { headers });
    request.on("error", () => this.onerror?.());
    request.on("response", () => this.onerror?.());
    request.on("upgrade", (_response, stream, head) => {
      this.stream = stream;
      stream.on("data", (bytes) => this.read(bytes));
      stream.on("close", () => this.finish(1006, ""));
      stream.on("error", () => this.finish(1006, ""));
      this.onopen?.();
      if (head.length) this.read(head);
    });
    request.end();
  }

  send(text) {
    this.write(1, Buffer.from(text));
  }

  close(code) {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.write(8, payload);
    this.stream.end();
    this.finish(code, "");
  }

  write(opcode, payload) {
    const long = payload.length > 125;
    const head = Buffer.alloc(long ? 10 : 2);
    head[0] = 0x80 | opcode;
    head[1] = 0x80 | (long ? 127 : payload.length);
    if (long) head.writeBigUInt64BE(BigInt(payload.length), 2);
    const mask = this.random(4);
    this.stream.write(Buffer.concat([head, mask, payload.map((byte, at) => byte ^ mask[at & 3])]));
  }

  read(bytes) {
    this.buffer = Buffer.concat([this.buffer, bytes]);
    while (this.buffer.length >= 2) {
      const short = this.buffer[1] & 0x7f;
      const head = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (this.buffer.length < head) return;
      const size = head === 2 ? short : head === 4 ? this.buffer.readUInt16BE(2) : Number(this.buffer.readBigUInt64BE(2));
      if (this.buffer.length < head + size) return;
      const [first, payload] = [this.buffer[0], this.buffer.subarray(head, head + size)];
      this.buffer = this.buffer.subarray(head + size);
      this.frame(first & 0x0f, (first & 0x80) !== 0, payload);
    }
  }

  frame(opcode, last, payload) {
    if (opcode === 8) {
      const code = payload.length > 1 ? payload.readUInt16BE(0) : 1005;
      this.stream.end();
      this.finish(code, payload.subarray(2).toString());
    } else if (opcode === 9) this.write(10, payload);
    else if (opcode < 3) {
      this.parts.push(payload);
      if (last) this.onmessage?.({ data: Buffer.concat(this.parts.splice(0)).toString() });
    }
  }

  finish(code, reason) {
    if (!this.over) {
      this.over = true;
      this.onclose?.({ code, reason });
    }
  }
}

/** Three visible things, told as they are done. */
export async function main(url, tell = console.log) {
  const agent = await connect(url, "Jules");
  const outcome = (event) => (event.ok ? "done" : `refused, ${event.code}: ${event.message}`);
  tell(`I am ${agent.id} at ${agent.position}`);
  tell(`greeting: ${outcome(await agent.do({ type: "SAY", text: "Bonjour." }))}`);
  const block = agent.find("LOG", "GRASS", "SAND", "STONE");
  if (block) {
    tell(`going to ${block}: ${outcome(await agent.do({ type: "MOVE_TO", target: block, tolerance: 1 }))}`);
    tell(`mining it: ${outcome(await agent.do({ type: "MINE", block_pos: block }))}`);
  }
  tell(`now I have ${JSON.stringify(agent.inventory)}`);
  agent.close();
}

if (globalThis.process?.argv[1] && import.meta.url === new URL(`file://${process.argv[1]}`).href) {
  await main(process.argv[2] ?? "ws://127.0.0.1:8080/v1/ws");
}
