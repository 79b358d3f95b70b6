// A match as one page of its own: `thorp match show FILE --html` puts this script, its style and the log into a file.

import { render } from "preact";
import { MatchLog } from "./match/log.ts";
import "./style.css";
import { Replay } from "./ui/replay.tsx";

const log = new MatchLog().take(document.getElementById("log")!.textContent!.split("\n"));
const first = Number(/^#move=(\d+)$/.exec(location.hash)?.[1]) || null;
const went = (move: number) => history.replaceState(null, "", `#move=${move}`);

render(
  <>
    <header class="masthead"><h1>Thorp</h1><span>{log.scenario}, from its log alone</span></header>
    <Replay log={log} revision={0} live={false} first={first} went={went} />
  </>,
  document.getElementById("page")!,
);
