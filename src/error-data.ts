/**
 * Data that each refusal carries for the next call: one shape a code. All of it is plain JSON; paths are relative to
 * the workspace, lines 1-based and inclusive. A refusal of one edit of several also says which (`edit`, `edits`).
 */

/** A list or text of the data that was cut: `lines`, `occurrences`. */
export interface CutField {
  /** Where it is: `diff`, `entries[3].reason`. */
  field: string;
  /** Characters of the text or items of the list, and how many of them are there. */
  length: number;
  kept: number;
}

/** The text of the file that is most like the one that was looked for. */
export interface NearestText {
  start_line: number;
  end_line: number;
  text: string;
  /** Words for what sets it apart. */
  difference: string;
  /** Kinds of difference, such as `indentation`; `text` where it is another text. */
  kinds: readonly string[];
  /** True when `text` occurs once, so that it can be sent as it is. */
  exact_once?: boolean;
  /** The number of places that are as near. */
  places?: number;
  /** The characters of the whole text, where it is cut. */
  cut_from?: number;
}

/** One of several places where a text occurs. */
export interface Occurrence {
  line: number;
  end_line: number;
  column: number;
  /** Numbered lines around the place. */
  excerpt: string;
  /** Whole lines with the text that occur once in the file; `null` where there are none such. */
  unique_text: string | null;
}

/** One change that came after what a call was decided on. */
export interface ChangedBy {
  /** `null` for what is not recorded yet. */
  commit: string | null;
  op: string;
  by: 'this session' | 'another session' | 'outside';
  session?: string;
  agent?: string;
  subject?: string;
  paths?: string[];
}

/** Lines of the present text that a merge could not join; `end_line` = `start_line` - 1 where nothing is there. */
export interface ConflictRegion {
  start_line: number;
  end_line: number;
  present: string;
  wanted: string;
}

/** A file that a merge could not join. */
export interface FileConflict {
  path: string;
  regions: readonly ConflictRegion[];
  /** The commit that was to be taken back, put back or landed. */
  commit?: string;
  /** The version of the present file, where the lines are those of it. */
  version?: string | undefined;
  /** Says how the file as a whole stands against the change, where there is nothing to be joined. */
  note?: string | undefined;
  /** Edits of the file that a landing leaves out and that this one was made on. */
  below?: ReadonlyArray<Omit<OthersEdit, 'paths' | 'subject'> & { subject?: string }>;
}

/** Places of a review where there are hunks. A file that is reviewed as a whole has the lines 0 to 0. */
export interface ToReview {
  to_review?: ReadonlyArray<{ path: string; lines: { start_line: number; end_line: number } }>;
}

/** An edit that a rollback would take back, though another session made it. */
export interface OthersEdit {
  commit: string;
  op: string;
  subject: string;
  session: string | null;
  agent: string | null;
  paths: string[];
}

/** A problem with one field of an input. */
export interface InputProblem {
  /** `old_str`, `edits[0].from`, or '' for the input as a whole. */
  field: string;
  /** A clause without its stop. */
  words: string;
}

/** The first line of a hunk that the file does not have. */
export interface HunkDifference {
  patch_line: number;
  expected: string;
  line: number | null;
  found: string | null;
}

/** The process that holds a lock, as far as it says. */
export interface LockHolder {
  pid: number;
  host: string;
}

