/**
 * What the tests, grammars and documents of other projects' edit tools say, as facts: the files before, the call in our
 * words, and what their tool makes of it. Data of our own making; where this engine answers otherwise on purpose,
 * `instead` says with which code, and why.
 */

export type Upstream =
  | 'Agent Zero'
  | 'aider'
  | 'Anthropic memory tool'
  | 'Codex'
  | 'Gemini CLI'
  | 'git apply'
  | 'MCP filesystem'
  | 'openai-agents'
  | 'opencode'
  | 'OpenHands';

export type Texts = Readonly<Record<string, string>>;

/** What this engine answers where that is not what theirs does: a code, or `done` for another result. */
export interface Instead {
  code: string;
  why: string;
}

/** One edit, on texts. */
export interface UpstreamCase {
  from: Upstream;
  name: string;
  edit: string;
  input: Readonly<Record<string, unknown>>;
  before: Texts;
  /** The files that their tool leaves; `null` where it refuses. */
  after: Texts | null;
  instead?: Instead;
}

/** One call of a tool, under the names that models know it by. */
export interface Call {
  tool: 'memory' | 'editor' | (string & {});
  input: Readonly<Record<string, unknown>>;
}

/** Calls of a session: all but the last are done, and the last one is what the case is about. */
export interface UpstreamStory {
  from: Upstream;
  name: string;
  before: Texts;
  calls: readonly Call[];
  after: Texts | null;
  /** The answer, or the refusal, says this. */
  says?: RegExp;
  instead?: Instead;
}

/** A case of one file, `f.txt`. */
export type Row = readonly [
  name: string,
  input: Record<string, unknown>,
  before: string,
  after: string | null,
  instead?: Instead,
];

export function rows(from: Upstream, edit: string, list: readonly Row[]): UpstreamCase[] {
  return list.map(([name, input, before, after, instead]) => ({
    from,
    name,
    edit,
    input: { path: 'f.txt', ...input },
    before: { 'f.txt': before },
    after: after === null ? null : { 'f.txt': after },
    ...(instead ? { instead } : {}),
  }));
}

export const replace = (old_str: string, new_str: string, more: object = {}): Record<string, unknown> => ({
  old_str,
  new_str,
  ...more,
});

export const instead = (code: string, why: string): Instead => ({ code, why });

/** The reasons that recur. */
export const NO_GUESS: Instead = instead(
  'AMBIGUOUS',
  'several places fit, and theirs takes the first: an edit is never applied to a guess',
);
export const NOT_EXACT: Instead = instead(
  'NO_MATCH',
  'theirs takes a place that is only similar: the refusal has the exact text to send',
);
export const BLANKS: Instead = instead(
  'PATCH_FAILED',
  'theirs looks past blanks at the ends of lines: a near match is refused, with the exact lines',
);
export const KEPT: Instead = instead('FILE_EXISTS', 'nobody asked for the loss of the file that is there');
