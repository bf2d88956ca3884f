/** The list of entries: a sign in the colour of who made it, a heading for each day; and what narrows it. */

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { ALL_ENTRIES } from '../app.ts';
import { Choice, FilterBar } from '../elements/filter-bar.tsx';
import { type Item, LongList } from '../elements/long-list.tsx';
import { count, firstLine, number, plain, shortPath, timeWords } from '../elements/text.ts';
import { Button, Path, Stat, Time, visible } from '../elements/words.tsx';
import { type Story, verbOf } from '../model/story.ts';
import { app, live } from '../parts.ts';

/** Up to so many entries are all in the page. */
const WHOLE = 500;

/** `at`: the place of an entry among those that are shown. */
interface ListItem extends Item {
  at?: number;
}

export function History(): VNode {
  const { boundary } = live.watching;
  return (
    <>
      <Filters />
      <Button
        id="new-count"
        class="link new-count"
        hidden={boundary === null}
        onClick={() => app.choose(app.story.entries[boundary! - 1]!.commit, 'history')}
        words={`${number(boundary ?? 0)} new since you last looked`}
      />
      <HistoryList boundary={boundary} />
      <Button
        id="older-entries"
        class="older"
        hidden={!app.story.timeline.more || live.net.kind === 'saved'}
        aria-disabled={live.isReadingOlder}
        onClick={() => void live.older()}
        words={live.isReadingOlder ? 'Reading older entries' : 'Show older entries'}
      />
    </>
  );
}

function Filters(): VNode {
  const { story, state, shown } = app;
  const { onlyFile, onlyGroup, words } = state;
  const all = count(story.entries.length, 'entry', 'entries');
  const groups = story.groups.map(({ key, name, session, count }) => {
    const whose = session !== null && name !== `session ${session}` ? `${name}, ${session}` : name;
    return [key, `${plain(whose)} (${number(count)})`] as const;
  });
  const files = story.files.map(
    ({ name, steps }) => [name, `${shortPath(name)} (${number(steps.length)})`] as const,
  );
  return (
    <FilterBar
      label="Narrow the list"
      searchLabel="Search"
      placeholder="Search reasons, paths, changes"
      words={words}
      search={words => app.narrow({ words })}
      found={
        <>
          <span id="count" role="status">
            {shown.length !== story.entries.length ? `${number(shown.length)} of ${all}` : all}
          </span>
          {story.timeline.more && <span id="newest">the newest; there are older ones</span>}
        </>
      }
      isNarrow={app.isNarrowed}
      showAll={() => app.narrow(ALL_ENTRIES)}
    >
      <Choice
        {...{ id: 'only-file', label: 'File', all: 'All files', options: files, chosen: onlyFile }}
        choose={onlyFile => app.narrow({ onlyFile })}
      />
      <Choice
        {...{ id: 'only-group', label: 'Who', all: 'Everybody', options: groups, chosen: onlyGroup }}
        choose={onlyGroup => app.narrow({ onlyGroup })}
      />
    </FilterBar>
  );
}

/** `boundary`: where the entries end that came since the reader last looked. */
function HistoryList({ boundary }: { boundary: number | null }): VNode {
  const { story, shown, index: chosen } = app;
  const items = useMemo(() => itemsOf(story, shown, boundary), [story, shown, boundary]);
  const related = new Set(chosen === null ? [] : story.relationsOf(chosen).map(({ entry }) => entry));
  const make = ({ key, kind, at }: ListItem): VNode => {
    if (at === undefined) return <Heading key={key} kind={kind} words={key} />;
    const index = shown[at]!;
    const [isChosen, isRelated] = [index === chosen, related.has(index)];
    return <Row key={key} {...{ story, index, at, kind, isChosen, isRelated }} of={shown.length} />;
  };
  return (
    <LongList
      items={items}
      make={make}
      held={app.state.chosen}
      aim={app.state.chosen}
      whole={WHOLE}
      frame={(rows, list) => (
        <ol
          id="list"
          ref={list as { current: HTMLOListElement | null }}
          role={shown.length > 0 ? 'listbox' : undefined}
          tabIndex={0}
          aria-label="Edits, newest first"
          aria-activedescendant={chosen !== null && shown.includes(chosen) ? `entry-${chosen}` : undefined}
        >
          {rows}
        </ol>
      )}
    />
  );
}

