/** Reads what a person types: lines, and single keys where the terminal gives each at once. */

import type { Readable } from 'node:stream';

/** Standard input; `setRawMode` only where it is a terminal that can. */
export type Keyboard = Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/** Ctrl-C, Ctrl-Z and Ctrl-D, on which a terminal in its ordinary mode acts itself. */
const CONTROLS: Readonly<Record<string, NodeJS.Signals | null>> = {
  '\u0003': 'SIGINT',
  '\u001a': 'SIGTSTP',
  '\u0004': null,
};

/** A key that sends several characters, as the arrows do, or one character. */
const KEY = /^(?:\u001b(?:\[[0-?]*[ -/]*[@-~]|O.)?|.)/su;

/** Reads what was typed, in order: what was typed ahead comes first. */
export class Typed {
  readonly #stdin: Keyboard;
  #text = '';

  constructor(stdin: Keyboard) {
    this.#stdin = stdin;
  }

  /** Reads a line without its end, trimmed; `null` when the input ends. */
  async line(): Promise<string | null> {
    while (!this.#text.includes('\n') && (await this.#more()));
    if (this.#text === '') return null;
    return this.#take(this.#text.indexOf('\n') + 1 || this.#text.length).trim();
  }

  /**
   * Reads one key; '' for Enter, `null` for Ctrl-D, when the input ends, and after a Ctrl-C that does not end the process
   * as it does elsewhere. Ctrl-Z suspends the process.
   */
  async key(): Promise<string | null> {
    for (;;) {
      const key = await this.#rawKey();
      if (key === '\r' || key === '\n') return '';
      if (key === null || !(key in CONTROLS)) return key;
      const signal = CONTROLS[key];
      if (signal) process.kill(process.pid, signal);
      // So that the signal comes first.
      await new Promise(resolve => setTimeout(resolve));
      if (signal !== 'SIGTSTP') return null;
    }
  }

  /** The terminal is raw only while it waits, so that an editor, a pager and Ctrl-C at work find it as it was. */
  async #rawKey(): Promise<string | null> {
    this.#stdin.setRawMode?.(true);
    try {
      if (this.#text === '') await this.#more();
    } finally {
      this.#stdin.setRawMode?.(false);
    }
    const [key] = KEY.exec(this.#text) ?? [null];
    if (key !== null) this.#take(key.length);
    return key;
  }

  #take(length: number): string {
    const taken = this.#text.slice(0, length);
    this.#text = this.#text.slice(length);
    return taken;
  }

  /** Waits for more; false when there is none any more. */
  async #more(): Promise<boolean> {
    const chunk = this.#stdin.readableEnded ? null : await nextChunk(this.#stdin);
    this.#stdin.pause();
    this.#text += chunk ?? '';
    return chunk !== null;
  }
}

function nextChunk(stdin: Readable): Promise<string | null> {
  return new Promise(resolve => {
    const done = (text: string | null): void => {
      for (const [event, listener] of listeners) stdin.off(event, listener);
      resolve(text);
    };
    const listeners: ReadonlyArray<readonly [string, (chunk?: unknown) => void]> = [
      ['data', chunk => done(String(chunk))],
      ['end', () => done(null)],
      ['close', () => done(null)],
    ];
    for (const [event, listener] of listeners) stdin.on(event, listener);
    stdin.resume();
  });
}
