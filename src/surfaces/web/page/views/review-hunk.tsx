/** One hunk under review: who edited it and why, its lines, and what can be said to it. */

import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { ReviewHunk } from '../../../../review/listing.ts';
import { isPicture, type SeenHunk, whoOf } from '../../listing.ts';
import type { Row } from '../contract.ts';
import { Code } from '../elements/code.tsx';
import { firstLine, number, plain } from '../elements/text.ts';
import { useAnswer } from '../elements/use-answer.ts';
import { Button, paragraph, visible } from '../elements/words.tsx';
import type { Answered, ReviewItem, Verdict } from '../live/review-queue.ts';
import { canEdit, hasParts } from '../live/reviewing.ts';
import { markWords, parse, rowsOf } from '../model/diff.ts';
import { tintOf } from '../model/story.ts';
import { actions, live, reviewing } from '../parts.ts';
import { EntryLink } from './details.tsx';

/** Draws a hunk again only where it is another than before. */
export function ReviewHunkView({ item }: { item: ReviewItem }): VNode {
  const { review } = live;
  const hunk = review.hunk(item);
  const isChosen = item.key === reviewing.chosen?.key;
  const isChanged = review.isChanged(item);
  const lines = isChosen && reviewing.lines;
  return useMemo(
    () => <DrawnHunk {...{ item, hunk, isChosen, isChanged, lines }} />,
    [item.key, item.line, hunk, isChosen && {}, isChanged, lines],
  );
}

interface HunkProps {
  item: ReviewItem;
  /** `undefined` until it is read. */
  hunk: ReviewHunk | undefined;
  isChosen: boolean;
  isChanged: boolean;
}

function DrawnHunk({ item, hunk, isChosen, isChanged }: HunkProps): VNode {
  return (
    <div
      role="group"
      class={`review-hunk${isChosen ? ' chosen' : ''}`}
      tabIndex={-1}
      aria-label={`${plain(item.file.path)}, line ${item.line}`}
      aria-current={isChosen ? 'true' : undefined}
      aria-busy={hunk ? undefined : 'true'}
      onClick={() => reviewing.choose(item)}
    >
      <div class="hunk-head">
        {hunk ? <Heading hunk={hunk} line={item.line} /> : <span class="dim">line {number(item.line)}</span>}
        {isChanged && <Changed item={item} />}
        {hunk && !actions.readOnly && <HunkActs item={item} isChosen={isChosen} />}
      </div>
      {hunk ? <Edits hunk={hunk} /> : <p class="dim">Reading…</p>}
      {hunk && <HunkLines hunk={hunk} isChosen={isChosen} />}
      {hunk && hunk.comments.length > 0 && <Comments comments={hunk.comments} />}
    </div>
  );
}

/** Shows what was said of a hunk, and what agents replied. */
function Comments({ comments }: Pick<ReviewHunk, 'comments'>): VNode {
  return (
    <ul class="comments" aria-label="Comments">
      {comments.flatMap(comment =>
        [comment, ...comment.replies].map((one, at) => (
          <li class={at > 0 ? 'reply' : ''}>
            <strong class={at > 0 ? `name ${tintOf(one.author)}` : ''}>{visible(one.author)}</strong>{' '}
            {at === 0 && comment.lines && <span class="dim">line {number(comment.lines.start_line)} </span>}
            {paragraph(one.text)}
          </li>
        )),
      )}
    </ul>
  );
}

/** Says that the text became another one, until the reader goes on from it. */
function Changed({ item }: { item: ReviewItem }): VNode {
  useLayoutEffect(() => () => live.review.isRead(item), []);
  return <strong class="badge changed">changed while you read</strong>;
}

function Heading({ hunk, line }: { hunk: ReviewHunk; line: number }): VNode {
  const { kind, mixed } = hunk;
  return (
    <h4>
      {kind === 'lines' && <span>line {number(line)} </span>}
      {kind !== 'lines' && (
        <span class="badge">{visible(hunk.renamed ? renamedWords(hunk) : KINDS[kind])}</span>
      )}
      {mixed && <span class="badge">with text of a person</span>}
    </h4>
  );
}

const KINDS: Readonly<Record<ReviewHunk['kind'], string>> = {
  lines: 'lines',
  create: 'new file',
  delete: 'deleted file',
  mode: 'mode changed',
  binary: 'not text: its bytes changed',
};

const SAID: Readonly<Record<Verdict, string>> = {
  accept: 'accepted',
  reject: 'rejected',
  edit: 'edited and accepted',
  leave: 'left for later',
};

/** Draws the line of a hunk that was answered, from which that is taken back. */
export function AnsweredHunk({ answered }: { answered: Answered }): VNode {
  const { item, verdict, reason, done } = answered;
  const isLast = verdict === 'reject' || actions.accepted.at(-1) === done;
  const canUndo = verdict === 'leave' || (done !== null && isLast);
  return (
    <p class={`answered ${verdict}`}>
      <span>
        <strong>{SAID[verdict]}</strong> line {number(item.line)} {visible(firstLine(reason))}
      </span>
      {canUndo && (
        <Button
          class="link"
          aria-label={`Undo: ${SAID[verdict]}, ${plain(item.file.path)}, line ${item.line}`}
          onClick={() => reviewing.undo(answered)}
          words="Undo"
        />
      )}
    </p>
  );
}

/** Words a rename as git does. */
function renamedWords({ kind, renamed }: ReviewHunk): string {
  return `renamed ${kind === 'create' ? 'from' : 'to'} ${renamed!.path}, similarity ${renamed!.similarity}%`;
}