/** Lists the rows with a heading for each day, and a line where the reader looked last. */
function itemsOf(story: Story, shown: readonly number[], boundary: number | null): ListItem[] {
  if (shown.length === 0)
    return [{ key: story.entries.length === 0 ? NOTHING : NOTHING_FITS, kind: 'empty' }];
  const items: ListItem[] = [];
  let known = '';
  for (const [at, index] of shown.entries()) {
    const { commit, time } = story.entries[index]!;
    const today = timeWords(time, 'day');
    if (today !== known) items.push({ key: today, kind: 'day', isHeading: true });
    known = today;
    if (index === boundary) items.push({ key: '↑ since you last looked', kind: 'looked' });
    items.push({ key: commit, kind: whyOf(story, index) === '' ? 'short' : 'row', at });
  }
  return items;
}

const NOTHING = 'Nothing was edited yet.';
const NOTHING_FITS = 'No edit fits. Press Escape to show all.';

function Heading({ kind, words }: { kind: string; words: string }): VNode {
  return (
    <li class={kind} role={kind === 'empty' ? undefined : 'presentation'} data-kind={kind}>
      {words}
    </li>
  );
}

/** Returns the first line of the reason; of a commit that the engine did not make, its subject. */
function whyOf(story: Story, index: number): string {
  const { reason, op, subject } = story.entries[index]!;
  return firstLine(reason || (op === null ? subject : ''));
}

interface RowProps {
  story: Story;
  index: number;
  at: number;
  of: number;
  kind: string;
  isChosen: boolean;
  isRelated: boolean;
}

/** Draws a row again only where it is another than before. */
function Row(props: RowProps): VNode {
  return useMemo(() => <DrawnRow {...props} />, Object.values(props));
}

function DrawnRow({ story, index, at, of, kind, isChosen, isRelated }: RowProps): VNode {
  const { commit, files } = story.entries[index]!;
  const isBack = story.isBack(index);
  const marks = `${isBack ? ' undone' : ''}${kind === 'short' ? ' short' : ''}${isRelated ? ' related' : ''}`;
  return (
    <li
      id={`entry-${index}`}
      class={`row ${story.groupOf(index).tint}${marks}`}
      role="option"
      aria-selected={isChosen}
      // Of a long list not all rows are there to be counted.
      aria-posinset={at + 1}
      aria-setsize={of}
      data-commit={commit}
      data-kind={kind}
      onClick={() => app.choose(commit)}
    >
      <span
        class={`dot${story.isOutside(index) ? ' diamond' : ''}${isBack ? ' hollow' : ''}`}
        aria-hidden="true"
      />
      <What story={story} index={index} />
      {files.length > 0 && <Stat {...story.sumOf(index)} />}
      <span class="why">{visible(whyOf(story, index))}</span>
      <Who story={story} index={index} />
    </li>
  );
}

function What({ story, index }: { story: Story; index: number }): VNode {
  const { op, subject, files, other_files: others } = story.entries[index]!;
  const [file] = files;
  const more = files.length + others - 1;
  return (
    <span class="what" title={file && plain(file.path)}>
      {file ? <Path path={file.path} /> : <span class="path">{visible(subject)}</span>}
      {file && more > 0 && <span class="dim"> and {count(more, 'more file')}</span>}{' '}
      <span class="op">{verbOf(op)}</span>
    </span>
  );
}

function Who({ story, index }: { story: Story; index: number }): VNode {
  const { time, status } = story.entries[index]!;
  const landed = status.landed_in;
  return (
    <span class="who">
      {story.isBack(index) && <span class="badge">taken back</span>}
      {landed !== null && (
        <span class="badge landed" title={`on the branch, in ${landed.slice(0, 12)}`}>
          landed
        </span>
      )}
      <span class="name">{visible(story.groupOf(index).name)}</span> <Time time={time} as="clock" />
    </span>
  );
}
