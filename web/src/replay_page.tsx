// A match or a tournament as one page of its own: `thorp match show FILE --html` and the report of a tournament
// put this script and what it shows, a log or one JSON document, into a file.

import { render } from "preact";
import { MatchLog } from "./match/log.ts";
import "./style.css";
import { Replay } from "./ui/replay.tsx";
import { TournamentReport } from "./ui/tournament.tsx";

const held = document.getElementById("log") ?? document.getElementById("report")!;

function Match({ log }: { log: MatchLog }) {
  const first = Number(/^#move=(\d+)$/.exec(location.hash)?.[1]) || null;
  const went = (move: number) => history.replaceState(null, "", `#move=${move}`);
  return (
    <>
      <header class="masthead">
        <h1>Thorp</h1>
        <span>{log.scenario}, from its log alone</span>
      </header>
      <Replay log={log} revision={0} live={false} first={first} went={went} />
    </>
  );
}

const text = held.textContent!;
const content =
  held.id === "log" ? (
    <Match
      log={new MatchLog()
        .take(text.split("\n"))
        .takeReplies((document.getElementById("replies")?.textContent ?? "").split("\n"))}
    />
  ) : (
    <>
      <header class="masthead">
        <h1>Thorp</h1>
        <span>a tournament, from its results alone</span>
      </header>
      <TournamentReport report={JSON.parse(text)} />
    </>
  );
render(content, document.getElementById("page")!);
