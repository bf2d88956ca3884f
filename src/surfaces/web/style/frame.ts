/** The frame of the page: header, two panes, tabs, small parts. */

export const FRAME = `
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; }
body {
  margin: 0; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 14px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
code, kbd, .code, .op, .path, .id { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
button, select, input { font: inherit; color: inherit; }
button, select, input[type='search'] {
  background: var(--panel); border: 1px solid var(--border); border-radius: 6px; padding: 4px 10px; min-height: 30px;
}
button { cursor: pointer; }
button:hover { background: var(--raised); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.dim, .note { color: var(--dim); }
.note { font-style: italic; user-select: none; }
button.link { border: 0; padding: 0; min-height: 0; background: none; color: var(--accent); text-align: start; overflow-wrap: anywhere; }
button.link:hover { text-decoration: underline; }
button.copy { min-height: 0; margin-inline-start: 6px; padding: 0 6px; border-radius: 4px; font: 11.5px/17px system-ui, sans-serif; color: var(--dim); }
.stat { white-space: nowrap; font-variant-numeric: tabular-nums; }
.plus { color: var(--plus); }
.minus { color: var(--minus); }
.folder { color: var(--dim); }
.badge {
  display: inline-block; padding: 0 7px; margin-inline-end: 6px; border: 1px solid var(--border); border-radius: 9px;
  font: 12px/15px system-ui, sans-serif; color: var(--dim); white-space: nowrap; text-decoration: none;
}
.swatch { display: inline-block; width: 10px; height: 10px; border-radius: 50%; background: var(--tint); margin-inline-end: 6px; }
.hidden-character {
  background: var(--hidden-ground); color: var(--hidden-ink); border-radius: 3px; padding: 0 3px; margin: 0 1px;
  font: 600 10px/1.2 system-ui, sans-serif; user-select: none;
}

.top { display: flex; align-items: center; gap: 8px; padding: 8px 16px; background: var(--panel); border-bottom: 1px solid var(--border); }
.top h1 { flex: 1; min-width: 0; margin: 0; font-size: 16px; line-height: 1.3; overflow-wrap: anywhere; }
.top small { font-weight: 400; font-size: 13px; color: var(--dim); margin-inline-start: 6px; }
.mark { display: inline-block; width: 12px; height: 12px; margin-inline-end: 8px; border-radius: 50%; border: 3.5px solid var(--accent); }
.icon { width: 32px; height: 32px; padding: 0; font-weight: 600; }
.icon svg { width: 16px; vertical-align: -3px; fill: none; stroke: currentColor; stroke-width: 1.5; }
.icon .half { fill: currentColor; }
.notice { margin: 0; padding: 7px 16px; background: var(--warn-ground); color: var(--warn-ink); font-size: 13px; }

main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(300px, 400px) minmax(0, 1fr); }
.list-pane, .detail-pane { display: flex; flex-direction: column; min-height: 0; min-width: 0; background: var(--panel); }
.list-pane { border-inline-end: 1px solid var(--border); }
.filters { display: grid; grid-template-columns: 1fr 1fr; gap: 6px; padding: 10px 12px 6px; border-bottom: 1px solid var(--border); }
.filters > * { min-width: 0; width: 100%; }
.filters input, .found { grid-column: 1 / -1; }
.found { display: flex; justify-content: space-between; margin: 0; color: var(--dim); font-size: 12.5px; }

.bar { display: flex; align-items: center; gap: 8px; padding: 0 12px; border-bottom: 1px solid var(--border); }
#tabs { display: flex; flex: 1; min-width: 0; overflow-x: auto; }
[role='tab'] { border: 0; border-radius: 0; border-bottom: 2px solid transparent; padding: 10px 12px; background: none; color: var(--dim); }
[role='tab']:hover { color: var(--ink); background: none; }
[role='tab'][aria-selected='true'] { color: var(--ink); border-bottom-color: var(--accent); font-weight: 600; }
[role='tab']:focus-visible { outline-offset: -3px; }
.steps { white-space: nowrap; }
.narrow-only { display: none; white-space: nowrap; }
#panel { flex: 1; min-height: 0; overflow: auto; padding: 16px 20px 40px; }
#panel:focus-visible { outline-offset: -2px; }

dialog { max-width: min(30rem, 92vw); border: 1px solid var(--border); border-radius: 10px; background: var(--panel); color: var(--ink); padding: 18px 22px; }
dialog::backdrop { background: #0007; }
dialog h2 { margin: 0 0 10px; font-size: 16px; }
#keys { display: grid; grid-template-columns: max-content 1fr; gap: 5px 16px; margin: 0; }
#keys dt { white-space: nowrap; }
#keys dd { margin: 0; }
kbd { display: inline-block; min-width: 22px; padding: 0 5px; margin-inline-end: 4px; text-align: center; background: var(--raised); border: 1px solid var(--border); border-radius: 4px; font-size: 12px; line-height: 19px; }

@media (max-width: 760px) {
  main { grid-template-columns: minmax(0, 1fr); }
  main[data-pane='list'] .detail-pane, main[data-pane='detail'] .list-pane { display: none; }
  .list-pane { border: 0; }
  .narrow-only { display: block; }
  .bar { padding: 0 8px; gap: 4px; }
  .top small { display: block; margin: 0; }
  [role='tab'] { padding: 12px 7px; font-size: 13px; }
  .steps button { padding: 4px 8px; }
  #panel { padding: 12px 12px 32px; }
  button:not(.link, .id + .copy), select, input[type='search'] { min-height: 36px; }
  .id + .copy { padding: 2px 9px; }
}
@media print {
  .list-pane, .bar, .icon, #player { display: none !important; }
  html, body, main, .detail-pane, #panel { display: block; height: auto; overflow: visible; }
}
`;
