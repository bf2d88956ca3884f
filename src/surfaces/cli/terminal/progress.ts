/** Telling a person how far work has come, when it takes longer than a moment. */

import type { Terminal } from './terminal.ts';

/** Milliseconds before the first word, and between two. */
const FIRST = 1_000;
const EACH = 200;

/** Runs `work`, which may say at any time how far it is. What was shown is gone afterwards. */
export async function withProgress<T>(
  terminal: Terminal,
  work: (tell: (words: string) => void) => Promise<T>,
): Promise<T> {
  let next = Date.now() + FIRST;
  let shown = false;
  const tell = (words: string): void => {
    if (Date.now() < next) return;
    next = Date.now() + EACH;
    shown = true;
    void terminal.progress(words);
  };
  try {
    return await work(tell);
  } finally {
    if (shown) await terminal.progress('');
  }
}
