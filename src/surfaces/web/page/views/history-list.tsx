/** The list of entries: a lane for each session, a sign for each kind of entry, a heading for each day. */

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Group } from '../contract.ts';
import { count, firstLine, plain, timeWords } from '../elements/text.ts';
import { type Item, VirtualList } from '../elements/virtual-list.tsx';
import { Path, Stat, Time, visible } from '../elements/words.tsx';
import type { Kind, Story } from '../model/story.ts';
import { verbOf } from '../model/verbs.ts';
import { app } from '../parts.ts';

/** Columns at most; beyond, lines share the last one. */
const MOST_COLUMNS = 8;

/** Up to so many entries are all in the page. */
const WHOLE = 500;

/** The line of a group in the list as it is drawn: from which to which row it goes, and in which column. */
interface Track {
  group: Group;
  first: number;
  last: number;
  column: number;
}

/** `at`: the place of an entry among those that are shown. */
interface ListItem extends Item {
  at?: number;
}

/** `boundary`: where the entries end that came since the reader last looked. */
export function HistoryList({ boundary }: { boundary: number | null }): VNode {
  const { story, shown, index: chosen } = app;
  const tracks = useMemo(() => tracksOf(story, shown), [story, shown]);
  const items = useMemo(() => itemsOf(story, shown, boundary), [story, shown, boundary]);
  const related = new Set(chosen === null ? [] : story.relationsOf(chosen).map(({ entry }) => entry));
  const make = ({ key, kind, at }: ListItem): VNode => {
    if (at === undefined) return <Heading key={key} kind={kind} words={key} />;
    const index = shown[at]!;
    const [isChosen, isRelated] = [index === chosen, related.has(index)];
    return <Row key={key} {...{ story, index, at, kind, tracks, isChosen, isRelated }} of={shown.length} />;
  };
  const columns = 1 + Math.max(0, ...tracks.map(({ column }) => column));
  return (
    <VirtualList
      items={items}
      make={make}
      held={app.state.chosen}
      whole={WHOLE}
      frame={(rows, list) => (
        <ol
          id="list"
          ref={list as { current: HTMLOListElement | null }}
          role={shown.length > 0 ? 'listbox' : undefined}
          tabIndex={0}
          aria-label="Edits, newest first"
          aria-activedescendant={chosen !== null && shown.includes(chosen) ? `entry-${chosen}` : undefined}
          style={{ '--columns': columns }}
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

/** Puts the line of each group into the first column that is free from its first row on. */
function tracksOf(story: Story, shown: readonly number[]): Track[] {
  const tracks = new Map<Group, Track>();
  for (const [at, index] of shown.entries()) {
    const group = story.groupOf(index);
    const known = tracks.get(group);
    if (known) known.last = at;
    else tracks.set(group, { group, first: at, last: at, column: 0 });
  }
  const ends: number[] = [];
  for (const track of tracks.values()) {
    const free = ends.findIndex(last => last < track.first);
    track.column = free >= 0 ? free : Math.min(ends.length, MOST_COLUMNS - 1);
    ends[track.column] = Math.max(track.last, ends[track.column] ?? 0);
  }
  return [...tracks.values()];
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
  tracks: readonly Track[];
  isChosen: boolean;
  isRelated: boolean;
}

/** Draws a row again only where it is another than before. */
function Row(props: RowProps): VNode {
  return useMemo(() => <DrawnRow {...props} />, Object.values(props));
}

function DrawnRow({ story, index, at, of, kind, tracks, isChosen, isRelated }: RowProps): VNode {
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
      <Lanes {...{ story, index, at, tracks }} />
      <What story={story} index={index} />
      {files.length > 0 && <Stat {...story.sum([index])} />}
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

type LanesProps = Pick<RowProps, 'story' | 'index' | 'at' | 'tracks'>;

function Lanes({ story, index, at, tracks }: LanesProps): VNode {
  const passing = tracks.filter(({ first, last }) => first <= at && at <= last && first < last);
  const { column } = tracks.find(({ group }) => group === story.groupOf(index))!;
  return (
    <span class="lanes" aria-hidden="true">
      {passing.map(track => {
        const ends = `${at === track.first ? ' first' : ''}${at === track.last ? ' last' : ''}`;
        return <span class={`track ${track.group.tint}${ends}`} style={{ '--column': track.column }} />;
      })}
      <Dot kind={story.kindOf(index)} isBack={story.isBack(index)} column={column} />
    </span>
  );
}

/** Paths that are drawn into the dot, in a box of 16 by 16. */
const SIGNS: Readonly<Record<Kind, string>> = {
  edit: '',
  create: 'M8 5.2v5.6M5.2 8h5.6',
  delete: 'M5.2 8h5.6',
  move: 'M5 8h5.6M8.4 5.6 10.8 8 8.4 10.4',
  undo: 'M7 4.8 4.8 7 7 9.2M4.8 7h4.4a1.9 1.9 0 0 1 0 3.8H7.6',
  redo: 'M9 4.8 11.2 7 9 9.2M11.2 7H6.8a1.9 1.9 0 0 0 0 3.8h1.6',
  back: 'M7.6 5.2 4.8 8l2.8 2.8M11.2 5.2 8.4 8l2.8 2.8',
  outside: '',
  sync: 'M8 4.8v6M5.6 8.4 8 10.8l2.4-2.4',
  commit: '',
};

/** Draws the sign of an entry: a disc is an edit, a diamond is from outside, a ring was taken back. */
function Dot({ kind, isBack, column }: { kind: Kind; isBack: boolean; column: number }): VNode {
  return (
    <svg viewBox="0 0 16 16" class={`dot${isBack ? ' hollow' : ''}`} style={{ '--column': column }}>
      <Shape kind={kind} />
      {SIGNS[kind] !== '' && <path d={SIGNS[kind]} class="sign" />}
    </svg>
  );
}

function Shape({ kind }: { kind: Kind }): VNode {
  if (kind === 'outside') return <path d="M8 1.8 14.2 8 8 14.2 1.8 8z" class="shape" />;
  if (kind === 'commit') return <rect x="3" y="3" width="10" height="10" rx="2" class="shape" />;
  return <circle cx="8" cy="8" r={kind === 'edit' ? 5 : 6.6} class="shape" />;
}
