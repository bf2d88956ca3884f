/** The one error class of the engine, and the closed list of codes that a caller can act on. */

import type { ErrorDataByCode } from './error-data.ts';
import { ifTool, render, renderData, type Vocabulary } from './wording.ts';

export type * from './error-data.ts';

/** Every code, with what it tells the caller. The list is closed: a new code is a change of the interface. */
export const ERROR_CODES = {
  NO_MATCH: 'the old text occurs nowhere in the file; data holds the nearest text and the first difference',
  AMBIGUOUS: 'the old text occurs more than once; data holds each occurrence with its surroundings',
  STALE:
    'what the call was decided on changed since: a path, or what it would take back; data holds what changed and by whom',
  CONFLICT:
    'a change could not be joined with one made since, or would take back what others edited; data names it',
  NOT_VIEWED: 'a line number was given of lines that this session was never shown, and no base or version',
  LINE_OUT_OF_RANGE: 'a line number outside the valid range; data holds the range',
  NO_CHANGE: 'the edit would leave every byte as it is',
  FILE_NOT_FOUND: 'no file at this path',
  FILE_EXISTS: 'a file is already at this path',
  IS_DIRECTORY: 'the path is a folder, and the call needs a file',
  PATCH_SYNTAX: 'the patch does not follow its format; data holds the line',
  PATCH_FAILED: 'a hunk does not fit; data holds the hunk and the first difference',
  INVALID_INPUT: 'the input does not fit the schema; data names the fields',
  BINARY_FILE: 'the file has a NUL byte near its start, so it is not text',
  NOT_UTF8: 'the file is not valid UTF-8; data holds the byte offset',
  ENCODING:
    'the bytes of a file, or characters of a new text, do not fit the encoding that is declared; data holds the place',
  TOO_LARGE: 'a file or an input is over a stated limit',
  OUTSIDE_WORKSPACE: 'the path leads out of the workspace',
  PROTECTED_PATH: 'the path belongs to git itself, or its spelling may be folded into such a path',
  IGNORED_PATH: 'git ignores this path, so its content must not enter history',
  FILTERED_PATH:
    'a git attribute rewrites the content of this path (filter, ident, an encoding that is not known)',
  NESTED_REPOSITORY: 'the path is inside another repository',
  SPECIAL_FILE: 'not a regular file: a device, pipe, socket or a link that leads nowhere',
  DENIED:
    'a rule of a policy or of the host (beforeCommit) does not allow it; data holds its words, and the name of the rule',
  SECRET:
    'the change would put what looks like a key into history; data holds its kind and lines, never the key',
  REJECTED:
    'the edit would put back lines that a person rejected, or take out again what they put back; data holds who, why and which, and where they were rejected',
  GIT_REFUSED:
    'git did not make a commit, or did not push: a hook, signing or its config said no; data holds what they said',
  REMOTE_FAILED: 'a git server, or the way to it, failed; what was done here stays done',
  REMOTE_REFUSED: 'a git server refused what was pushed; data holds its words',
  LOCKED: 'another process holds a lock; data holds the holder, and how that was told',
  UNSUPPORTED_REPOSITORY: 'the repository uses a feature that the engine cannot keep safe; data names it',
  NOT_A_REPOSITORY: 'no git repository here',
  CORRUPT: 'an object or ref cannot be read; data names it',
  STORE_FAILED: 'reading or writing failed; data holds the cause',
  INTERNAL_ERROR:
    'a fault of the engine itself, or of a function that the program brought, not of the request; data holds the cause',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Codes after which the same request, or the same request with values from `data`, can succeed. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'STALE',
  'LOCKED',
  'STORE_FAILED',
  'NOT_VIEWED',
  'REMOTE_FAILED',
]);

/** Plain JSON that travels with a refusal: what its code promises, and what else is known. */
export type ErrorData<Code extends ErrorCode = ErrorCode> = ErrorDataByCode[Code] &
  Readonly<Record<string, unknown>>;

