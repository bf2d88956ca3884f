/** What is not reviewed yet: hunks of the accepted text against the present one, each with the edits behind it. */

import type { VNode } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { ReviewHunk } from '../../../../workspace/review/listing.ts';
import type { App } from '../app.ts';
import type { Row } from '../contract.ts';
import { Code } from '../elements/code.tsx';
import { Lazy } from '../elements/lazy.tsx';
import { count, firstLine, number, plain } from '../elements/text.ts';
import { Path, visible } from '../elements/words.tsx';
import type { Actions } from '../live/actions.ts';
import type { OpenHunk } from '../live/review-queue.ts';
import { parse } from '../model/diff.ts';

/** CSS pixels of a line, and of what stands above the lines of a hunk. */
const LINE = 20;
const HEAD = 90;
/** CSS pixels of a hunk that have to be seen for it to be on the screen. */
const SEEN = 60;

export function Review({ app, actions }: { app: App; actions: Actions }): VNode {
  const { live } = actions;
  const { open, isListed } = live.review;
  const { chosen } = actions;
  useLayoutEffect(() => {
    actions.isInSight = isInSight;
    actions.reveal = reveal;
  }, [actions]);
  if (!isListed) return <p class="lead dim">Reading what is to review…</p>;
  const files = new Set(open.map(({ hunk }) => hunk.path)).size;
  return (
    <>
      <h2 class="lead">
        {open.length === 0
          ? 'Everything that agents wrote is reviewed.'
          : `${count(open.length, 'hunk')} of ${count(files, 'file')} to review`}
      </h2>
      {open.map((one, at) => (
        <Section key={one.key} {...{ app, actions, one, at }} isChosen={one.key === chosen?.key} />
      ))}
      {live.unclaimed && <Unclaimed actions={actions} unclaimed={live.unclaimed} />}
    </>
  );
}

function chosenPlace(): { hunk: DOMRect; panel: DOMRect; element: HTMLElement } | null {
  const element = document.querySelector<HTMLElement>('.review-hunk.chosen');
  const panel = document.getElementById('panel');
  if (!element || !panel) return null;
  return { hunk: element.getBoundingClientRect(), panel: panel.getBoundingClientRect(), element };
}

/** Tells whether the chosen hunk is on the screen: all of it, or as much as tells one from another. */
function isInSight(): boolean {
  const place = chosenPlace();
  if (!place) return false;
  const { hunk, panel } = place;
  const seen = Math.min(hunk.bottom, panel.bottom) - Math.max(hunk.top, panel.top);
  return seen >= Math.min(SEEN, hunk.height);
}

/** Scrolls as little as it takes for the chosen hunk to be seen, from its beginning. */
function reveal(): void {
  const place = chosenPlace();
  if (!place) return;
  const { hunk, panel, element } = place;
  if (hunk.top < panel.top || hunk.height > panel.height) element.scrollIntoView({ block: 'start' });
  else if (hunk.bottom > panel.bottom) element.scrollIntoView({ block: 'end' });
}

interface SectionProps {
  app: App;
  actions: Actions;
  one: OpenHunk;
  at: number;
  isChosen: boolean;
}

function Section({ app, actions, one: { key, hunk }, at, isChosen }: SectionProps): VNode {
  const { path, kind, lines, mixed, before, after } = hunk;
  return (
    <section
      class={`file review-hunk${isChosen ? ' chosen' : ''}`}
      aria-label={`${plain(path)}, line ${lines.start_line}`}
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => actions.choose(key)}
    >
      <h3>
        <span class="hunk-number badge">{number(at + 1)}</span>
        <Path path={path} />
        {kind === 'lines' && <span class="dim"> line {number(lines.start_line)} </span>}{' '}
        {kind !== 'lines' && <span class="badge">{visible(hunk.renamed ? renamedWords(hunk) : kind)}</span>}
        {mixed && <span class="badge">with text of a person</span>}
      </h3>
      <Lazy guess={HEAD + LINE * (before.lines.length + after.lines.length)} isHeld={isChosen}>
        {() => (
          <>
            <Edits app={app} hunk={hunk} />
            <HunkLines hunk={hunk} />
          </>
        )}
      </Lazy>
    </section>
  );
}

/** As git words it. */
function renamedWords({ kind, renamed }: ReviewHunk): string {
  return `renamed ${kind === 'create' ? 'from' : 'to'} ${renamed!.path}, similarity ${renamed!.similarity}%`;
}

/** The lines of a hunk; of a file that was renamed, those that changed in it. */
function HunkLines({ hunk }: { hunk: ReviewHunk }): VNode {
  const { path, lines, renamed } = hunk;
  const blocks = useMemo(
    () =>
      renamed
        ? parse(renamed.diff).map(({ newStart, rows }) => ({ line: newStart, rows }))
        : [{ line: lines.start_line, rows: rowsOf(hunk) }],
    [hunk],
  );
  return (
    <>
      {blocks.map(({ line, rows }) => (
        <Code label={`${path}, line ${line}`} rows={rows} />
      ))}
    </>
  );
}

function Edits({ app, hunk }: { app: App; hunk: ReviewHunk }): VNode {
  const { edits, rejected_before: overridden, accepted_by: others } = hunk;
  return (
    <>
      <ul class="relations">
        {edits.slice(0, 5).map(({ commit, subject, reason, agent, author, person }) => (
          <li>
            <strong>{visible(person ? author : (agent ?? author))}</strong>{' '}
            {commit === null ? (
              <span class="dim">not recorded yet</span>
            ) : (
              <button type="button" class="link" onClick={() => app.chooseCommit(commit)}>
                {visible(firstLine(reason || subject))}
              </button>
            )}
          </li>
        ))}
      </ul>
      {overridden.map(({ words }) => (
        <p class="overridden">{visible(words)}</p>
      ))}
      {others.length > 0 && <p class="dim">{visible(`accepted by ${others.join(', ')}`)}</p>}
    </>
  );
}

/** Text that nobody claims, in one line that opens. */
function Unclaimed({
  actions,
  unclaimed,
}: {
  actions: Actions;
  unclaimed: NonNullable<Actions['live']['unclaimed']>;
}): VNode {
  return (
    <details class="file unclaimed">
      <summary>{visible(unclaimed.words)}</summary>
      {!actions.readOnly && (
        <p>
          <button type="button" onClick={() => actions.claim()}>
            All of it is mine <kbd>c</kbd>
          </button>
        </p>
      )}
      {unclaimed.hunks.map(hunk => (
        <>
          <h3>
            <Path path={hunk.path} /> line {number(hunk.lines.start_line)}
          </h3>
          <Code label={`${hunk.path}, line ${hunk.lines.start_line}`} rows={rowsOf(hunk)} />
        </>
      ))}
    </details>
  );
}

function rowsOf({ before, after, context }: ReviewHunk): Row[] {
  const same = (texts: readonly string[], old: number, now: number): Row[] =>
    texts.map((text, at) => ({ sign: ' ', old: old + at, now: now + at, text: `${text}\n` }));
  const above = context.above.length;
  return [
    ...same(context.above, before.line - above, after.line - above),
    ...before.lines.map(
      (text, at): Row => ({ sign: '-', old: before.line + at, now: null, text: `${text}\n` }),
    ),
    ...after.lines.map(
      (text, at): Row => ({ sign: '+', old: null, now: after.line + at, text: `${text}\n` }),
    ),
    ...same(context.below, before.line + before.lines.length, after.line + after.lines.length),
  ];
}
