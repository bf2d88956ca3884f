/** Telling a person how far work has come, when it takes longer than a moment. */

import type { Terminal } from './terminal.ts';

/** Milliseconds before the first word, and between two. */
const FIRST = 1_000;
const EACH = 200;

/**
 * Runs `work`, which may say at any time how far it is. What was shown is gone afterwards. `label`: the words until it says
 * more, with the seconds; `null` where other programs write to the terminal meanwhile.
 */
export async function withProgress<T>(
  terminal: Pick<Terminal, 'progress'>,
  label: string | null,
  work: (tell: (words: string) => void) => Promise<T>,
): Promise<T> {
  const begun = Date.now();
  let [next, shown, now] = [begun + FIRST, false, label ?? ''];
  const show = (): void => {
    next = Date.now() + EACH;
    shown = true;
    void terminal.progress(label === null ? now : `${now} (${Math.floor((Date.now() - begun) / 1_000)} s)`);
  };
  const timer = label === null ? undefined : setInterval(show, FIRST).unref();
  try {
    return await work(words => {
      now = words;
      if (Date.now() >= next) show();
    });
  } finally {
    clearInterval(timer);
    if (shown) await terminal.progress('');
  }
}

/** Says once, after a second, what takes so long: a line of its own, since git or ssh may be asking for a password. */
export async function tellIfLong<T>(
  terminal: Pick<Terminal, 'tell' | 'isMessagesTerminal'>,
  words: string,
  work: () => Promise<T>,
): Promise<T> {
  const timer = terminal.isMessagesTerminal ? setTimeout(() => void terminal.tell(words), FIRST) : undefined;
  return work().finally(() => clearTimeout(timer));
}
