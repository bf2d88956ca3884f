/** The whole page. */

import type { VNode } from 'preact';
import { type Display, isOn, toggle } from '../choices.ts';
import type { Host } from '../connection/host.ts';
import type { ViewName } from '../contract.ts';
import { count, number, plain } from '../elements/text.ts';
import { Button, visible } from '../elements/words.tsx';
import { BINDINGS, hasSingleKeys, setSingleKeys, toggleHelp } from '../keys.ts';
import type { Worker } from '../live/watching.ts';
import { tintOf } from '../model/story.ts';
import { app, host, live, reviewing } from '../parts.ts';
import { Foot } from './acts.tsx';
import { Ask } from './ask.tsx';
import { History } from './history-list.tsx';
import { Panel } from './panel.tsx';
import { ReviewFiles } from './review-files.tsx';

export function Root(): VNode {
  const isReview = app.state.view === 'review';
  const notice = live.notice || (isReview ? '' : leftOutWords());
  return (
    <>
      <Header />
      <p id="notice" class="notice" role="note" hidden={notice === ''}>
        {notice}
      </p>
      <main id="main" data-pane={app.state.pane}>
        <section class="list-pane" aria-label={isReview ? 'Files' : 'History'}>
          {live.isIn && (isReview ? <ReviewFiles /> : <History />)}
        </section>
        <section class="detail-pane" aria-label="Details">
          <Bar />
          <Panel visit={app.visit} />
          {live.isIn && <Foot />}
        </section>
      </main>
      <Help />
      <Ask />
      <p id="announce" class="unseen" role="status" aria-live="polite">
        {live.watching.said}
      </p>
      <p id="announce-hunk" class="unseen" role="status" aria-live="polite">
        {isReview && reviewing.said}
      </p>
    </>
  );
}

/** Says how many texts of the history could not be put in. */
function leftOutWords(): string {
  const { left_out: leftOut } = app.story.timeline;
  const texts = count(leftOut, 'text was', 'texts were');
  return leftOut > 0 ? `${texts} too large and left out, mostly of older edits.` : '';
}

function DisplayButton({ display, words }: { display: Display; words: string }): VNode {
  const change = (): void => {
    toggle(display);
    app.visit++;
    app.onChange();
  };
  const [id, isPressed] = [`display-${display}`, isOn(display)];
  return <Button id={id} class="display" aria-pressed={isPressed} onClick={change} words={words} />;
}

function Bar(): VNode {
  const back = (): void => {
    app.showList();
    document.getElementById('list')?.focus();
  };
  const [up, down] =
    app.state.view === 'review' ? ['Previous hunk', 'Next hunk'] : ['Newer entry', 'Older entry'];
  return (
    <div class="bar">
      <Button id="to-list" class="narrow-only" aria-label="Back to the list" onClick={back} words="‹" />
      <Tabs />
      {app.state.view !== 'file' && (
        <span class="displays">
          <DisplayButton display="wrap" words="Wrap" />
          <DisplayButton display="sides" words="Side by side" />
        </span>
      )}
      <span class="steps">
        <Button id="newer" aria-label={up} title="Key k" onClick={() => app.move(-1)} words="↑" />
        <Button id="older" aria-label={down} title="Key j" onClick={() => app.move(1)} words="↓" />
      </span>
    </div>
  );
}

const NAMES: Readonly<Record<ViewName, string>> = {
  review: 'Review',
  history: 'History',
  file: 'File',
};

const VIEWS = Object.keys(NAMES) as ViewName[];

/** Draws the views as tabs (ARIA Authoring Practices, "Tabs"): arrow keys move between them. */
function Tabs(): VNode {
  const { view } = app.state;
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const next = VIEWS[(VIEWS.indexOf(view) + step + VIEWS.length) % VIEWS.length]!;
    app.show(next);
    document.getElementById(`tab-${next}`)!.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div id="tabs" role="tablist" aria-label="Views" onKeyDown={onKey}>
      {VIEWS.map(one => (
        <Button
          role="tab"
          id={`tab-${one}`}
          aria-controls="panel"
          aria-selected={one === view}
          tabIndex={one === view ? 0 : -1}
          onClick={() => app.show(one)}
          words={[NAMES[one], one === 'review' && live.review.left > 0 && ` ${number(live.review.left)}`]}
          title={`Key ${VIEWS.indexOf(one) + 1}`}
        />
      ))}
    </div>
  );
}

/** The window that tells the keys and signs. */
function Help(): VNode {
  return (
    <dialog id="help" aria-labelledby="help-title">
      <h2 id="help-title" tabIndex={-1}>
        Keys
      </h2>
      <dl id="keys">
        {BINDINGS.map(({ shown, does }) => (
          <>
            <dt>
              {shown.split(' ').map(key => (
                <kbd>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
      <p>
        <label>
          <input
            type="checkbox"
            id="single-keys"
            defaultChecked={hasSingleKeys()}
            onChange={event => setSingleKeys(event.currentTarget.checked)}
          />{' '}
          keys of one letter do this
        </label>
      </p>
      <p class="dim">
        A disc is an edit, a diamond a change that did not come through vedit, a ring one that was taken back.
        Colours are sessions.
      </p>
      {live.net.openTab && (
        <Button id="another-tab" onClick={() => void live.net.openTab?.()} words="Open another tab" />
      )}
      <Button id="help-close" onClick={toggleHelp} words="Close" />
    </dialog>
  );
}

function Header(): VNode {
  const { name, trail } = app;
  return (
    <header class="top">
      <h1>
        <span class="mark" aria-hidden="true" />
        <span id="name">{visible(name)}</span> <small id="trail">{visible(trail)}</small>
      </h1>
      <LiveState />
      {host && <FullScreen host={host} />}
      <Button
        id="help-button"
        class="icon"
        aria-label="Help: keys"
        aria-haspopup="dialog"
        onClick={toggleHelp}
        words="?"
      />
    </header>
  );
}

/** Agents at work that the header has room for; the others are a number. */
const MOST_WORKERS = 3;

function LiveState(): VNode {
  const { connection, outside, watching } = live;
  const { workers } = watching;
  const names = outside.map(({ path, kind }) => `${plain(path)} (${kind})`).join('\n');
  const others = workers.slice(MOST_WORKERS);
  const words = ({ name, what }: Worker): string => plain(`${name}: ${what}`);
  return (
    <>
      <ul id="workers" class="workers" aria-label="Working now" hidden={workers.length === 0}>
        {workers.slice(0, MOST_WORKERS).map(worker => (
          <li class={`worker ${tintOf(worker.name)}`} title={words(worker)}>
            <span class="swatch" />
            <strong>{visible(worker.name)}</strong>
            <span class="dim what"> {visible(worker.what)}</span>
          </li>
        ))}
        {others.length > 0 && (
          <li class="worker more-workers" title={others.map(words).join('\n')}>
            +{others.length}
          </li>
        )}
      </ul>
      <span id="unrecorded" class="badge unrecorded" hidden={outside.length === 0} title={names}>
        {count(outside.length, 'file differs', 'files differ')}, not recorded yet
      </span>
      <span id="live-state" class={`live-state ${connection.kind}`} role="status">
        {connection.words}
      </span>
    </>
  );
}

function FullScreen({ host }: { host: Host }): VNode {
  const { displayMode, availableDisplayModes = [] } = host.context;
  return (
    <Button
      id="full-screen"
      hidden={!availableDisplayModes.includes('fullscreen')}
      onClick={() => void host.toggleFullScreen().catch(() => {})}
      words={displayMode === 'fullscreen' ? 'Smaller' : 'Full screen'}
    />
  );
}
