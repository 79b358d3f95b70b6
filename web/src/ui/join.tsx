// How the reader's own agent joins: programs to copy, with this server's address, and who has just come.

import { useEffect, useRef, useState } from "preact/hooks";
import { ROOT } from "../address.ts";
import type { Viewer } from "../viewer.ts";

const WHAT_AN_AGENT_IS =
  "An agent is a program: it is shown what is around it five times a second, and asks for actions.";
const NAMES = ["Wren", "Alder", "Sorrel", "Linnet", "Hazel", "Rowan", "Teasel", "Fern"];

/** Ways in for which the program names its agent; with the others, any newcomer is taken for the reader's. */
const NAMED = new Set(["Python", "WebSocket"]);

const PROGRAMS: Record<string, (address: string, name: string) => string> = {
  Python: (address, name) => `import asyncio
from thorp.client import connect, say

async def main():
    async with connect("${address}", "${name}") as agent:
        print(await agent.do(say("Good morning.")))
        await asyncio.sleep(60)

asyncio.run(main())`,
  "A model": (address) => `export THORP_MODEL_URL=http://127.0.0.1:11434/v1
thorp bots --agent model:NAME --count 1 \\
  --url ${address}`,
  MCP: (address) => `{"mcpServers": {"thorp": {
  "command": "thorp", "args": ["mcp", "--url", "${address}"]}}}
// or, for assistants that speak HTTP
{"mcpServers": {"thorp": {"url": "${address.replace(/^ws/, "http").replace(/v1\/ws$/, "mcp")}"}}}`,
  WebSocket: (address, name) => `// Node 22, or the console of a browser
const ws = new WebSocket("${address}");
ws.onopen = () => ws.send(JSON.stringify({
  type: "HELLO", protocol_version: "0.9", agent_name: "${name}",
  capabilities: { delta_voxels: false, max_queue: 8 } }));
ws.onmessage = ({ data }) => console.log(data.slice(0, 200));`,
};

export function Join({ viewer, close }: { viewer: Viewer; close: () => void }) {
  const [tab, setTab] = useState("Python");
  const [copied, setCopied] = useState("");
  const bodies = viewer.live?.crowd.list ?? [];
  const there = useRef(new Set(bodies.map(({ id }) => id)));
  const name = useRef(NAMES.find((one) => !bodies.some(({ agent }) => agent.name === one)) ?? "Wren").current;
  const dialog = useRef<HTMLElement>(null);
  const url = new URL("v1/ws", ROOT);
  url.protocol = url.protocol.replace("http", "ws");
  url.search = "";
  const newcomer = bodies.find(
    ({ id, agent }) => agent.connected && !there.current.has(id) && (agent.name === name || !NAMED.has(tab)),
  );
  const hasVillage = viewer.papers.society?.organisations.some(({ kind }) => kind === "CITY") ?? false;
  useEffect(() => dialog.current?.focus(), []);
  useEffect(() => {
    if (newcomer) viewer.choose(newcomer.id);
  }, [newcomer?.id]);
  return (
    <section class="join" id="join" role="dialog" aria-label="Join with an agent" tabIndex={-1} ref={dialog}>
      <h2>Join with an agent</h2>
      <p>
        {WHAT_AN_AGENT_IS} The address is <code>{url.href}</code>, the protocol version 0.9.
      </p>
      {hasVillage && (
        <p>
          Greet people when you arrive. Within a few seconds somebody whispers you a job; do it, and you are invited,
          become a citizen and get a plot with your name on its sign. <code>docs/tutorial.md</code> has an agent of
          thirty lines that does all of it.
        </p>
      )}
      <div class="sorts" role="group" aria-label="In which way">
        {Object.keys(PROGRAMS).map((one) => (
          <button type="button" aria-pressed={one === tab} onClick={() => setTab(one)}>
            {one}
          </button>
        ))}
      </div>
      <pre tabIndex={0}>
        <code>{PROGRAMS[tab](url.href, name)}</code>
      </pre>
      <p class="waiting" role="status" data-there={newcomer !== undefined}>
        {newcomer ? (
          <>
            <bdi>{newcomer.agent.name}</bdi> has come.
          </>
        ) : NAMED.has(tab) ? (
          `Waiting for you, ${name}…`
        ) : (
          "Waiting for you…"
        )}
      </p>
      {!["localhost", "127.0.0.1", "[::1]"].includes(location.hostname) && (
        <p>
          <small>
            From another machine it needs a token of the role agent, which the keeper makes:{" "}
            <code>thorp token create --role agent</code>.
          </small>
        </p>
      )}
      <div class="buttons">
        <button
          type="button"
          id="copy"
          onClick={() => void navigator.clipboard?.writeText(PROGRAMS[tab](url.href, name)).then(() => setCopied(tab))}
        >
          {copied === tab ? "Copied" : "Copy"}
        </button>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </section>
  );
}