/** Draws the buttons of a hunk, which are about that one; the keys are about the chosen one. */
function HunkActs({ item, isChosen }: Pick<HunkProps, 'item' | 'isChosen'>): VNode {
  const key = (letter: string): string | false => isChosen && letter;
  const id = (name: string): string | undefined => (isChosen ? name : undefined);
  const part = isChosen && reviewing.lines ? ' the chosen lines' : '';
  return (
    <div class="hunk-acts" onClick={event => event.stopPropagation()}>
      <Button
        id={id('act-accept')}
        class="accept"
        onClick={() => reviewing.accept(item)}
        words={`Accept${part}`}
        letter={key('y')}
      />
      <Button
        id={id('act-reject')}
        class="reject"
        onClick={() => reviewing.reject(item)}
        words={`Reject${part}…`}
        letter={key('r')}
      />
      {isChosen && <Further item={item} />}
    </div>
  );
}

function Further({ item }: { item: ReviewItem }): VNode {
  const hunk = live.review.hunk(item)!;
  const groups = [
    ['Accept the file', reviewing.fileOf(item)],
    ['Accept this and all above', reviewing.above(item)],
  ] as const;
  return (
    <details class="further">
      <summary aria-label="More for this hunk">⋯</summary>
      <div>
        {groups.map(
          ([words, { length }], at) =>
            length > 1 && (
              <Button
                onClick={() => reviewing.acceptAll(item, () => groups[at]![1])}
                words={`${words} (${number(length)})`}
              />
            ),
        )}
        <Button onClick={() => reviewing.comment(item)} words="Comment…" letter="c" />
        <Button onClick={() => reviewing.split(item)} words="Split" letter="s" />
        {canEdit(hunk) && <Button onClick={() => reviewing.edit(item)} words="Edit…" letter="e" />}
      </div>
    </details>
  );
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
    <li class={tintOf(who)}>
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
export function HunkLines({ hunk, isChosen = false }: { hunk: ReviewHunk; isChosen?: boolean }): VNode {
  const { path, lines, renamed } = hunk;
  const [more, show] = useState(NO_MORE);
  const blocks = useMemo(
    () =>
      renamed
        ? parse(renamed.diff).map(({ newStart, rows }) => ({ line: newStart, rows }))
        : [{ line: lines.start_line, rows: hunkRows(withMore(hunk, more)) }],
    [hunk, more],
  );
  const choice = useMemo(
    () => (isChosen && hasParts(hunk as never) ? choiceIn(hunk) : undefined),
    [hunk, isChosen, reviewing.lines],
  );
  if (isPicture(hunk)) return <Pictures hunk={hunk as SeenHunk} />;
  return (
    <>
      {isChosen && hunk.kind === 'lines' && <Surroundings {...{ hunk, more, show }} />}
      {blocks.map(({ line, rows }) => (
        <Code label={`${path}, line ${line}`} {...{ rows, path }} {...(choice && { choice })} />
      ))}
    </>
  );
}

/** Shows a picture as it was accepted beside what it is. */
function Pictures({ hunk: { path, id, change } }: { hunk: SeenHunk }): VNode {
  const read = useAnswer(`${id} ${change}`, () => live.net.read('image', { path }));
  const sides = [
    ['before', read?.before],
    ['now', read?.after],
  ] as const;
  return (
    <div class="pictures">
      {sides.map(([side, url]) => (
        <figure>
          {typeof url === 'string' && <img src={url} alt={`${plain(path)}, ${side}`} />}
          <figcaption class="dim">{url === null ? `${side}: no file` : side}</figcaption>
        </figure>
      ))}
    </div>
  );
}

/** Lines around a hunk that were asked for, beside those that come with it. */
type More = ReviewHunk['context'];
const NO_MORE: More = { above: [], below: [] };
/** Lines that are shown more with each press. */
const STEP = 20;

function withMore(hunk: ReviewHunk, { above, below }: More): ReviewHunk {
  const { context } = hunk;
  return { ...hunk, context: { above: [...above, ...context.above], below: [...context.below, ...below] } };
}

/** Draws the buttons that show more of the file around a hunk. */
function Surroundings(props: { hunk: ReviewHunk; more: More; show(more: More): void }): VNode {
  const { hunk, more, show } = props;
  const { context, after } = withMore(hunk, more);
  const first = after.line - context.above.length;
  const next = after.line + after.lines.length + context.below.length;
  const read = async (from: number, to: number): Promise<string[]> => {
    const { ok, lines } = await live.net.read('lines', { path: hunk.path, from, to });
    return ok ? (lines as string[]) : [];
  };
  const above = async (): Promise<void> =>
    show({ ...more, above: [...(await read(Math.max(1, first - STEP), first - 1)), ...more.above] });
  const below = async (): Promise<void> =>
    show({ ...more, below: [...more.below, ...(await read(next, next + STEP - 1))] });
  return (
    <p class="surroundings">
      {first > 1 && <Button class="link" onClick={above} words={`↑ ${STEP} lines above`} />}
      <Button class="link" onClick={below} words={`↓ ${STEP} lines below`} />
    </p>
  );
}

/** Lets lines of a hunk be chosen by their numbers, with Shift up to another one. */
function choiceIn({ before, after }: ReviewHunk): NonNullable<Parameters<typeof Code>[0]['choice']> {
  const at = ({ sign, old, now }: Row): number =>
    sign === '+' ? now! - after.line : sign === '-' ? old! - before.line : -1;
  const { lines } = reviewing;
  return {
    isChosen: row => lines !== null && at(row) >= lines.from && at(row) <= lines.to,
    choose: (row, isMore) => at(row) >= 0 && reviewing.chooseLine(at(row), isMore),
  };
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
