"""The report's looks: one style sheet, for light and dark screens, narrow ones, and paper."""

STYLE = """
:root {
  color-scheme: light dark;
  --ink: #1d2430; --soft: #5b6675; --line: #dfe3e8; --paper: #ffffff; --wash: #f5f7f9;
  --good: #1f8a5b; --bad: #c2482f; --accent: #2f5fb3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6e9ee; --soft: #9aa5b4; --line: #313a47; --paper: #14181f; --wash: #1c222b;
    --good: #4fc38e; --bad: #f08a6f; --accent: #86aef5;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
p { margin: .4rem 0; }
.soft, footer { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .6rem; text-align: right; white-space: nowrap; }
th, td { border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); font-size: .82rem; vertical-align: bottom; }
tbody th { color: var(--ink); font-size: 1rem; vertical-align: middle; }
.wrap { white-space: normal; min-width: 14rem; }
.text { text-align: left; }
.lead { font-weight: 700; }
.by { display: block; font-size: .75rem; font-weight: 400; color: var(--soft); }
.fault { color: var(--bad); }
.wide { width: 100%; }
svg { display: block; }
.ends { display: flex; justify-content: space-between; width: 150px; }
.axis { stroke: var(--line); stroke-width: 1; }
.span { stroke: var(--accent); stroke-width: 5; stroke-linecap: round; opacity: .4; }
.dot { fill: var(--accent); }
.cross td { text-align: center; min-width: 4.2rem; border: 1px solid var(--line); }
.cross thead th { text-align: center; }
.cross .self { background: var(--wash); }
.s0 { background: color-mix(in srgb, var(--bad) 26%, transparent); }
.s1 { background: color-mix(in srgb, var(--bad) 12%, transparent); }
.s3 { background: color-mix(in srgb, var(--good) 12%, transparent); }
.s4 { background: color-mix(in srgb, var(--good) 26%, transparent); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: .88em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
a { color: var(--accent); }
summary { cursor: pointer; color: var(--accent); padding: .3rem 0; }
footer { margin-top: 3rem; font-size: .88rem; max-width: 46rem; }
@media (max-width: 40rem) {
  body { font-size: 14px; }
  th, td { padding: .3rem .4rem; }
  tbody th { white-space: normal; overflow-wrap: anywhere; min-width: 7rem; }
}
@media print {
  :root { --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --wash: #f2f2f2; --accent: #234; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  .scroll { overflow: visible; }
  tbody th { white-space: normal; overflow-wrap: anywhere; }
  tr { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
