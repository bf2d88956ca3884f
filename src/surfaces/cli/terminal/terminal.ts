/** Where the command line reads and writes: data to standard output, messages to standard error, text in from standard input. */

import type { Readable, Writable } from 'node:stream';
import { EditError } from '../../../errors.ts';
import { UsageError } from '../../../table/use.ts';
import { outputOf, type Pager, pagerCommand, startPager } from './programs.ts';
import {
  escapeControls,
  linesOfPieces,
  type Piece,
  render,
  renderPiece,
  type StyleOptions,
  textOf,
} from './style.ts';
import { columnsOf } from './width.ts';
import { dateWriter } from './words.ts';

/** The part of `process` that main needs. */
export interface Streams {
  stdin: Keyboard;
  stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number };
  stderr: Writable & { isTTY?: boolean };
  env: NodeJS.ProcessEnv;
  cwd(): string;
}

export type ColorWhen = 'auto' | 'always' | 'never';

/** The reader of standard output has gone: there is nobody left to write for. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

export class Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly #streams: Streams;
  #color: ColorWhen | undefined;
  #usePager = true;
  #date: string | undefined;
  #pager: Pager | null = null;
  #inputTaken = false;
  #keyboard: Typed | null = null;

  constructor(streams: Streams) {
    this.#streams = streams;
    this.env = streams.env;
    streams.stdout.on('error', () => {});
    streams.stderr.on('error', () => {});
  }

  /** Made when it is first asked for: to open standard input takes time. */
  get #typed(): Typed {
    return (this.#keyboard ??= new Typed(this.#streams.stdin));
  }

  /** Takes colour, pager and the form of dates from the options, once they are known. */
  configure(options: {
    color?: ColorWhen | undefined;
    pager?: boolean | undefined;
    date?: string | undefined;
  }): void {
    this.#color = options.color;
    this.#usePager = options.pager ?? true;
    this.#date = options.date;
  }

  /** Git's core.quotePath: whether names with letters beyond ASCII are shown in quotes. */
  quotePath = true;

  /** Git's log.date: the form of dates where `--date` names none. */
  logDate: string | undefined;

  /** Git's interactive.singleKey: false where a person wants to end each answer with Enter. */
  singleKey = true;

  /** The pager and the editor that the person's own config names, git's core.pager and core.editor. */
  corePager: string | undefined;
  coreEditor: string | undefined;

  /** Git's interactive.diffFilter: the program that a diff goes through where hunks are asked about. */
  diffFilter: string | undefined;

  /** The time in words, of a date as ISO 8601 has it. */
  when(time: string): string {
    return dateWriter(this.#date ?? this.logDate, this.isOutputTerminal)(new Date(time));
  }

  cwd(): string {
    return this.#streams.cwd();
  }

  /** True when standard output is what a person looks at. */
  get isOutputTerminal(): boolean {
    return this.#streams.stdout.isTTY === true;
  }

  /** True where messages go to a terminal: a person is told what was done, also where the output is a file. */
  get isMessagesTerminal(): boolean {
    return this.#streams.stderr.isTTY === true;
  }

  get columns(): number {
    return this.#streams.stdout.columns || 80;
  }

  /** The columns that a line has: on a terminal it is cut at the edge, elsewhere it is whole. */
  get room(): number {
    return this.isOutputTerminal ? this.columns : Number.POSITIVE_INFINITY;
  }

  /** The look of texts on standard output; the same decides for help. */
  get outLook(): StyleOptions {
    return lookOf(this.#streams.stdout, this.#color, this.env);
  }

  /** Prints data to standard output or the pager. Throws OutputClosed when nobody reads it any more. */
  async print(...parts: Array<Piece | Iterable<Piece>>): Promise<void> {
    for (const text of rendered(parts, this.outLook))
      await write(this.#pager?.input ?? this.#streams.stdout, text);
  }

  /** Prints help, which has its styles already. */
  async printHelp(text: string): Promise<void> {
    await write(this.#pager?.input ?? this.#streams.stdout, text);
  }

  /** Prints a message to standard error, with a line end. */
  async tell(...pieces: Piece[]): Promise<void> {
    const text = render(pieces, this.#messageLook);
    await this.#passOn(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** Prints what hooks of a repository printed, to standard error: nothing in it may steer the terminal. */
  relay(text: string): Promise<void> {
    return this.#passOn(render([text.replaceAll('\r\n', '\n')], this.#messageLook));
  }

  /** Writes it as it is to standard error. */
  async #passOn(text: string): Promise<void> {
    await write(this.#streams.stderr, text).catch(() => {});
  }

  get #messageLook(): StyleOptions {
    return lookOf(this.#streams.stderr, this.#color, this.env);
  }

  /** Shows how far work has come, on one line that is written over; '' takes it away. Only a person sees it. */
  async progress(words: string): Promise<void> {
    if (this.isMessagesTerminal && this.env.TERM !== 'dumb') await this.#passOn(`\r\u001b[K${words}`);
  }

  /** Sends what is printed from now on through the pager, when there is a person to read it. */
  async page(): Promise<void> {
    const command =
      this.#usePager && this.#streams.stdout.isTTY ? pagerCommand(this.env, this.corePager) : null;
    if (command !== null && this.#pager === null) this.#pager = await startPager(command, this.env);
  }

  /** The pieces as the program of git's interactive.diffFilter gives them back; `null`: none is asked for, or it fails. */
  async filtered(pieces: Iterable<Piece>): Promise<Piece[] | null> {
    if (!this.diffFilter || !this.outLook.color) return null;
    const text = await outputOf(this.diffFilter, render(pieces, this.outLook), this.env);
    if (text !== null) return [{ text, style: 'ready' }];
    await this.tell(`interactive.diffFilter failed: ${this.diffFilter}`);
    return null;
  }

  /**
   * Prints through the pager what is longer than the screen, with a line for a question below it. `onShown`: called when a
   * person has it before them.
   */
  async printLong(pieces: readonly Piece[], onShown: () => void = () => {}): Promise<void> {
    const rows = [...linesOfPieces(pieces)].reduce((sum, line) => sum + rowsOf(line, this.columns), 0);
    if (rows < (this.#streams.stdout.rows || 24)) return this.print(pieces).then(onShown);
    await this.page();
    await this.print(pieces).catch(error => {
      // Whoever leaves the pager early has seen enough.
      if (!this.#pager || !(error instanceof OutputClosed)) throw error;
    });
    onShown();
    await this.endPage();
  }

  /** Waits for the pager to be left; afterwards output goes to the terminal again. */
  async endPage(): Promise<void> {
    const pager = this.#pager;
    this.#pager = null;
    await pager?.close();
  }

  /** True when a person sees questions and can answer them. */
  get canAsk(): boolean {
    const { stdin, stderr } = this.#streams;
    return stdin.isTTY === true && stderr.isTTY === true;
  }

  /** Asks a question of yes or no. Enter alone says `byDefault`, and the end of the input no. */
  async confirm(question: string, byDefault = false): Promise<boolean> {
    const typed = await this.askOn(question);
    return typed !== null && (typed === '' ? byDefault : /^y(es)?$/i.test(typed));
  }

  /** Asks one of a row of questions: `null` when the input ends. Text that was typed ahead answers the next ones. */
  async askOn(question: string): Promise<string | null> {
    await write(this.#streams.stderr, escapeControls(question));
    return this.#typed.line();
  }

  /** As `askOn`, for an answer of one letter: a single key where the terminal gives keys, else a line. */
  async askKey(question: string): Promise<string | null> {
    const { stdin, stderr } = this.#streams;
    if (!this.singleKey || !stdin.setRawMode || this.env.TERM === 'dumb') return this.askOn(question);
    await write(stderr, escapeControls(question));
    const key = await this.#typed.key();
    await write(stderr, `${escapeControls(key ?? '')}\n`);
    return key;
  }

  /** Hands out standard input, once. Throws UsageError when it was taken before, or a person would have to type it. */
  input(): Readable {
    if (this.#inputTaken) throw new UsageError('standard input can be used only once');
    if (this.#streams.stdin.isTTY) {
      throw new UsageError('standard input is a terminal: pipe the text in, or name a file');
    }
    this.#inputTaken = true;
    return this.#streams.stdin;
  }
}

/** UTF-16 characters that are written at once: all of a long answer may be more than a text can hold. */
const AT_ONCE = 65_536;

/** Yields the parts as texts that are worth a write each, every one made when the one before was written. */
function* rendered(parts: ReadonlyArray<Piece | Iterable<Piece>>, look: StyleOptions): Generator<string> {
  let text = '';
  for (const part of parts) {
    for (const piece of isPiece(part) ? [part] : part) {
      text += renderPiece(piece, look);
      if (text.length < AT_ONCE) continue;
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

function rowsOf(line: readonly Piece[], columns: number): number {
  return Math.max(1, Math.ceil(line.reduce((sum, piece) => sum + columnsOf(textOf(piece)), 0) / columns));
}

function isPiece(part: Piece | Iterable<Piece>): part is Piece {
  return typeof part === 'string' || 'text' in part;
}

function lookOf(
  stream: { isTTY?: boolean },
  when: ColorWhen | undefined,
  env: NodeJS.ProcessEnv,
): StyleOptions {
  const isTerminal = stream.isTTY === true;
  const color = when === 'always' || (when !== 'never' && automatic(isTerminal, env));
  return { color, escape: isTerminal || color };
}

/** https://no-color.org and https://force-color.org: an empty value says nothing. */
function automatic(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced) return forced !== '0' && forced !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}

function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, error => (error ? reject(writeError(error)) : resolve()));
  });
}

/** A pipe that its reader closed is no failure; a full disk behind `> file` is one. */
function writeError(error: NodeJS.ErrnoException): Error {
  if (['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(error.code ?? ''))
    return new OutputClosed();
  const message = `The answer could not be written (${error.code ?? error.message}). What was done stays done: vedit log shows it.`;
  return new EditError('STORE_FAILED', message, { cause: error.code ?? null }, { cause: error });
}

/** Standard input; `setRawMode` only where it is a terminal that can. */
type Keyboard = Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/** Ctrl-C, Ctrl-Z and Ctrl-D, on which a terminal in its ordinary mode acts itself. */
const CONTROLS: Readonly<Record<string, NodeJS.Signals | null>> = {
  '\u0003': 'SIGINT',
  '\u001a': 'SIGTSTP',
  '\u0004': null,
};

/** A key that sends several characters, as the arrows do, or one character. */
const KEY = /^(?:\u001b(?:\[[0-?]*[ -/]*[@-~]|O.)?|.)/su;

/** Reads what was typed, in order: what was typed ahead comes first. */
class Typed {
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
    const done = (chunk?: unknown): void => {
      stdin.off('data', done).off('end', done).off('close', done);
      resolve(chunk === undefined ? null : String(chunk));
    };
    stdin.on('data', done).on('end', done).on('close', done).resume();
  });
}
