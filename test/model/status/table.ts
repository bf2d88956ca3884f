/** The truth table of src/trail/history/status.ts, as data of its own. */

/** What undid the effect of an edit on a line, as the trail or the file tells. */
export type Cause =
  | 'edit'
  | 'back'
  | 'reject'
  /** Text from outside stands in its place. */
  | 'text from outside'
  /** Nothing that was recorded, a change from outside without text, a sync; the line is somewhere else. */
  | 'elsewhere'
  | 'nowhere';

export interface Row {
  inFile: boolean;
  inHead: boolean;
  /** Any where it says none. */
  cause?: Cause;
  word: string;
}

export const TABLE: readonly Row[] = [
  { inFile: true, inHead: false, word: 'open' },
  { inFile: true, inHead: true, word: 'landed' },
  { inFile: false, inHead: true, word: 'landed' },
  { inFile: false, inHead: false, cause: 'edit', word: 'superseded' },
  { inFile: false, inHead: false, cause: 'back', word: 'taken back' },
  { inFile: false, inHead: false, cause: 'reject', word: 'rejected' },
  { inFile: false, inHead: false, cause: 'text from outside', word: 'rewritten by hand' },
  { inFile: false, inHead: false, cause: 'elsewhere', word: 'not here' },
  { inFile: false, inHead: false, cause: 'nowhere', word: 'taken back by hand' },
];

/** Of the words that the deciding lines of an edit have, the first one is the edit's. */
export const FIRST: readonly string[] = [
  'rejected',
  'open',
  'not here',
  'taken back by hand',
  'rewritten by hand',
  'taken back',
  'superseded',
  'landed',
];
