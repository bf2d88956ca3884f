/** What is in the panel: overview, the chosen entry, the player, lines of code. */

export const DETAILS = `
#panel h2 { margin: 0 0 8px; font-size: 17px; line-height: 1.35; overflow-wrap: anywhere; }
#panel h2 .op { color: var(--dim); font-weight: 400; font-size: 15px; }
#panel h2 .stat { font-weight: 400; font-size: 14px; margin-inline: 6px; }
#panel h3 { margin: 22px 0 8px; font-size: 13px; color: var(--dim); font-weight: 600; }
#panel .lead { font-size: 22px; line-height: 1.3; margin: 4px 0 18px; text-wrap: pretty; }
.reason { margin: 0 0 10px; max-width: 75ch; font-size: 15px; overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: 4px 22px; margin: 0 0 10px; font-size: 13px; }
.facts dt { display: inline; color: var(--dim); margin-inline-end: 6px; }
.facts dd { display: inline; margin: 0; overflow-wrap: anywhere; }
.id { user-select: all; font-size: 12.5px; }
.relations { margin: 0 0 10px; padding: 0; list-style: none; font-size: 13px; }

.strip { margin: 0; padding: 12px 14px 8px; border: 1px solid var(--border); border-radius: 8px; }
.strip svg { display: block; width: 100%; height: 96px; overflow: visible; }
.strip figcaption { margin-top: 6px; font-size: 12.5px; }
.bar { --fade: 1; }
g.bar { cursor: pointer; }
.bar .up { fill: var(--tint); }
.bar .down { fill: var(--tint); opacity: 0.5; }
.bar .hit { fill: transparent; }
.bar:hover .hit { fill: var(--raised); }
g.bar.undone .up, g.bar.undone .down { opacity: 0.28; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 8px; margin: 0; padding: 0; list-style: none; }
.card { width: 100%; height: 100%; text-align: start; padding: 9px 12px; border-inline-start: 4px solid var(--tint); overflow-wrap: anywhere; }
.card { display: flex; flex-direction: column; align-items: flex-start; }
.files { width: 100%; border-collapse: collapse; font-size: 13px; }
.files th, .files td { padding: 5px 8px; border-bottom: 1px solid var(--border); text-align: start; vertical-align: middle; font-weight: 400; }
.files thead th { color: var(--dim); font-size: 12.5px; }
.files thead .unseen { font-size: 0; }
.files .right { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.files th:first-child, .files td:first-child { padding-inline-start: 0; }
.files [scope='row'] { width: 100%; max-width: 0; }
.files [scope='row'] .link { display: inline-flex; max-width: 100%; vertical-align: middle; }
.files .path { display: flex; min-width: 0; white-space: nowrap; }
.files .folder { flex: 0 1 auto; min-width: 0; }
.files .base { display: flex; flex: none; max-width: 100%; }
.files .tail { flex: none; }
.files .folder, .files .base, .files .stem { overflow: hidden; text-overflow: ellipsis; }
.files button:not(.link) { min-height: 26px; padding: 1px 9px; font-size: 12.5px; }
.beads { display: inline-flex; flex-wrap: wrap; gap: 3px; margin-inline-start: 10px; vertical-align: middle; }
.bead { width: 8px; height: 8px; border-radius: 50%; background: var(--tint); border: 1.5px solid var(--tint); }
.bead.hollow { background: none; }

#player {
  position: sticky; top: -16px; z-index: 3; display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px;
  margin: 12px 0; padding: 8px 12px;
  background: var(--raised); border: 1px solid var(--border); border-radius: 8px;
}
#player select { max-width: min(100%, 22em); }
.controls { display: flex; flex: 1 1 26em; align-items: center; gap: 8px; }
#play { min-width: 68px; background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
.track-box { position: relative; flex: 1; min-width: 60px; padding-bottom: 9px; }
#slider { display: block; width: 100%; margin: 4px 0 0; accent-color: var(--accent); }
#beads .bead { position: absolute; bottom: 0; left: calc(8px + (100% - 16px) * var(--at) - 4px); }
#position { min-width: 7em; text-align: end; font-variant-numeric: tabular-nums; font-size: 13px; }

.file { margin: 14px 0; border: 1px solid var(--border); border-radius: 8px; overflow: clip; }
.file details { position: relative; }
.file summary { padding: 8px 150px 8px 12px; background: var(--raised); cursor: pointer; overflow-wrap: anywhere; }
.file summary .badge { margin-inline-start: 4px; }
.file .actions { position: absolute; top: 4px; right: 8px; display: flex; gap: 6px; }
.file .actions button { min-height: 26px; margin: 0; padding: 1px 9px; font: 12.5px system-ui, sans-serif; color: var(--ink); border-radius: 6px; }
.file p.dim { margin: 0; padding: 10px 12px; }
.hunk { padding: 3px 12px; color: var(--dim); font-size: 12px; border-block: 1px solid var(--border); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }

.code { overflow-x: auto; font-size: 12.5px; line-height: 1.55; tab-size: 4; padding: 2px 0; }
#body > .code { border: 1px solid var(--border); border-radius: 8px; }
.code:focus-visible { outline-offset: -2px; }
.line { display: flex; width: max-content; min-width: 100%; min-height: 1.55em; text-decoration: none; }
.number { flex: none; width: 4.2em; padding-inline-end: 8px; text-align: end; color: var(--dim); user-select: none; }
.number::before { content: attr(data-number); }
.no-old .number:nth-child(1), .no-new .number:nth-child(2) { display: none; }
.sign { flex: none; width: 1.6em; text-align: center; color: var(--dim); user-select: none; }
.text { white-space: pre; padding-inline-end: 16px; unicode-bidi: isolate; }
.plus-line { background: var(--plus-ground); }
.plus-line .sign { color: var(--plus); }
.plus-line mark { background: var(--plus-mark); }
.minus-line { background: var(--minus-ground); }
.minus-line .sign { color: var(--minus); }
.minus-line mark { background: var(--minus-mark); }
mark { color: inherit; border-radius: 2px; }
.more { display: block; width: 100%; border-radius: 0; border-width: 1px 0; color: var(--accent); }

.blame .line { box-shadow: inset 4px 0 var(--tint); }
.source {
  flex: none; width: 30em; max-width: 45%; padding: 0 8px 0 12px; margin: 0; border: 0; border-radius: 0; min-height: 0; background: none;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap; text-align: start;
  font: 12px/1.62 system-ui, sans-serif; user-select: none;
}
.source .name { color: var(--tint); font-weight: 600; }
button.source:focus-visible { outline-offset: -2px; }

@media (max-width: 760px) {
  #panel .lead { font-size: 19px; }
  .file summary { padding-inline-end: 12px; }
  .file .actions { position: static; padding: 0 12px 8px; background: var(--raised); }
  .number { width: 3em; padding-inline-end: 4px; }
  .line { width: auto; }
  .text { flex: 1 1 0; white-space: pre-wrap; overflow-wrap: anywhere; min-width: 0; padding-inline-end: 6px; }
  .controls { flex-basis: 100%; flex-wrap: wrap; }
  .track-box { order: 9; flex-basis: 100%; }
  .blame .line { flex-wrap: wrap; }
  .source { width: 100%; max-width: none; }
  .source:empty, .blame .sign { display: none; }
  .beads { display: flex; margin: 4px 0 0; }
}
@media print { .actions, .files button:not(.link), .more { display: none; } .text { white-space: pre-wrap; overflow-wrap: anywhere; } .line { width: auto; } }
`;
