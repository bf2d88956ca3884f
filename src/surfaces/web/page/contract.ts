/** Types that the parts of the page share: what is seen, and lines of diffs. */

/** `file`: a file line by line, with its steps. */
export type ViewName = 'review' | 'history' | 'file';

/** Tells a state's origin: the user went there, passed by on the way (`passes`), or went back to it. */
export type Going = 'goes' | 'passes' | 'back';

/** All that decides what is seen. Entries, files and groups are named, so that a longer history changes none of it. */
export interface State {
  view: ViewName;
  /** The commit of an entry. */
  chosen: string | null;
  /** The name of the file that is shown line by line, as it was after the chosen entry. */
  file: string | null;
  onlyFile: string | null;
  /** The key of a group. */
  onlyGroup: string | null;
  words: string;
  /** The pane that a narrow screen shows. */
  pane: 'list' | 'detail';
}

/** One line of a diff or text. */
export interface Row {
  sign: ' ' | '+' | '-';
  /** 1-based numbers in the old and in the new text. */
  old: number | null;
  now: number | null;
  /** The text of the line, with its line feed. */
  text: string;
  /** The parts that make the difference to the line it replaces: from which to which character. */
  marks?: ReadonlyArray<readonly [from: number, to: number]>;
}

export interface Hunk {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
  heading: string;
  rows: Row[];
}

/** The maker of entries: one session, a person, or whoever worked outside of the engine. */
export interface Group {
  key: string;
  name: string;
  session: string | null;
  /** The number of its entries. */
  count: number;
  /** The CSS class that gives the group its colour. */
  tint: string;
}
