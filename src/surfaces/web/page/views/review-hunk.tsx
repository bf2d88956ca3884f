/** One hunk under review: its file first, who edited it and why, its lines, and what can be said to it. */

import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ReviewHunk } from '../../../../review/listing.ts';
import type { App } from '../app.ts';
import type { Row } from '../contract.ts';
import { Code } from '../elements/code.tsx';
import { Lazy } from '../elements/lazy.tsx';
import { firstLine, number, plain } from '../elements/text.ts';
import { Path, visible } from '../elements/words.tsx';
import type { Actions, Group } from '../live/actions.ts';
import { type OpenHunk, whoOf } from '../live/review-queue.ts';
import { markWords, parse } from '../model/diff.ts';

/** CSS pixels of a line, and of what stands above the lines of a hunk. */
const LINE = 20;
const HEAD = 90;
/** Lines of a hunk that are shown at once. */
const MOST_LINES = 200;

interface HunkProps {
  app: App;
  actions: Actions;
  one: OpenHunk;
  at: number;
  /** With the history come the colours of the agents. */
  isRead: boolean;
  isChosen: boolean;
}

/** One that is as it was is not drawn again: of hundreds few change when one is answered. */
export function ReviewHunkView(props: HunkProps): VNode {
  const { one, at, isRead, isChosen } = props;
  return useMemo(() => <DrawnHunk {...props} />, [one.hunk, at, isRead, isChosen && {}]);
}

function DrawnHunk({ app, actions, one, at, isChosen }: HunkProps): VNode {
  const { path, lines, before, after } = one.hunk;
  return (
    <section
      class={`file review-hunk${isChosen ? ' chosen' : ''}`}
      aria-label={`Hunk ${at + 1}: ${plain(path)}, line ${lines.start_line}`}
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => actions.choose(one.key)}
    >
      <div class="hunk-head">
        <Heading hunk={one.hunk} at={at} />
        {!actions.readOnly && <HunkActs {...{ actions, one, isChosen }} />}
      </div>
      <Lazy
        guess={HEAD + LINE * Math.min(MOST_LINES, before.lines.length + after.lines.length)}
        isHeld={isChosen}
      >
        {() => (
          <>
            <Edits app={app} hunk={one.hunk} />
            <HunkLines hunk={one.hunk} />
          </>
        )}
      </Lazy>
    </section>
  );
}

function Heading({ hunk, at }: { hunk: ReviewHunk; at: number }): VNode {
  const { path, kind, lines, mixed } = hunk;
  return (
    <h3>
      <span class="hunk-number badge">{number(at + 1)}</span>
      <Path path={path} />
      {kind === 'lines' && <span class="dim"> line {number(lines.start_line)} </span>}{' '}
      {kind !== 'lines' && <span class="badge">{visible(hunk.renamed ? renamedWords(hunk) : kind)}</span>}
      {mixed && <span class="badge">with text of a person</span>}
    </h3>
  );
}

/** As git words it. */
function renamedWords({ kind, renamed }: ReviewHunk): string {
  return `renamed ${kind === 'create' ? 'from' : 'to'} ${renamed!.path}, similarity ${renamed!.similarity}%`;
}

const GROUPS: ReadonlyArray<readonly [Group, string]> = [
  ['file', 'Accept the file'],
  ['session', 'Accept the session'],
  ['turn', 'Accept the turn'],
  ['above', 'Accept this and all above'],
];

