/** The review: files, and in each the hunks of the accepted text against the present one, with the edits behind them. */

import type { VNode } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { LongList } from '../elements/long-list.tsx';
import { count, number, plain } from '../elements/text.ts';
import { Button, Path, Stat, visible } from '../elements/words.tsx';
import type { ReviewItem, ReviewQueue } from '../live/review-queue.ts';
import { actions, live, reviewing } from '../parts.ts';
import { AnsweredHunk, HunkLines, ReviewHunkView } from './review-hunk.tsx';

/** Kinds of items above the files, and below them. */
const ENDS = { lead: 'lead', end: 'end' } as const;

/** Draws the panel of a review, of which what is seen is there. */
export function Review(): VNode {
  const { review } = live;
  const { items } = review;
  const drawn = useMemo(() => withEnds(items), [items]);
  const make = (item: ReviewItem): VNode => {
    if (item.kind === ENDS.lead) return <Lead key={item.key} />;
    if (item.kind === ENDS.end) return <End key={item.key} />;
    if (item.kind === 'file') return <FileLine key={item.key} item={item} />;
    return (
      <div class="item" key={item.key} data-kind={item.kind} data-key={item.key}>
        {item.answered ? <AnsweredHunk answered={item.answered} /> : <ReviewHunkView item={item} />}
      </div>
    );
  };
  const ask = (first: number, end: number): void =>
    void live.need(review.missing(drawn.slice(Math.max(0, first - 6), end + 12)));
  useLayoutEffect(() => {
    Object.assign(reviewing, { sight, readOn, focus });
  }, []);
  return (
    <LongList
      items={drawn}
      make={make}
      held={reviewing.held}
      aim={reviewing.aim}
      whole={0}
      isRead
      room="div"
      drawn={ask}
      frame={(children, list) => (
        <div
          id="panel"
          class="review"
          ref={list as { current: HTMLDivElement | null }}
          role="tabpanel"
          tabIndex={0}
          aria-labelledby="tab-review"
          onScroll={watch}
        >
          <div id="body">{children}</div>
        </div>
      )}
    />
  );
}

function withEnds(items: readonly ReviewItem[]): ReviewItem[] {
  const end = (kind: string): ReviewItem => ({
    ...{ key: kind, kind, guess: 64, id: 0, change: 0, line: 0 },
    file: { path: '', added: 0, removed: 0, hunks: [] },
  });
  return [end(ENDS.lead), ...items, end(ENDS.end)];
}

function Lead(): VNode {
  const { review } = live;
  return (
    <div class="item" data-kind={ENDS.lead} data-key={ENDS.lead}>
      <h2 class="lead">{headline(review)}</h2>
      {review.isListed && <Progress />}
    </div>
  );
}

function headline(review: ReviewQueue): string {
  if (!review.isListed) return 'Reading what is to review…';
  if (review.left === 0) return 'Everything that agents wrote is reviewed.';
  if (review.isNarrow && review.open.length === 0) return 'No hunk fits.';
  const files = [...review.leftIn.values()].filter(left => left > 0).length;
  return `${count(review.isNarrow ? review.open.length : review.left, 'hunk')} of ${count(files, 'file')} to review`;
}

/** Says how much is done of what this page has seen to review: `12 of 232, 4 rejected`. */
function Progress(): VNode | null {
  const { review } = live;
  const rejected = review.count('reject');
  const done = review.count('accept') + review.count('edit') + rejected;
  if (done === 0) return null;
  const all = done + review.left;
  return (
    <p id="progress">
      <progress max={all} value={done} aria-label="Reviewed" /> {number(done)} of {number(all)}
      {rejected > 0 && `, ${number(rejected)} rejected`}
    </p>
  );
}

/** Draws what ends a review: the way to land it, and text that nobody claims. */
function End(): VNode {
  const { review } = live;
  const isDone = review.isListed && review.left === 0 && !actions.readOnly;
  return (
    <div class="item" data-kind={ENDS.end} data-key={ENDS.end}>
      {isDone && (
        <p class="summary">
          <Button class="main" onClick={() => actions.land()} words="Land what is accepted…" letter="L" />
        </p>
      )}
      {review.listed.unclaimed && <Unclaimed unclaimed={review.listed.unclaimed} />}
    </div>
  );
}

/** Shows text that nobody claims, in one line that opens. */
function Unclaimed({ unclaimed }: { unclaimed: NonNullable<ReviewQueue['listed']['unclaimed']> }): VNode {
  const { review } = live;
  const none = { file: { path: '', added: 0, removed: 0, hunks: [] }, key: '', kind: '', change: 0, line: 0 };
  const hunks = unclaimed.ids.flatMap(id => review.hunk({ ...none, id }) ?? []);
  return (
    <details class="file unclaimed" onToggle={() => void live.need(unclaimed.ids)}>
      <summary>{visible(unclaimed.words)}</summary>
      {!actions.readOnly && (
        <p>
          <Button onClick={() => reviewing.claim()} words="All of it is mine" letter="m" />
        </p>
      )}
      {hunks.map(hunk => (
        <>
          <h3>
            <Path path={hunk.path} /> line {number(hunk.lines.start_line)}
          </h3>
          <HunkLines hunk={hunk} />
        </>
      ))}
    </details>
  );
}

