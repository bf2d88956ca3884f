/** The left pane of a review: its files with what is left in each, and what the review is narrowed to. */

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { Choice, FilterBar } from '../elements/filter-bar.tsx';
import { number, plain } from '../elements/text.ts';
import { Button, visible } from '../elements/words.tsx';
import { live, reviewing } from '../parts.ts';

/** Where there are more files, their folders can be folded. */
const MANY = 12;

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
  const { review } = live;
  const counts = review.leftIn;
  const folders = new Map<string, string[]>();
  for (const path of counts.keys()) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const paths = folders.get(folder);
    if (paths) paths.push(path);
    else folders.set(folder, [path]);
  }
  return (
    <>
      {[...folders].map(([folder, paths]) => (
        <Folder key={folder} {...{ folder, paths, counts, chosen }} isTree={counts.size > MANY} />
      ))}
    </>
  );
}

interface FolderProps {
  folder: string;
  paths: readonly string[];
  counts: ReadonlyMap<string, number>;
  chosen: string;
  isTree: boolean;
}

function Folder({ folder, paths, counts, chosen, isTree }: FolderProps): VNode {
  const files = (
    <ul>
      {paths.map(path => {
        const name = path.slice(isTree ? folder.length : 0);
        return <File key={path} {...{ path, name }} left={counts.get(path)!} isChosen={path === chosen} />;
      })}
    </ul>
  );
  if (!isTree || folder === '') return files;
  const left = paths.reduce((all, path) => all + counts.get(path)!, 0);
  return (
    <details open>
      <summary>
        <span class="folder">{visible(folder)}</span> <span class="badge">{number(left)}</span>
      </summary>
      {files}
    </details>
  );
}

/** Draws a file, whose press shows its first hunk. */
function File(props: { path: string; name: string; left: number; isChosen: boolean }): VNode {
  const { path, name, left, isChosen } = props;
  const mark = live.review.isViewed(path) ? 'viewed' : number(left);
  return (
    <li>
      <Button
        class="review-file"
        aria-current={isChosen ? 'true' : undefined}
        title={plain(path)}
        onClick={() => reviewing.showFile(path)}
        words={[<span>{visible(name)}</span>, ' ', <span class="badge">{left > 0 ? mark : '✓'}</span>]}
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
        <span id="count" role="status">
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
        hide changes of white space
      </label>
    </FilterBar>
  );
}