/** A press on a button is about its own hunk; the keys are about the chosen one. */
function HunkActs({ actions, one, isChosen }: Pick<HunkProps, 'actions' | 'one' | 'isChosen'>): VNode {
  const id = (name: string): string | undefined => (isChosen ? name : undefined);
  const groups = isChosen ? GROUPS.filter(([group]) => actions.groupOf(one, group).length > 1) : [];
  return (
    <div class="hunk-acts" onClick={event => event.stopPropagation()}>
      <button type="button" class="accept" id={id('act-accept')} onClick={() => actions.accept(one)}>
        Accept {isChosen && <kbd>a</kbd>}
      </button>
      <button type="button" class="reject" id={id('act-reject')} onClick={() => actions.reject(one)}>
        Reject… {isChosen && <kbd>x</kbd>}
      </button>
      {isChosen && (
        <details class="further">
          <summary aria-label="More for this hunk">⋯</summary>
          <div>
            {groups.map(([group, words]) => (
              <button type="button" onClick={() => actions.acceptAll(one, group)}>
                {words} ({number(actions.groupOf(one, group).length)})
              </button>
            ))}
            <button type="button" onClick={() => actions.split(one)}>
              Split <kbd>s</kbd>
            </button>
            {one.hunk.kind === 'lines' && one.hunk.after.lines.length > 0 && (
              <button type="button" onClick={() => actions.edit(one)}>
                Edit… <kbd>e</kbd>
              </button>
            )}
          </div>
        </details>
      )}
    </div>
  );
}

/** Shows who edited it and why: the newest reason of each, and the others where they are asked for. */
function Edits({ app, hunk }: { app: App; hunk: ReviewHunk }): VNode {
  const { edits, rejected_before: overridden, accepted_by: others } = hunk;
  const byWho = new Map<string, typeof edits>();
  for (const edit of edits) byWho.set(whoOf(edit), [...(byWho.get(whoOf(edit)) ?? []), edit]);
  return (
    <>
      <ul class="relations">
        {[...byWho].map(([who, own]) => (
          <Reasons {...{ app, who }} edits={own} />
        ))}
      </ul>
      {overridden.map(({ words }) => (
        <p class="overridden">{visible(words)}</p>
      ))}
      {others.length > 0 && <p class="dim">{visible(`accepted by ${others.join(', ')}`)}</p>}
    </>
  );
}

function Reasons({ app, who, edits }: { app: App; who: string; edits: ReviewHunk['edits'] }): VNode {
  const [isOpen, open] = useState(false);
  const left = edits.length - 1;
  return (
    <li class={app.story.tintOf(who)}>
      <span class="swatch" />
      <strong class="name">{visible(who)}</strong>{' '}
      {(isOpen ? edits : edits.slice(0, 1)).map(({ commit, reason, subject }, at) => (
        <>
          {at > 0 && ' · '}
          {commit === null ? (
            <span class="dim">not recorded yet</span>
          ) : (
            <button type="button" class="link" onClick={() => app.chooseCommit(commit)}>
              {visible(firstLine(reason || subject))}
            </button>
          )}
        </>
      ))}
      {left > 0 && !isOpen && (
        <button type="button" class="link more-reasons" onClick={() => open(true)}>
          {' '}
          and {number(left)} more
        </button>
      )}
    </li>
  );
}

/** The lines of a hunk; of a file that was renamed, those that changed in it. */
export function HunkLines({ hunk }: { hunk: ReviewHunk }): VNode {
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
        <Code label={`${path}, line ${line}`} rows={rows} most={MOST_LINES} path={path} />
      ))}
    </>
  );
}

function rowsOf({ before, after, context }: ReviewHunk): Row[] {
  const same = (texts: readonly string[], old: number, now: number): Row[] =>
    texts.map((text, at) => ({ sign: ' ', old: old + at, now: now + at, text: `${text}\n` }));
  const above = context.above.length;
  const rows = [
    ...same(context.above, before.line - above, after.line - above),
    ...before.lines.map(
      (text, at): Row => ({ sign: '-', old: before.line + at, now: null, text: `${text}\n` }),
    ),
    ...after.lines.map(
      (text, at): Row => ({ sign: '+', old: null, now: after.line + at, text: `${text}\n` }),
    ),
    ...same(context.below, before.line + before.lines.length, after.line + after.lines.length),
  ];
  markWords(rows);
  return rows;
}
