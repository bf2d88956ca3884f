/** The whole page. */

import type { VNode } from 'preact';
import type { App } from '../app.ts';
import { type Display, isOn, toggle } from '../choices.ts';
import type { Host } from '../connection/host.ts';
import type { Binding, ViewName } from '../contract.ts';
import { Choice, FilterBar } from '../elements/filter-bar.tsx';
import { count, number, plain, shortPath } from '../elements/text.ts';
import type { Actions } from '../live/actions.ts';
import type { Live } from '../live/live.ts';
import { Foot } from './acts.tsx';
import { Ask } from './ask.tsx';
import { Header } from './header.tsx';
import { Help } from './help.tsx';
import { HistoryList } from './history-list.tsx';
import { Panel } from './panel.tsx';
import { StepButton } from './player.tsx';
import { ReviewFiles } from './review-files.tsx';

export interface Page {
  app: App;
  actions: Actions | null;
  host: Host | null;
  bindings: readonly Binding[];
}

const VIEWS: readonly ViewName[] = ['overview', 'changes', 'replay', 'blame'];

export function Root({ app, actions, host, bindings }: Page): VNode {
  const live = actions?.live ?? null;
  const isReview = actions !== null && app.state.view === 'review';
  const notice = live?.notice || (isReview ? '' : noticeOf(app));
  return (
    <>
      <Header app={app} live={live} host={host} />
      <p id="notice" class="notice" role="note" hidden={notice === ''}>
        {notice}
      </p>
      <main id="main" data-pane={app.state.pane}>
        <section class="list-pane" aria-label={isReview ? 'Files' : 'History'}>
          {isReview ? <ReviewFiles actions={actions} /> : <History app={app} live={live} />}
        </section>
        <section class="detail-pane" aria-label="Details">
          <Bar app={app} views={live ? ['review', ...VIEWS] : VIEWS} />
          <Panel app={app} actions={actions} visit={app.visit} />
          {actions && <Foot app={app} actions={actions} />}
        </section>
      </main>
      <Help bindings={bindings} openTab={live?.net.openTab?.bind(live.net)} />
      {actions && <Ask actions={actions} />}
      {live && (
        <p id="announce" class="unseen" role="status" aria-live="polite">
          {live.watching.said}
        </p>
      )}
    </>
  );
}

function History({ app, live }: { app: App; live: Live | null }): VNode {
  return (
    <>
      <Filters app={app} />
      {live && <NewCount app={app} live={live} />}
      <HistoryList app={app} boundary={live?.watching.boundary ?? null} />
      {live && <Older app={app} live={live} />}
    </>
  );
}

/** Says how many texts of the history could not be put in. */
function noticeOf({ story }: App): string {
  const { left_out: leftOut } = story.timeline;
  const texts = count(leftOut, 'text was', 'texts were');
  return leftOut > 0 ? `${texts} too large and left out, mostly of older edits.` : '';
}

function NewCount({ app, live }: { app: App; live: Live }): VNode {
  const { boundary } = live.watching;
  return (
    <button
      type="button"
      id="new-count"
      class="link new-count"
      hidden={boundary === null}
      onClick={() => boundary !== null && app.choose(boundary - 1, 'changes')}
    >
      {number(boundary ?? 0)} new since you last looked
    </button>
  );
}

function Older({ app, live }: { app: App; live: Live }): VNode {
  return (
    <button
      type="button"
      id="older-entries"
      class="older"
      hidden={!app.story.timeline.more}
      aria-disabled={live.isReadingOlder}
      onClick={() => void live.older()}
    >
      {live.isReadingOlder ? 'Reading older entries' : 'Show older entries'}
    </button>
  );
}

function DisplayButton({ app, display, words }: { app: App; display: Display; words: string }): VNode {
  const change = (): void => {
    toggle(display);
    app.visit++;
    app.onChange();
  };
  return (
    <button
      type="button"
      id={`display-${display}`}
      class="display"
      aria-pressed={isOn(display)}
      onClick={change}
    >
      {words}
    </button>
  );
}

function Bar({ app, views }: { app: App; views: readonly ViewName[] }): VNode {
  const back = (): void => {
    app.showList();
    document.getElementById('list')?.focus();
  };
  return (
    <div class="bar">
      <button type="button" id="to-list" class="narrow-only" aria-label="Back to the list" onClick={back}>
        ‹
      </button>
      <Tabs app={app} views={views} />
      {['changes', 'review'].includes(app.state.view) && (
        <span class="displays">
          <DisplayButton app={app} display="wrap" words="Wrap" />
          <DisplayButton app={app} display="sides" words="Side by side" />
        </span>
      )}
      <span class="steps">
        <StepButton id="newer" label="Newer entry" title="Newer (k)" step={() => app.move(-1)}>
          ↑
        </StepButton>
        <StepButton id="older" label="Older entry" title="Older (j)" step={() => app.move(1)}>
          ↓
        </StepButton>
      </span>
    </div>
  );
}

const NAMES: Readonly<Record<ViewName, string>> = {
  review: 'Review',
  overview: 'Overview',
  changes: 'Changes',
  replay: 'Replay',
  blame: 'Blame',
};

/** The views as tabs (ARIA Authoring Practices, "Tabs"): arrow keys move between them. */
function Tabs({ app, views }: { app: App; views: readonly ViewName[] }): VNode {
  const { view } = app.state;
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const next = views[(views.indexOf(view) + step + views.length) % views.length]!;
    app.show(next);
    document.getElementById(`tab-${next}`)!.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div id="tabs" role="tablist" aria-label="Views" onKeyDown={onKey}>
      {views.map(one => (
        <button
          type="button"
          role="tab"
          id={`tab-${one}`}
          aria-controls="panel"
          aria-selected={one === view}
          tabIndex={one === view ? 0 : -1}
          onClick={() => app.show(one)}
        >
          {NAMES[one]}
        </button>
      ))}
    </div>
  );
}

function Filters({ app }: { app: App }): VNode {
  const { story, state, shown } = app;
  const { onlyFile, onlyGroup, words } = state;
  const all = count(story.entries.length, 'entry', 'entries');
  const groups = story.groups.map(({ name, session, entries }) => {
    const whose = session !== null && name !== `session ${session}` ? `${name}, ${session}` : name;
    return `${plain(whose)} (${number(entries.length)})`;
  });
  const files = story.files.map(({ name, steps }) => `${shortPath(name)} (${number(steps.length)})`);
  return (
    <FilterBar
      label="Narrow the list"
      searchLabel="Search"
      placeholder="Search reasons, paths, changes"
      words={words}
      search={words => app.narrow({ words })}
      found={
        <>
          <span id="count" role="status">
            {shown.length !== story.entries.length ? `${number(shown.length)} of ${all}` : all}
          </span>
          {story.timeline.more && <span id="newest">the newest; there are older ones</span>}
        </>
      }
      isNarrow={onlyFile !== null || onlyGroup !== null || words !== ''}
      showAll={() => app.narrow({ onlyFile: null, onlyGroup: null, words: '' })}
    >
      <Choice
        {...{ id: 'only-file', label: 'File', all: 'All files', options: files, chosen: onlyFile }}
        choose={onlyFile => app.narrow({ onlyFile })}
      />
      <Choice
        {...{ id: 'only-group', label: 'Who', all: 'Everybody', options: groups, chosen: onlyGroup }}
        choose={onlyGroup => app.narrow({ onlyGroup })}
      />
    </FilterBar>
  );
}
