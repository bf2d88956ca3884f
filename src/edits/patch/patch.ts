/** The form that every patch format is parsed into: operations on files, with hunks that one matcher places. */

import type { FileMode } from '../edit.ts';

/** A line of a hunk without its mark. */
export interface HunkLine {
  mark: ' ' | '-' | '+';
  /** Without its line end. */
  text: string;
  /** As the patch has it; '' where the patch says that no newline follows. Only some formats mean it: see Format. */
  end: '' | '\n' | '\r\n' | '\r';
  /** An empty line that stands for an empty context line, without the space before it. */
  bare?: true;
  /** Its line in the patch, 1-based. */
  at: number;
}

/** A whole line of the file that a hunk comes after. */
export interface Anchor {
  text: string;
  at: number;
}

export interface Hunk {
  /** Where it begins in the patch, 1-based. */
  at: number;
  /** Each narrows the one before it. */
  anchors: Anchor[];
  lines: HunkLine[];
  /** The patch says that the hunk ends where the file ends. */
  endOfFile: boolean;
  /** The line of the file, 1-based, at which the patch says that the hunk begins. */
  hint: number | null;
  /** It began with the line numbers of a unified diff, in a format that has none: they were not used. */
  numbered?: true;
  /** The counts in its header are wrong, and its lines were counted anew. */
  recounted?: true;
}

/** The file that an operation is about. */
interface Named {
  /** The line of the patch that it begins with. */
  at: number;
  path: string;
  /** The name with its prefix, which is meant where that file exists. */
  written?: string;
  /** Other names that the patch gives the file: of these and `path`, the one that is a file is meant. */
  either?: readonly string[];
}

export type Operation =
  | (Named & { kind: 'create'; text: string; mode?: FileMode })
  | (Named & { kind: 'delete'; content: Hunk[] | 'any' })
  | UpdateOperation;

export interface UpdateOperation extends Named {
  kind: 'update';
  hunks: Hunk[];
  /** Where there is no file, the added lines make it: the patch says that it had none. */
  makes?: true;
  /** The file goes there, or with `copy` a second one comes to be there. */
  to?: string;
  copy?: boolean;
  /** The mode it has, if the patch says so, and the one that it gets. */
  mode?: { from: FileMode | null; to: FileMode };
}

export interface Patch {
  operations: Operation[];
  /** Notes of what was put up with, each a sentence without its stop. */
  notes: string[];
  /** Operation numbers (0-based) before which a patch of its own begins, in a series of several. */
  begins?: number[];
}

/** The points in which the formats differ; what is left out is false. */
export interface Format {
  /** The word for a hunk in refusals. */
  word: string;
  /** Hunks come in the order of the file. */
  ordered?: boolean;
  /** A context line may lack its mark where, as it is written, it is exactly the line of the file. */
  unmarked?: boolean;
  /** Empty lines without mark that end a hunk are none of it where it fits only without them. */
  bareTail?: boolean;
  /** Lines that are only added, with an empty line after them, may go to the end of the file, where an empty line is. */
  addsToEmptyEnd?: boolean;
  /** The end of the file behind a final line end counts as an empty line, so that a hunk can add or remove that. */
  finalLine?: boolean;
  /** Lines are meant with their line ends, where all old lines of the hunk have those of the file. */
  lineEnds?: boolean;
}

/** The lines that a hunk expects in the file. */
export function oldLines(hunk: Hunk): HunkLine[] {
  return hunk.lines.filter(({ mark }) => mark !== '+');
}

/** The lines that a hunk leaves in the file. */
export function newLines(hunk: Hunk): HunkLine[] {
  return hunk.lines.filter(({ mark }) => mark !== '-');
}