/** The data of an error, required where its code promises some. */
type DataArguments<Code extends ErrorCode> = object extends ErrorDataByCode[Code]
  ? [data?: ErrorData<Code>, options?: ErrorOptions]
  : [data: ErrorData<Code>, options?: ErrorOptions];

/**
 * A refusal or failure. `message` says what is wrong and then what to do next, in words a model can act on.
 * `data` is plain JSON: what the next call needs. Paths are relative to the workspace, never host paths.
 */
export class EditError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'EditError';
  readonly code: Code;
  readonly data: ErrorData<Code>;
  readonly retryable: boolean;
  readonly #wording: string;

  /** `wording` is the message, in which names may be marked; see wording.ts. */
  constructor(code: Code, wording: string, ...[data, options]: DataArguments<Code>) {
    super(render(wording), options);
    this.#wording = wording;
    this.code = code;
    this.data = renderData(data ?? ({} as ErrorData<Code>));
    // Of a failure that no second try changes, the data say so.
    this.retryable = RETRYABLE.has(code) && this.data.retryable !== false;
  }

  /** Narrows what was caught to an error with the data of its code, not with any. */
  static override [Symbol.hasInstance](error: unknown): error is EditErrorOf {
    return Function.prototype[Symbol.hasInstance].call(EditError, error);
  }

  /** The message with its marks, for a message that holds this one. */
  static wording(error: EditError): string {
    return error.#wording;
  }

  /** The refusal in the words of a caller. */
  static render(error: EditError, vocabulary: Vocabulary): EditError {
    const message = render(error.#wording, vocabulary);
    if (message === error.message) return error;
    return new EditError(error.code, message, error.data, { cause: error.cause ?? error });
  }
}

/** An error with any of these codes: to compare its `code` narrows its `data`. */
export type EditErrorOf<Code extends ErrorCode = ErrorCode> = { [C in Code]: EditError<C> }[Code];

/**
 * True for a refusal or failure of the engine; with codes, for one with any of them: `data` then has the shape that the
 * code promises. Also for errors of another copy of this package, which `instanceof` does not know.
 */
export function isEditError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is EditErrorOf<Code> {
  if (!(error instanceof Error) || error.name !== 'EditError') return false;
  const { code } = error as Partial<EditError>;
  if (code === undefined || !Object.hasOwn(ERROR_CODES, code)) return false;
  return codes.length === 0 || (codes as readonly ErrorCode[]).includes(code);
}

/** Returns a handler for `catch`: a refusal, with any of these codes if there are some, gives `instead`; all else is thrown. */
export function ifRefused<T>(instead: T, ...codes: readonly ErrorCode[]): (error: unknown) => T {
  return error => {
    if (isEditError(error, ...codes)) return instead;
    throw error;
  };
}

/** Returns what was thrown, whatever it is, in one line. */
export function thrownWords(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : typeof error;
  return text.split('\n')[0]!.slice(0, 500);
}

/** Returns the error for a failure that nobody foresaw; the failure itself is the cause, for those who look for it. */
export function internalError(error: unknown): EditError<'INTERNAL_ERROR'> {
  const cause = thrownWords(error);
  const message = `A fault inside the engine, which the request is not to blame for: ${cause}.${ifTool('log', tool => ` ${tool} tells whether an edit was made.`)} Please report it.`;
  return new EditError('INTERNAL_ERROR', message, { cause }, { cause: error });
}

/** Words what went wrong in a function that the program brought, such as `plan of the edit x`; an EditError is its answer. */
export function hostFault(what: string, error: unknown): EditError {
  if (error instanceof EditError) return error;
  const cause = thrownWords(error);
  const message = `${what}, a function of the program that the engine runs in, failed: ${cause}. The request is not to blame, and nothing was changed. Tell whoever runs the program.`;
  return new EditError('INTERNAL_ERROR', message, { cause, of: what }, { cause: error });
}

/** Puts words before the error's message, such as `edit 2 of 3: `. */
export function prefixed(error: EditError, words: string, data: object = {}): EditError {
  const all = { ...error.data, ...data } as ErrorData;
  return new EditError(error.code, words + EditError.wording(error), all, { cause: error });
}
