/**
 * Signs by itself where the user's git config asks for it: before a push and after a landing (`vedit.sign = land, push`), and
 * each time so many commits are unsigned (`vedit.signEvery = 50`). What the repository's config says of it counts nothing.
 */

import type { Answer } from '../engine/answer.ts';
import type { Context } from '../engine/context.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { isEditError } from '../errors.ts';
import { readRef } from '../git/refs/refs.ts';
import { walkRows } from '../trail/walk.ts';
import { signHead } from './sign.ts';
import { readStatement, signedRef } from './statement.ts';

/** Signs the newest commit where that is asked for at this moment. Answers a note of what came of it: it never throws. */
export async function signAt(
  context: Context,
  moment: 'land' | 'push',
  dryRun = false,
): Promise<string | null> {
  const wanted = context.userConfig?.get('vedit.sign')?.split(/[\s,]+/) ?? [];
  return dryRun || !wanted.includes(moment) ? null : signNow(context);
}

async function signNow(context: Context): Promise<string | null> {
  return signHead(context).then(
    ({ message }) => message,
    error => (isEditError(error, 'NO_CHANGE') ? null : `The newest commit was not signed: ${error.message}`),
  );
}

/** Signs after a landing. Returns its answer with what came of that. */
export async function signedAfter<Data extends { notes: string[] }>(
  context: Context,
  answer: Answer<Data>,
  dryRun?: boolean,
): Promise<Answer<Data>> {
  return withNote(answer, await signAt(context, 'land', dryRun));
}

/** Returns the answer with a note more. */
export function withNote<Data extends { notes: string[] }>(
  { message, data }: Answer<Data>,
  note: string | null,
): Answer<Data> {
  if (note === null) return { message, data };
  return { message: `${message}\nNote: ${note}`, data: { ...data, notes: [...data.notes, note] } };
}

/** Signs beside the work: no edit waits for it, and it never has the lock while the signing program runs. */
export class SignEvery {
  readonly #context: Context;
  readonly #every: number;
  /** Commits until it is looked again; what was signed elsewhere meanwhile only makes the look come early. */
  #left = 1;
  #running: Promise<void> | null = null;

  constructor(context: Context, every: number) {
    this.#context = context;
    this.#every = every;
  }

  /** Notes a commit that was made. */
  made(): void {
    if (--this.#left > 0 || this.#running) return;
    this.#running = this.#countUnsigned().finally(() => {
      this.#running = null;
    });
  }

  /** Waits for what runs. */
  async close(): Promise<void> {
    await this.#running;
  }

  async #countUnsigned(): Promise<void> {
    const unsigned = await this.#unsigned().catch(() => 0);
    this.#left = this.#every - unsigned;
    if (this.#left > 0) return;
    this.#left = this.#every;
    const note = await signNow(this.#context);
    if (note?.startsWith('The newest commit was not signed')) this.#context.listener.warn(note);
  }

  /** Counts the edits that are not signed, as far as it matters. */
  async #unsigned(): Promise<number> {
    const { objects, repo } = this.#context;
    const { ref, tip, checkedOut } = await openTrail(this.#context);
    const oid = await readRef(repo, signedRef(ref));
    const last = oid === null ? null : await readStatement(objects, oid);
    let count = 0;
    for await (const rows of walkRows(objects, tip, { ownOnly: !checkedOut }))
      for (const { commit } of rows) if (commit === last?.signs || ++count >= this.#every) return count;
    return count;
  }
}
