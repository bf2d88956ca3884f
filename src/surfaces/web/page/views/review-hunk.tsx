/** One hunk under review: its file first, who edited it and why, its lines, and what can be said to it. */

import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ReviewHunk } from '../../../../review/listing.ts';
import type { Row } from '../contract.ts';
import { Code } from '../elements/code.tsx';
import { Lazy } from '../elements/lazy.tsx';
import { firstLine, number, plain } from '../elements/text.ts';
import { Button, Path, visible } from '../elements/words.tsx';
import { type OpenHunk, whoOf } from '../live/review-queue.ts';
import type { Group } from '../live/reviewing.ts';
import { markWords, parse, rowsOf } from '../model/diff.ts';
import { actions, app, reviewing } from '../parts.ts';
import { EntryLink } from './details.tsx';

/** CSS pixels of a line, and of what stands above the lines of a hunk. */
const LINE = 20;
const HEAD = 90;
/** Lines of a hunk that are shown at once. */
const MOST_LINES = 200;

interface HunkProps {
  one: OpenHunk;
  at: number;
  /** With the history come the colours of the agents. */
  isRead: boolean;
  isChosen: boolean;
}

/** Draws a hunk again only where it is another than before: of hundreds few change when one is answered. */
export function ReviewHunkView(props: HunkProps): VNode {
  const { one, at, isRead, isChosen } = props;
  return useMemo(() => <DrawnHunk {...props} />, [one.hunk, at, isRead, isChosen && {}]);
}

function DrawnHunk({ one, at, isChosen }: HunkProps): VNode {
  const { path, lines, before, after } = one.hunk;
  return (
    <section
      class={`file review-hunk${isChosen ? ' chosen' : ''}`}
      aria-label={`Hunk ${at + 1}: ${plain(path)}, line ${lines.start_line}`}
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => reviewing.choose(one.key)}
    >
      <div class="hunk-head">
        <Heading hunk={one.hunk} at={at} />
        {!actions.readOnly && <HunkActs one={one} isChosen={isChosen} />}
      </div>
      <Lazy
        guess={HEAD + LINE * Math.min(MOST_LINES, before.lines.length + after.lines.length)}
        isHeld={isChosen}
      >
        {() => (
          <>
            <Edits hunk={one.hunk} />
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

/** Words a rename as git does. */
function renamedWords({ kind, renamed }: ReviewHunk): string {
  return `renamed ${kind === 'create' ? 'from' : 'to'} ${renamed!.path}, similarity ${renamed!.similarity}%`;
}

const GROUPS: ReadonlyArray<readonly [Group, string]> = [
  ['file', 'Accept the file'],
  ['session', 'Accept the session'],
  ['turn', 'Accept the turn'],
  ['above', 'Accept this and all above'],
];

/** Draws the buttons of a hunk, which are about that one; the keys are about the chosen one. */
function HunkActs({ one, isChosen }: Pick<HunkProps, 'one' | 'isChosen'>): VNode {
  const [accept, reject] = [() => reviewing.accept(one), () => reviewing.reject(one)];
  if (!isChosen)
    return (
      <div class="hunk-acts" onClick={event => event.stopPropagation()}>
        <Button class="accept" onClick={accept} words="Accept" />
        <Button class="reject" onClick={reject} words="Reject…" />
      </div>
    );
  const canEdit = one.hunk.kind === 'lines' && one.hunk.after.lines.length > 0;
  return (
    <div class="hunk-acts" onClick={event => event.stopPropagation()}>
      <Button id="act-accept" class="accept" onClick={accept} words="Accept" letter="a" />
      <Button id="act-reject" class="reject" onClick={reject} words="Reject…" letter="x" />
      <details class="further">
        <summary aria-label="More for this hunk">⋯</summary>
        <div>
          {GROUPS.map(([group, words]) => (
            <AcceptGroup {...{ one, group, words }} />
          ))}
          <Button onClick={() => reviewing.split(one)} words="Split" letter="s" />
          {canEdit && <Button onClick={() => reviewing.edit(one)} words="Edit…" letter="e" />}
        </div>
      </details>
    </div>
  );
}

/** Draws the button for a group of hunks, where the hunk is not alone in it. */
function AcceptGroup(props: { one: OpenHunk; group: Group; words: string }): VNode | null {
  const { one, group, words } = props;
  const { length } = reviewing.groupOf(one, group);
  if (length < 2) return null;
  return <Button onClick={() => reviewing.acceptAll(one, group)} words={`${words} (${number(length)})`} />;
}

/** Shows who edited it and why: the newest reason of each, and the others where they are asked for. */
function Edits({ hunk }: { hunk: ReviewHunk }): VNode {
  const { edits, accepted_by: others } = hunk;
  const byWho = new Map<string, typeof edits>();
  for (const edit of edits) byWho.set(whoOf(edit), [...(byWho.get(whoOf(edit)) ?? []), edit]);
  return (
    <>
      <ul class="relations">
        {[...byWho].map(([who, own]) => (
          <Reasons who={who} edits={own} />
        ))}
      </ul>
      {others.length > 0 && <p class="dim">{visible(`accepted by ${others.join(', ')}`)}</p>}
    </>
  );
}

function Reasons({ who, edits }: { who: string; edits: ReviewHunk['edits'] }): VNode {
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
            <EntryLink commit={commit} words={visible(firstLine(reason || subject))} />
          )}
        </>
      ))}
      {left > 0 && !isOpen && (
        <Button class="link more-reasons" onClick={() => open(true)} words={` and ${number(left)} more`} />
      )}
    </li>
  );
}

/** Draws the lines of a hunk; of a file that was renamed, those that changed in it. */
export function HunkLines({ hunk }: { hunk: ReviewHunk }): VNode {
  const { path, lines, renamed } = hunk;
  const blocks = useMemo(
    () =>
      renamed
        ? parse(renamed.diff).map(({ newStart, rows }) => ({ line: newStart, rows }))
        : [{ line: lines.start_line, rows: hunkRows(hunk) }],
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

function hunkRows({ before, after, context }: ReviewHunk): Row[] {
  const above = context.above.length;
  const ended = (texts: readonly string[]): string[] => texts.map(text => `${text}\n`);
  const rows = [
    ...rowsOf(' ', ended(context.above), before.line - above, after.line - above),
    ...rowsOf('-', ended(before.lines), before.line, null),
    ...rowsOf('+', ended(after.lines), null, after.line),
    ...rowsOf(' ', ended(context.below), before.line + before.lines.length, after.line + after.lines.length),
  ];
  markWords(rows);
  return rows;
}
