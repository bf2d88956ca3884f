/** One hunk under review: who edited it and why, its lines, and what can be said to it. */

import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { ReviewHunk } from '../../../../review/listing.ts';
import { placeWords } from '../../../../review/place-words.ts';
import { isPicture, type SeenHunk, whoOf } from '../../listing.ts';
import type { Row } from '../contract.ts';
import { Code } from '../elements/code.tsx';
import { count, firstLine, number, plain } from '../elements/text.ts';
import { useAnswer } from '../elements/use-answer.ts';
import { Button, paragraph, visible } from '../elements/words.tsx';
import { type Answered, type ReviewItem, SAID } from '../live/review-queue.ts';
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
      aria-label={`${plain(item.file.path)}, ${live.review.placeOf(item)}`}
      aria-current={isChosen ? 'true' : undefined}
      aria-busy={hunk ? undefined : 'true'}
      onClick={() => reviewing.choose(item)}
    >
      <div class="hunk-head">
        {hunk ? <Heading {...{ item, hunk }} /> : <span class="dim">line {number(item.line)}</span>}
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
            {at === 0 && comment.lines && (
              <span class="dim">{placeWords({ kind: 'lines', lines: comment.lines })} </span>
            )}
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

function Heading({ item, hunk: { kind, mixed } }: { item: ReviewItem; hunk: ReviewHunk }): VNode {
  const place = live.review.placeOf(item);
  return (
    <h4>
      {kind === 'lines' ? `${place} ` : <span class="badge">{place}</span>}
      {mixed && <span class="badge">with text of a person</span>}
    </h4>
  );
}

/** Draws the line of a hunk that was answered, from which that is taken back. */
export function AnsweredHunk({ answered }: { answered: Answered }): VNode {
  const { item, verdict, reason, place, done } = answered;
  const isLast = verdict === 'reject' || actions.accepted.at(-1) === done;
  const canUndo = verdict === 'leave' || (done !== null && isLast);
  return (
    <p class={`answered ${verdict}`}>
      <span>
        <strong>{SAID[verdict]}</strong> {place}
        {reason !== '' && [': ', visible(firstLine(reason))]}
      </span>
      {canUndo && (
        <Button
          class="link"
          aria-label={`Undo: ${SAID[verdict]}, ${plain(item.file.path)}, ${place}`}
          onClick={() => reviewing.undo(answered)}
          words="Undo"
        />
      )}
    </p>
  );
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
  const { length } = reviewing.above(item);
  return (
    <details class="further">
      <summary aria-label="More for this hunk">⋯</summary>
      <div>
        <Button onClick={() => reviewing.acceptRest(item)} words="Accept the rest of the file" letter="a" />
        {length > 1 && (
          <Button
            onClick={() => reviewing.acceptAll(item, one => reviewing.above(one))}
            words={`Accept this and all above (${number(length)})`}
          />
        )}
        <Button onClick={() => reviewing.comment(item)} words="Comment…" letter="c" />
        <Button onClick={() => reviewing.split(item)} words="Split" letter="s" />
        {canEdit(live.review.hunk(item)!) && (
          <Button onClick={() => reviewing.edit(item)} words="Edit…" letter="e" />
        )}
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
        <Code label={`Lines from ${line} on`} {...{ rows, path }} {...(choice && { choice })} />
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
  const [end, setEnd] = useState(Number.POSITIVE_INFINITY);
  const read = async (from: number, to: number): Promise<string[]> => {
    const { ok, lines, total } = await live.net.read('lines', { path: hunk.path, from, to });
    setEnd(ok ? (total as number) : from - 1);
    return ok ? (lines as string[]) : [];
  };
  const left = Math.min(STEP, first - 1);
  const above = async (): Promise<void> =>
    show({ ...more, above: [...(await read(first - left, first - 1)), ...more.above] });
  const below = async (): Promise<void> =>
    show({ ...more, below: [...more.below, ...(await read(next, next + STEP - 1))] });
  return (
    <p class="surroundings">
      {left > 0 && <Button class="link" onClick={above} words={`↑ ${count(left, 'line')} above`} />}
      {next <= end && <Button class="link" onClick={below} words="↓ lines below" />}
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
