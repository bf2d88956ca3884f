/** The left pane of a review: its files with what is left in each, and what the review is narrowed to. */

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { Choice, FilterBar } from '../elements/filter-bar.tsx';
import { count, number, plain } from '../elements/text.ts';
import { Button, Path } from '../elements/words.tsx';
import { live, reviewing } from '../parts.ts';

export function ReviewFiles(): VNode {
  const { open } = live.review;
  const chosen = reviewing.chosen?.file.path ?? '';
  const files = useMemo(() => <Files chosen={chosen} />, [live.review.items, chosen]);
  return (
    <>
      <ReviewFilters found={open.length} />
      <nav id="review-files" aria-label="Files to review">
        {files}
      </nav>
    </>
  );
}

/** `chosen`: the path of the file that is read. */
function Files({ chosen }: { chosen: string }): VNode {
  return (
    <ul>
      {[...live.review.leftIn].map(([path, left]) => (
        <File key={path} {...{ path, left }} isChosen={path === chosen} />
      ))}
    </ul>
  );
}

/** Draws a file, whose press shows its first hunk. */
function File({ path, left, isChosen }: { path: string; left: number; isChosen: boolean }): VNode {
  const mark = live.review.isViewed(path) ? 'viewed' : number(left);
  return (
    <li>
      <Button
        class="review-file"
        aria-current={isChosen ? 'true' : undefined}
        aria-label={`${plain(path)}, ${left > 0 ? count(left, 'hunk') : 'answered'}`}
        onClick={() => reviewing.showFile(path)}
        words={[<Path path={path} />, ' ', <span class="badge">{left > 0 ? mark : '✓'}</span>]}
      />
    </li>
  );
}

function ReviewFilters({ found }: { found: number }): VNode {
  const { review, watching } = live;
  const { filter, left, listed } = review;
  const options = listed.people.map(name => [name, plain(name)] as const);
  return (
    <FilterBar
      label="Narrow the review"
      searchLabel="Search the review"
      placeholder="Search paths, reasons, lines"
      words={filter.words}
      search={words => reviewing.narrow({ words })}
      found={
        <span id="count">
          {review.isNarrow ? `${number(found)} of ${number(left)} hunks` : `${number(left)} hunks`}
        </span>
      }
      isNarrow={review.isNarrow}
      showAll={() => reviewing.narrow(null)}
    >
      <Choice
        {...{ id: 'only-group', label: 'Who', all: 'Everybody', options }}
        chosen={filter.who}
        choose={who => reviewing.narrow({ who: who ?? '' })}
      />
      <label class="choice">
        <input
          type="checkbox"
          id="only-new"
          disabled={watching.looked === null && filter.since === ''}
          checked={filter.since !== ''}
          onChange={event =>
            reviewing.narrow({ since: event.currentTarget.checked ? (watching.looked ?? '') : '' })
          }
        />{' '}
        since I looked
      </label>
      <label class="choice">
        <input
          type="checkbox"
          id="no-space"
          checked={filter.space !== ''}
          onChange={event => reviewing.narrow({ space: event.currentTarget.checked ? 'hidden' : '' })}
        />{' '}
        hide hunks of white space
      </label>
    </FilterBar>
  );
}
