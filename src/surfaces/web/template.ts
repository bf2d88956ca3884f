/** The page's elements before its script fills them. Nothing here comes from a repository. */

export function template(live?: 'live' | 'app'): string {
  const only = (text: string, kind: typeof live = live): string => (live && kind === live ? text : '');
  return `
<header class="top">
  <h1><span class="mark" aria-hidden="true"></span><span id="name"></span> <small id="trail"></small></h1>
${only(LIVE_TOP)}${only('  <button type="button" id="full-screen" hidden></button>\n', 'app')}  <button type="button" id="theme" class="icon">
    <svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6"/><path d="M8 2a6 6 0 0 1 0 12z" class="half"/></svg>
  </button>
  <button type="button" id="help-button" class="icon" aria-label="Help: keys" aria-haspopup="dialog">?</button>
</header>
<noscript><p class="notice">This page needs JavaScript. On a terminal, <code>vedit log -p</code> tells the same.</p></noscript>
<p id="notice" class="notice" role="note" hidden></p>
<main id="main" data-pane="list">
  <section class="list-pane" aria-label="History">
    <div class="filters" role="search" aria-label="Narrow the list">
      <select id="only-file" aria-label="File"><option value="">All files</option></select>
      <select id="only-group" aria-label="Who"><option value="">Everybody</option></select>
      <input id="only-words" type="search" placeholder="Search reasons, paths, changes" aria-label="Search" autocomplete="off" spellcheck="false">
      <p class="found"><span id="count" role="status"></span><button type="button" id="show-all" class="link" hidden>Show all</button></p>
    </div>
${only('    <button type="button" id="new-count" class="link new-count" hidden></button>\n')}    <ol id="list" role="listbox" tabindex="0" aria-label="Edits, newest first"></ol>
${only('    <button type="button" id="older-entries" class="older" hidden>Show older entries</button>\n')}  </section>
  <section class="detail-pane" aria-label="Details">
    <div class="bar">
      <button type="button" id="to-list" class="narrow-only" aria-label="Back to the list">‹</button>
      <div id="tabs" role="tablist" aria-label="Views">
${only('        <button type="button" role="tab" id="tab-review" aria-controls="panel">Review</button>\n')}        <button type="button" role="tab" id="tab-overview" aria-controls="panel">Overview</button>
        <button type="button" role="tab" id="tab-changes" aria-controls="panel">Changes</button>
        <button type="button" role="tab" id="tab-replay" aria-controls="panel">Replay</button>
        <button type="button" role="tab" id="tab-blame" aria-controls="panel">Blame</button>
      </div>
      <span class="steps">
        <button type="button" id="newer" aria-label="Newer entry" title="Newer (k)">↑</button>
        <button type="button" id="older" aria-label="Older entry" title="Older (j)">↓</button>
      </span>
    </div>
    <div id="panel" role="tabpanel" tabindex="0">
      <div id="details"></div>
      <div id="player" role="group" aria-label="Replay" hidden>
        <select id="replayed-file" aria-label="Replayed file"></select>
        <div class="controls">
          <button type="button" id="play">Play</button>
          <button type="button" id="earlier" aria-label="Earlier edit of this file" title="Earlier (←)">‹</button>
          <div class="track-box">
            <input id="slider" type="range" min="0" max="1" step="1" value="0" aria-label="Edits of this file">
            <div id="beads" aria-hidden="true"></div>
          </div>
          <button type="button" id="later" aria-label="Later edit of this file" title="Later (→)">›</button>
          <span id="position"></span>
        </div>
      </div>
      <div id="body"></div>
    </div>
${only(LIVE_ACTS)}  </section>
</main>
<dialog id="help" aria-labelledby="help-title">
  <h2 id="help-title">Keys</h2>
  <dl id="keys"></dl>
  <p><label><input type="checkbox" id="single-keys"> keys of one letter do this</label></p>
  <p class="dim">A disc is an edit, a diamond a change from outside the engine, a ring one that was taken back. Colours are sessions.</p>
${only('  <button type="button" id="another-tab">Open another tab</button>\n', 'live')}  <button type="button" id="help-close">Close</button>
</dialog>
${only(LIVE_END)}`;
}

const LIVE_TOP = `  <ul id="workers" class="workers" aria-label="Working now" hidden></ul>
  <span id="unrecorded" class="badge unrecorded" hidden></span>
  <span id="live-state" class="live-state" role="status">Connecting</span>
`;

const LIVE_ACTS = `    <div class="foot">
    <section id="answer" class="answer" aria-label="Answer" hidden>
      <button type="button" id="answer-close" aria-label="Close the answer">×</button>
      <p id="answer-text" role="alert"></p>
      <div id="answer-more"></div>
    </section>
    <div id="acts" class="acts" role="toolbar" aria-label="Actions">
      <button type="button" id="act-accept">Accept <kbd>a</kbd></button>
      <button type="button" id="act-reject">Reject… <kbd>x</kbd></button>
      <button type="button" id="act-revert">Take out <kbd>u</kbd></button>
      <button type="button" id="act-restore">Restore…</button>
      <button type="button" id="act-undo">Undo newest</button>
      <button type="button" id="act-land">Land… <kbd>L</kbd></button>
      <button type="button" id="act-back">Take mine back <kbd>z</kbd></button>
    </div>
    </div>
`;

const LIVE_END = `<dialog id="ask" aria-labelledby="ask-title"></dialog>
<p id="announce" class="unseen" role="status" aria-live="polite"></p>
`;
