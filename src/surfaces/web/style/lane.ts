/** The list of entries and its lane. */

export const LANE = `
#list { flex: 1; min-height: 0; overflow-y: auto; overflow-anchor: none; margin: 0; padding: 0 0 24px; list-style: none; --columns: 1; }
#list:focus-visible { outline-offset: -2px; }
.day {
  position: sticky; top: 0; z-index: 2; padding: 5px 12px; background: var(--panel);
  color: var(--dim); font-size: 12px; font-weight: 600; border-bottom: 1px solid var(--border);
}
.empty { padding: 24px 16px; color: var(--dim); }
.row {
  position: relative; display: grid; grid-template-columns: calc(var(--columns) * 15px + 9px) minmax(0, 1fr) max-content;
  gap: 0 8px; padding: 7px 12px 7px 8px; line-height: 19px; cursor: pointer; contain: layout style paint;
}
.row:hover { background: var(--raised); }
.row[aria-selected='true'] { background: var(--accent-ground); box-shadow: inset 3px 0 var(--accent); }
.row.related { box-shadow: inset 3px 0 var(--dim); }
.row .what { display: flex; gap: 0.6ch; min-width: 0; overflow: hidden; white-space: nowrap; font-size: 13px; }
.row .op { flex: none; color: var(--dim); font-size: 12px; }
.row .path { display: flex; flex: 0 1 auto; min-width: 0; font-weight: 600; }
.row .folder { flex: 0 1 auto; min-width: 0; font-weight: 400; }
.row .base { display: flex; flex: none; max-width: 100%; }
.row .tail { flex: none; }
.row .what .dim { flex: 0 0 auto; }
.row .folder, .row .base, .row .stem { overflow: hidden; text-overflow: ellipsis; }
.row .landed { color: var(--plus); }
.row .stat { grid-column: 3; font-size: 12.5px; }
.row .why, .row .who { grid-column: 2 / -1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 13px; }
.row .why:empty { display: none; }
.row .who { font-size: 12px; color: var(--dim); }
.row .who .name { color: var(--tint); font-weight: 600; }
.row.undone .path, h2.undone .path { text-decoration: line-through; text-decoration-thickness: 1px; }

.lanes { grid-row: 1 / 4; position: relative; margin: -7px 0; }
.track, .dot { position: absolute; left: calc(var(--column) * 15px); }
.track { top: 0; bottom: 0; width: 2px; margin-left: 9px; background: var(--tint); opacity: 0.45; }
.track.first { top: 17px; }
.track.last { bottom: calc(100% - 17px); }
.dot { top: 7px; width: 20px; height: 20px; overflow: visible; }
.dot .shape { fill: var(--tint); stroke: var(--panel); stroke-width: 1.6; }
.dot .sign { fill: none; stroke: var(--panel); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.dot.hollow .shape { fill: var(--panel); stroke: var(--tint); stroke-width: 1.8; }
.dot.hollow .sign { stroke: var(--tint); }
`;
