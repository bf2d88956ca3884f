/** The left pane of a review: its files with what is left in each, and what the review is narrowed to. */

import type { VNode } from 'preact';
import { Choice, FilterBar } from '../elements/filter-bar.tsx';
import { number, plain } from '../elements/text.ts';
import { Button, visible } from '../elements/words.tsx';
import { whoOf } from '../live/review-queue.ts';
import { live, reviewing } from '../parts.ts';

/** Where there are more files, their folders can be folded. */
const MANY = 12;

export function ReviewFiles(): VNode {
  const { review } = live;
  const { filter } = review;
  const shown = review.all.filter(({ hunk }) => review.fits(hunk, { ...filter, path: '' }));
  const counts = new Map<string, number>();
  for (const { hunk } of shown) counts.set(hunk.path, (counts.get(hunk.path) ?? 0) + 1);
  const folders = new Map<string, string[]>();
  for (const path of counts.keys()) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  return (
    <>
      <ReviewFilters found={shown.length} />
      <nav id="review-files" aria-label="Files to review">
        {[...folders].map(([folder, paths]) => (
          <Folder key={folder} {...{ folder, paths, counts }} isTree={counts.size > MANY} />
        ))}
      </nav>
    </>
  );
}

interface FolderProps {
  folder: string;
  paths: readonly string[];
  counts: ReadonlyMap<string, number>;
  isTree: boolean;
}

function Folder({ folder, paths, counts, isTree }: FolderProps): VNode {
  const files = (
    <ul>
      {paths.map(path => (
        <File key={path} path={path} name={path.slice(isTree ? folder.length : 0)} left={counts.get(path)!} />
      ))}
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
function File({ path, name, left }: { path: string; name: string; left: number }): VNode {
  return (
    <li>
      <Button
        class="review-file"
        aria-current={reviewing.chosen?.hunk.path === path ? 'true' : undefined}
        title={plain(path)}
        onClick={() => reviewing.showFile(path)}
        words={[<span>{visible(name)}</span>, ' ', <span class="badge">{number(left)}</span>]}
      />
    </li>
  );
}

function ReviewFilters({ found }: { found: number }): VNode {
  const { review, watching } = live;
  const { filter, all } = review;
  const { boundary } = watching;
  const people = [...new Set(all.flatMap(({ hunk }) => hunk.edits.map(whoOf)))].sort();
  const options = people.map(name => [name, plain(name)] as const);
  const isNarrow = filter.who !== '' || filter.words !== '' || filter.fresh !== null;
  return (
    <FilterBar
      label="Narrow the review"
      searchLabel="Search the review"
      placeholder="Search paths, reasons, lines"
      words={filter.words}
      search={words => reviewing.narrow({ words })}
      found={
        <span id="count" role="status">
          {isNarrow ? `${number(found)} of ${number(all.length)} hunks` : `${number(all.length)} hunks`}
        </span>
      }
      isNarrow={isNarrow}
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
          disabled={boundary === null && filter.fresh === null}
          checked={filter.fresh !== null}
          onChange={event => reviewing.narrow({ fresh: event.currentTarget.checked ? watching.fresh : null })}
        />{' '}
        since I looked
      </label>
    </FilterBar>
  );
}
