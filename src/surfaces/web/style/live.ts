/** What only the live page has: who works, the actions, what they ask and answer. */

export const LIVE = `
.workers { display: flex; flex-wrap: wrap; gap: 4px 12px; margin: 0; padding: 0; list-style: none; font-size: 13px; }
.worker strong { color: var(--tint); }
.unrecorded { color: var(--warn-ink); background: var(--warn-ground); border-color: transparent; }
.live-state { font-size: 12.5px; color: var(--dim); white-space: nowrap; }
.live-state::before { content: ''; display: inline-block; width: 8px; height: 8px; margin-inline-end: 6px; border-radius: 50%; background: var(--dim); }
.live-state.on::before { background: var(--plus); }
.live-state.away::before { background: var(--minus); }
.new-count { padding: 6px 12px; border-bottom: 1px solid var(--border); font-size: 13px; }
.looked { padding: 3px 12px; color: var(--accent); font-size: 12px; border-bottom: 2px solid var(--accent); }
.older { margin: 8px 12px; }

.acts { display: flex; flex-wrap: wrap; gap: 6px; padding: 8px 12px; border-top: 1px solid var(--border); background: var(--panel); }
.acts kbd { margin: 0 0 0 4px; }
.acts [aria-disabled='true'] { opacity: 0.45; cursor: default; }
.foot { position: relative; }
.answer {
  position: absolute; inset-inline: 12px; bottom: calc(100% + 8px); max-height: 50vh; overflow: auto; padding: 10px 44px 10px 14px; z-index: 3;
  background: var(--raised); border: 1px solid var(--border); border-inline-start: 4px solid var(--plus); border-radius: 8px; box-shadow: 0 4px 18px #0003;
}
.answer.refused { border-inline-start-color: var(--minus); }
.answer p { margin: 0; overflow-wrap: anywhere; }
#answer-close { position: absolute; inset-inline-end: 6px; top: 6px; padding: 2px 9px; }
.ways { margin: 8px 0 0; padding: 0; list-style: none; }
.ways li { display: flex; justify-content: space-between; gap: 8px; padding: 3px 0; }

.review-hunk { padding: 2px 12px 10px; }
.review-hunk.chosen { border-color: var(--accent); box-shadow: inset 3px 0 var(--accent); background: var(--accent-ground); }
.review-hunk.chosen .code { background: var(--panel); }
.review-hunk h3 { margin: 10px 0 4px; font-size: 14px; color: var(--ink); }
.unclaimed { padding: 8px 12px; }
.unclaimed h3 { margin: 10px 0 4px; font-size: 14px; color: var(--ink); }
.overridden { margin: 4px 0; padding: 5px 10px; background: var(--warn-ground); color: var(--warn-ink); border-radius: 6px; }

#ask textarea { width: 100%; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--border); border-radius: 6px; padding: 6px 8px; }
#ask { width: 30rem; }
.choice { display: block; padding: 2px 0; }
.answers { display: flex; align-items: center; gap: 8px; margin-top: 12px; }
button.main { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 760px) {
  .top { flex-wrap: wrap; }
  .workers { order: 5; width: 100%; }
  .acts { gap: 4px; padding: 6px 8px; }
  .acts button { padding: 4px 8px; font-size: 13px; }
  .acts kbd { display: none; }
}
@media print { .acts, .answer { display: none !important; } }
`;