/** The shape of a refusal's `data`, by its code. */
export interface ErrorDataByCode {
  NO_MATCH: {
    path: string;
    nearest: NearestText | null;
    /** Where the new text stands already: its first line, and how often. */
    already_there: { line: number; count: number } | null;
    searched_lines: number;
  };
  AMBIGUOUS: {
    path: string;
    count: number;
    lines: readonly number[];
    occurrences: readonly Occurrence[];
    hunk?: number;
    patch_line?: number;
    cut_fields?: readonly CutField[];
  };
  STALE: {
    /** `null` where more than one file, or none, is the reason. */
    path: string | null;
    /** The version of the present file, to cite next. */
    version: string | null;
    /** The newest commit: what to cite as base. */
    commit: string | null;
    base: string | null;
    base_version: string | null;
    /** From the base's text to the present one, its beginning; `null` where the base's text is not known. */
    diff: string | null;
    changed_by: readonly ChangedBy[];
    /** The files, where there may be several. */
    paths?: readonly string[];
  };
  CONFLICT: {
    path?: string;
    version?: string | null;
    conflicts?: readonly FileConflict[];
    commit?: string | null;
    others?: readonly OthersEdit[];
    /** Later changes that hold what is in the way of a rejection, an undo and the like. */
    builds_on?: ReadonlyArray<
      Omit<OthersEdit, 'commit' | 'op' | 'paths'> & { commit: string | null; author: string }
    >;
    /** Places of a landing where a person changed a part of what these edits wrote. */
    revised?: ReadonlyArray<{ path: string; line: number; edits: readonly string[] }>;
    /** The edits that a landing asked for, those that would have to come along, and whether outside changes would. */
    landing?: readonly string[];
    needs?: readonly string[];
    needs_outside?: boolean;
    /** The merge, rebase or the like that is under way. */
    in_progress?: string;
    branch?: string;
    staged?: true;
    /** The changes since the base of a rebase, as in STALE. */
    changed_by?: readonly ChangedBy[];
    diff?: string | null;
    base?: string | null;
    base_version?: string | null;
    paths?: readonly string[];
  };
  NOT_VIEWED: { path: string; version: string | null; commit: string | null };
  LINE_OUT_OF_RANGE: {
    path: string;
    /** The valid range; without `max` where the numbers fit no file. */
    min: number;
    max?: number;
    line_count?: number;
    field?: string;
    line?: number;
  };
  NO_CHANGE: {
    path?: string;
    paths?: readonly string[];
    commit?: string;
    /** The number of edits that there are to take back. */
    available?: number;
    session?: string | null;
    branch?: string;
    discarded?: readonly string[];
  } & ToReview;
  FILE_NOT_FOUND: {
    path: string;
    /** The folder where it would be. */
    folder?: string;
    /** A file that may be meant. */
    suggestion?: string | null;
    /** The newest commit that has it. */
    held_by?: string;
    commit?: string;
    cause?: string;
  } & ToReview;
  FILE_EXISTS: {
    path: string;
    same_content?: boolean;
    /** True where the same call with `overwrite` would replace it. */
    can_overwrite?: boolean;
  };
  IS_DIRECTORY: {
    path: string;
    /** The number of files that a call for the whole folder would be about. */
    files?: number;
  } & ToReview;
  PATCH_SYNTAX: {
    path?: string;
    hunk?: number;
    patch_line: number | null;
    text?: string | null;
    expected?: string;
  };
  PATCH_FAILED: {
    path: string;
    hunk?: number;
    patch_line?: number;
    nearest?: NearestText | null;
    first_difference?: HunkDifference | null;
    already_applied?: { line: number };
    anchor?: string;
  };
  INVALID_INPUT: {
    field?: string;
    fields?: readonly string[];
    problems?: readonly InputProblem[];
    /** An input that works. */
    example?: unknown;
    path?: string;
    suggestion?: string;
  };
  BINARY_FILE: { path: string; offset?: number; encodings?: readonly string[] };
  NOT_UTF8: { path: string; offset?: number; line?: number; byte?: string; encodings?: readonly string[] };
  ENCODING: { path: string; encoding: string; offset?: number; line?: number; character?: string };
  TOO_LARGE: { limit: number; path?: string; size?: number };
  OUTSIDE_WORKSPACE: { path: string; link?: string; rule?: string };
  PROTECTED_PATH: { path: string; rule?: string };
  IGNORED_PATH: { path: string };
  FILTERED_PATH: { path: string; attribute?: string; line_ends?: string };
  NESTED_REPOSITORY: { path: string };
  SPECIAL_FILE: { path: string; target?: string };
  DENIED: { reason: string; rule?: string; policy?: string; path?: string };
  SECRET: {
    /** The file that holds it; `null`: the reason does. */
    path: string | null;
    secrets: ReadonlyArray<{ kind: string; line: number }>;
    /** True where the file holds it already, and nothing of that is recorded. */
    in_file?: true;
  };
  REJECTED: {
    path: string;
    /** The rejection, on the trail. */
    commit: string;
    reviewer: string;
    /** '' for none. */
    reason: string;
    lines: readonly string[];
    /** Where the agent had taken these lines out, and would again. */
    taken_out?: true;
  };
  GIT_REFUSED: {
    exit: number | null;
    signal?: string | null;
    /** The output of the hook or of git. */
    output: string;
  };
  REMOTE_FAILED: {
    /** The name of the remote; its address may hold a password. */
    remote: string;
    /** The words of git and the server, without credentials; '' where they said nothing. */
    words: string;
  };
  REMOTE_REFUSED: { remote: string; refs: readonly string[]; words: string };
  LOCKED: {
    holder?: LockHolder | null;
    /** ISO 8601, UTC. */
    since?: string | null;
    /** The means by which it is told whether the holder lives. */
    told_by?: string;
    takeover_in_seconds?: number | null;
    /** A lock of git. */
    file?: string;
    age_seconds?: number | null;
    landing?: true;
  };
  UNSUPPORTED_REPOSITORY: { feature: string };
  NOT_A_REPOSITORY: { gone?: true; work_tree?: string };
  CORRUPT: { oid?: string; what?: string };
  STORE_FAILED: {
    /** The errno of the system (`ENOSPC`), or the words of the store. */
    cause?: string | null;
    what?: string;
    path?: string;
  };
  INTERNAL_ERROR: { cause: string; of?: string };
}