/** Draws the line of a file, which stays in sight above its hunks. */
function FileLine({ item }: { item: ReviewItem }): VNode {
  const { review } = live;
  const { file } = item;
  const isFolded = review.isFolded(file.path);
  const fold = (isViewed: boolean): void => {
    review.fold(file, isViewed);
    reviewing.reveal();
  };
  const left = review.leftIn.get(file.path) ?? 0;
  return (
    <div class="item file-line" data-kind="file" data-key={item.key}>
      <Button
        class="fold"
        aria-expanded={!isFolded}
        aria-label={`${isFolded ? 'Show' : 'Fold'} ${plain(file.path)}`}
        onClick={() => fold(false)}
        words={isFolded ? '▸' : '▾'}
      />
      <h3>
        <Path path={file.path} /> <Stat {...file} />
      </h3>
      {!isFolded && <span class="dim">{left > 0 ? count(left, 'hunk') : 'answered'}</span>}
      <label>
        <input
          type="checkbox"
          aria-label={`viewed: ${plain(file.path)}`}
          checked={review.isViewed(file.path)}
          onChange={() => fold(true)}
        />{' '}
        viewed
      </label>
    </div>
  );
}

/** The height down to which the chosen hunk was seen without a gap, in CSS pixels of its element. */
let seen = { key: '', change: -1, to: 0 };

interface Place {
  element: HTMLElement;
  key: string;
  /** Where what was changed begins and ends, and what can be seen of the panel, all from the top of the hunk. */
  from: number;
  to: number;
  top: number;
  bottom: number;
}

function chosenPlace(): Place | null {
  const panel = document.getElementById('panel');
  const element = panel?.querySelector<HTMLElement>('.review-hunk.chosen');
  if (!panel || !element) return null;
  const box = element.getBoundingClientRect();
  const rows = element.querySelectorAll('.plus-line, .minus-line, .code .more');
  const [first, last] = [rows[0] ?? element, rows[rows.length - 1] ?? element];
  const head = panel.querySelector('.file-line')?.clientHeight ?? 0;
  const sight = panel.getBoundingClientRect();
  const end = element.querySelector('.code .more')?.getBoundingClientRect().top ?? sight.bottom;
  return {
    element,
    key: `${reviewing.held}`,
    from: first.getBoundingClientRect().top - box.top,
    to: last.getBoundingClientRect().bottom - box.top,
    top: sight.top + head - box.top,
    bottom: Math.min(sight.top + panel.clientHeight, end) - box.top,
  };
}

/** Lines that are cut off by less than this can be read. */
const SLACK = 4;

/** Notes what is seen of the chosen hunk. Returns its place. */
function watch(): Place | null {
  const place = chosenPlace();
  if (!place) return null;
  const { key, from, to, top, bottom } = place;
  const change = live.review.at(key)?.change ?? -1;
  if (seen.key !== key || seen.change !== change) seen = { key, change, to: from };
  if (top <= seen.to + SLACK) seen.to = Math.max(seen.to, Math.min(bottom, to));
  return place;
}

function sight(): 'all' | 'some' | 'none' {
  const place = watch();
  if (!place) return 'none';
  const { from, to, top, bottom } = place;
  const isHere = Math.min(bottom, to) - Math.max(top, from) >= Math.min(ROW, to - from);
  if (!isHere) return 'none';
  const isWhole = from >= top - SLACK && to <= bottom + SLACK;
  return isWhole || (!fits(place) && seen.to >= to - SLACK) ? 'all' : 'some';
}

/** Tells whether a hunk can be seen at once, from its head to the last line that was changed. */
function fits({ to, top, bottom }: Place): boolean {
  return to + 3 * ROW <= bottom - top;
}

/** CSS pixels of a row. */
const ROW = 18;

/** Shows more of the chosen hunk: where it was read to, and what is not drawn yet. */
function readOn(): void {
  const place = chosenPlace();
  if (!place || sight() === 'none' || fits(place)) {
    reviewing.reveal();
    return;
  }
  const more = place.element.querySelector<HTMLElement>('.code .more');
  const panel = document.getElementById('panel')!;
  const isAtMore = more && more.getBoundingClientRect().top < panel.getBoundingClientRect().bottom;
  if (isAtMore) more.click();
  panel.scrollTop += seen.to - place.top - 2 * ROW;
  watch();
}

/** Moves the focus along: from a button of a hunk to the same one of the next, else to the hunk itself. */
function focus(): void {
  const active = document.activeElement as HTMLElement | null;
  const button = active?.closest('.hunk-acts') ? `.${active.className.split(' ')[0]}` : null;
  setTimeout(() => {
    // Where one pane is shown at a time, what was pressed may be in sight no more.
    const isElsewhere =
      active && active !== document.body && active.offsetParent && !active.closest('#panel');
    if (isElsewhere) return;
    const hunk = document.querySelector<HTMLElement>('.review-hunk.chosen');
    const to = (button && hunk?.querySelector<HTMLElement>(`.hunk-acts ${button}`)) || hunk;
    to?.focus({ preventScroll: true });
  });
}
