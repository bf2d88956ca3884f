/**
 * What the parts of the page's own script share. Each part is one class in one file, and its source text is what runs
 * in the page: it may use the browser's names, its own, and what it is given, but import nothing but types.
 */

import type { Timeline } from '../../../workspace/queries/timeline/timeline.ts';
import type { Address } from './address.ts';
import type { App } from './app.ts';
import type { Host } from './connection/host.ts';
import type { HostNet } from './connection/host-net.ts';
import type { Net } from './connection/net.ts';
import type { Stream } from './connection/stream.ts';
import type { Code } from './elements/code.ts';
import type { Dom } from './elements/dom.ts';
import type { Words } from './elements/words.ts';
import type { Keys } from './keys.ts';
import type { Filters } from './list/filters.ts';
import type { Lane } from './list/lane.ts';
import type { VirtualList } from './list/virtual-list.ts';
import type { Actions } from './live/actions.ts';
import type { Live } from './live/live.ts';
import type { Watching } from './live/watching.ts';
import type { Carry } from './model/carry.ts';
import type { Diff } from './model/diff.ts';
import type { FileStory } from './model/file-story.ts';
import type { Story } from './model/story.ts';
import type { Theme } from './theme.ts';
import type { Blame } from './views/blame.ts';
import type { Changes } from './views/changes.ts';
import type { Details } from './views/details.ts';
import type { Overview } from './views/overview.ts';
import type { Player } from './views/player.ts';
import type { Replay } from './views/replay.ts';
import type { Review } from './views/review.ts';
import type { Strip } from './views/strip.ts';
import type { Tabs } from './views/tabs.ts';

export interface Parts {
  Watching: typeof Watching;
  Review: typeof Review;
  Net: typeof Net;
  Live: typeof Live;
  Actions: typeof Actions;
  Address: typeof Address;
  App: typeof App;
  Blame: typeof Blame;
  Carry: typeof Carry;
  Changes: typeof Changes;
  Code: typeof Code;
  Details: typeof Details;
  Diff: typeof Diff;
  Dom: typeof Dom;
  FileStory: typeof FileStory;
  Filters: typeof Filters;
  Host: typeof Host;
  HostNet: typeof HostNet;
  Keys: typeof Keys;
  Lane: typeof Lane;
  Overview: typeof Overview;
  Player: typeof Player;
  Replay: typeof Replay;
  Story: typeof Story;
  Stream: typeof Stream;
  Strip: typeof Strip;
  Tabs: typeof Tabs;
  Theme: typeof Theme;
  VirtualList: typeof VirtualList;
  Words: typeof Words;
}

export type { Timeline };

export type ViewName = 'overview' | 'changes' | 'replay' | 'blame' | 'review';

/** How a state came about: the user went there, passed by on the way (`passes`), or went back to it. */
export type Going = 'goes' | 'passes' | 'back';

/** All that decides what is seen. Entries, files and groups are named by their index in the story. */
export interface State {
  view: ViewName;
  /** The chosen entry. */
  chosen: number | null;
  /** The file that replay and blame are about. */
  file: number | null;
  /** How many edits of that file are replayed: 0 is before the first. */
  step: number;
  /** What the list is narrowed to. */
  onlyFile: number | null;
  onlyGroup: number | null;
  words: string;
  /** What a narrow screen shows. */
  pane: 'list' | 'detail';
}

/** What keys do. */
export interface Binding {
  keys: readonly string[];
  /** What the help shows for the keys, when not the keys themselves. */
  shown?: string;
  does: string;
  run(): void;
}

/** One line of a diff or text. */
export interface Row {
  /** `~` stands for `folded` lines that are not shown. */
  sign: ' ' | '+' | '-' | '~';
  /** 1-based numbers in the old and in the new text. */
  old: number | null;
  now: number | null;
  /** With its line feed. */
  text: string;
  /** The part that makes the difference to the line it replaces. */
  from?: number;
  to?: number;
  folded?: readonly Row[];
}

export interface Hunk {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
  heading: string;
  rows: Row[];
}

/** Who made entries: one session, a person, or whoever worked outside of the engine. */
export interface Group {
  /** What people read. */
  name: string;
  session: string | null;
  model: string | null;
  /** Indexes of its entries, newest first. */
  entries: number[];
  /** The CSS class that gives its colour. */
  tint: string;
}
