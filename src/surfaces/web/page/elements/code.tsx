/** Lines of code and diffs, drawn when they come near, in the colours of the language that the file's name tells. */

import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { parse } from 'sugar-high/core';
import { lang, languages } from 'sugar-high/lang';
import { areSides, isOn } from '../choices.ts';
import type { Row } from '../contract.ts';
import { markWords } from '../model/diff.ts';
import { count, plain } from './text.ts';
import { visible } from './words.tsx';

/** Lines that are drawn together, when they are so many CSS pixels from what is seen; and the pixels of a line. */
const PORTION = 40;
const NEAR = 200;
const HEIGHT = 19.375;

interface CodeProps {
  label: string;
  rows: readonly Row[];
  /** The file that the lines are of, whose name tells their language. */
  path?: string;
  /** Makes an element in the place of the old number. */
  beside?: (at: number) => VNode;
  /** The row that has to be among the first that are drawn. */
  from?: number;
  /** Rows that are chosen by a press on their numbers. */
  choice?: Choice;
}

interface Choice {
  isChosen(row: Row): boolean;
  /** `isMore`: together with what is chosen. */
  choose(row: Row, isMore: boolean): void;
}

/** Draws rows in a block that can be scrolled sideways, by keyboard too. */
export function Code({ label, rows: given, path: name = '', beside, from = 0, choice }: CodeProps): VNode {
  const isNotebook = name.endsWith('.ipynb');
  const rows = useMemo(() => (isNotebook ? cellRows(given) : given), [given]);
  const path = isNotebook ? 'cells.py' : name;
  const hideReturn = useMemo(() => haveOneLineEnd(rows), [rows]);
  const tokens = useMemo(() => tokensOf(path, rows), [path, rows]);
  const isDiff = rows.some(row => row.sign !== ' ');
  const has = (side: 'old' | 'now'): boolean => rows.some(row => row[side] !== null);
  const areBeside = !beside && isDiff && has('old') && has('now') && areSides();
  const pairs = useMemo(() => (areBeside ? sideBySide(rows) : rows.map(row => [row])), [rows, areBeside]);
  const line = (row: Row | null | undefined, at: number): VNode =>
    row ? (
      <Line {...{ row, hideReturn, choice }} tokens={tokens.get(row)} beside={beside?.(at)} />
    ) : (
      <div class="line" />
    );
  const sides = `${!beside && (!isDiff || !has('old')) ? ' no-old' : ''}${has('now') ? '' : ' no-new'}`;
  const kind = `${sides}${isOn('wrap') ? ' wrap' : ''}${areBeside ? ' sides' : ''}${beside ? ' blame' : ''}`;
  return (
    <div class={`code${kind}`} role="group" tabIndex={0} aria-label={plain(label)}>
      <Portions items={pairs} from={from} drawnBy={choice}>
        {([row, other], at) =>
          areBeside ? (
            <div class="pair">
              {line(row, at)}
              {line(other, at)}
            </div>
          ) : (
            line(row, at)
          )
        }
      </Portions>
    </div>
  );
}

/** Returns the rows of a notebook with the lines of its cells as their text, without the marks of JSON around them. */
function cellRows(rows: readonly Row[]): Row[] {
  const cells = rows.map(({ marks: _, ...row }) => {
    const [line] = /(?<=^\s*)"(?:[^"\\]|\\.)*"(?=,?\r?\n?$)/.exec(row.text) ?? [];
    return line === undefined ? row : { ...row, text: `${textIn(line).replace(/\n$/, '')}\n` };
  });
  markWords(cells);
  return cells;
}

function textIn(json: string): string {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Puts each old line beside the one that replaces it. */
function sideBySide(rows: readonly Row[]): Array<Array<Row | null>> {
  const pairs: Array<Array<Row | null>> = [];
  let free: number[] = [];
  for (const row of rows) {
    if (row.sign === '+' && free.length > 0) pairs[free.shift()!]![1] = row;
    else if (row.sign === '+') pairs.push([null, row]);
    else pairs.push([row, row.sign === '-' ? null : row]);
    if (row.sign === '-') free.push(pairs.length - 1);
    if (row.sign === ' ') free = [];
  }
  return pairs;
}

interface PortionsProps<Item> {
  items: readonly Item[];
  /** The item whose portion is drawn at once. */
  from: number;
  /** Another one draws all of them again. */
  drawnBy: unknown;
  children(item: Item, at: number): VNode;
}

/** Draws items in portions: each keeps its room until it comes near, or somebody presses it. */
function Portions<Item>({ items, from, drawnBy, children: make }: PortionsProps<Item>): VNode {
  const block = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<ReadonlySet<number>>(new Set([Math.floor(Math.max(0, from) / PORTION)]));
  const draw = (portions: readonly number[]): void => setDrawn(before => new Set([...before, ...portions]));
  useEffect(() => {
    const come = (rooms: IntersectionObserverEntry[]): void => {
      const near = rooms.filter(one => one.isIntersecting);
      if (near.length > 0) draw(near.map(({ target }) => Number((target as HTMLElement).dataset.portion)));
    };
    const root = block.current!.closest('#panel, .about, .preview');
    const watch = new IntersectionObserver(come, { root, rootMargin: `${NEAR}px` });
    for (const room of block.current!.querySelectorAll('.more')) watch.observe(room);
    return () => watch.disconnect();
  }, [items, drawn]);
  const portions = Array.from({ length: Math.ceil(items.length / PORTION) }, (_, n) => n);
  return (
    <div ref={block}>
      {portions.map(n => {
        const start = n * PORTION;
        const lines = Math.min(PORTION, items.length - start);
        if (drawn.has(n)) return <Portion key={n} {...{ items, start, drawnBy, make }} />;
        const style = { height: `${lines * HEIGHT}px` };
        return (
          <button type="button" class="more" key={n} data-portion={n} style={style} onClick={() => draw([n])}>
            {count(lines, 'more line')}
          </button>
        );
      })}
    </div>
  );
}

interface PortionProps<Item> extends Pick<PortionsProps<Item>, 'items' | 'drawnBy'> {
  start: number;
  make(item: Item, at: number): VNode;
}

function Portion<Item>({ items, start, drawnBy, make }: PortionProps<Item>): VNode {
  const lines = useMemo(
    () => items.slice(start, start + PORTION).map((item, at) => make(item, start + at)),
    [items, start, drawnBy],
  );
  return <>{lines}</>;
}

interface LineProps {
  row: Row;
  hideReturn: boolean;
  tokens: readonly Token[] | undefined;
  beside: VNode | undefined;
  choice: Choice | undefined;
}

function Line({ row, hideReturn, tokens, beside, choice }: LineProps): VNode {
  const Tag = row.sign === '+' ? 'ins' : row.sign === '-' ? 'del' : 'div';
  const kind = row.sign === '+' ? ' plus-line' : row.sign === '-' ? ' minus-line' : '';
  const isChosen = choice?.isChosen(row) ? ' chosen-line' : '';
  const choose = choice && ((event: MouseEvent) => choice.choose(row, event.shiftKey));
  // Numbers are drawn by the style, so that copied text has none; of a line that both texts have one is read out.
  const number = (value: number | null, isTwice = false): VNode => (
    <span class="number" data-number={value ?? ''} aria-hidden={isTwice} onClick={choose} />
  );
  return (
    <Tag class={`line${kind}${isChosen}`}>
      {beside ?? number(row.old, row.sign === ' ')}
      {number(row.now)}
      <span class="sign">{row.sign === '-' ? '−' : row.sign}</span>
      <span class="text">{textOf(row, hideReturn, tokens)}</span>
    </Tag>
  );
}

/** Tells whether every line that is ended is ended by CR LF: then CRs say nothing. */
function haveOneLineEnd(rows: readonly Row[]): boolean {
  return rows.every(({ text }) => !text.endsWith('\n') || text.endsWith('\r\n'));
}

/** Characters of a line that are shown: around what was changed in it, where there are more. */
const LONGEST = 5_000;

function textOf(row: Row, hideReturn: boolean, tokens?: readonly Token[]): ComponentChildren {
  const { text, marks = [] } = row;
  const ended = text.endsWith('\n');
  const end = text.length - (ended ? (hideReturn && text.endsWith('\r\n') ? 2 : 1) : 0);
  const [from, to] = cutAround(marks, end);
  const parts: ComponentChildren[] = [left(from, 'before')];
  let at = from;
  for (const [start, stop] of marks) {
    if (stop <= from || start >= to) continue;
    parts.push(colored(text, at, start, tokens));
    at = Math.min(stop, to);
    parts.push(<mark>{colored(text, Math.max(start, from), at, tokens)}</mark>);
  }
  parts.push(colored(text, at, to, tokens), left(end - to, 'more'));
  if (!ended) parts.push(<span class="note"> no line end at the end of the file</span>);
  return parts;
}

/** Returns which characters of a long line are shown: those around its first mark. */
function cutAround(marks: NonNullable<Row['marks']>, end: number): [from: number, to: number] {
  const [first] = marks;
  const isShort = end <= LONGEST;
  const from = isShort || !first || first[1] <= LONGEST ? 0 : Math.max(0, first[0] - LONGEST / 5);
  return [from, isShort ? end : Math.min(end, from + LONGEST)];
}

function left(characters: number, where: string): ComponentChildren {
  return (
    characters > 0 && (
      <span class="note"> … {count(characters, `${where} character`, `${where} characters`)} </span>
    )
  );
}

function colored(text: string, from: number, to: number, tokens: readonly Token[] = []): ComponentChildren {
  if (tokens.length === 0) return visible(text.slice(from, to));
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const token of tokens) {
    const shown = token.text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (shown !== '')
      parts.push(token.kind === '' ? visible(shown) : <span class={token.kind}>{visible(shown)}</span>);
    at += token.text.length;
  }
  return parts;
}

/** A part of a line, and the CSS class of what it is; '' for what has no colour. */
interface Token {
  text: string;
  kind: string;
}

/** Characters of a block, and of a line, beyond which none is coloured: nothing makes the page wait. */
const MOST_COLOURED = { block: 60_000, line: 1_000 };

const KINDS: Readonly<Record<string, string>> = {
  keyword: 'syn-keyword',
  string: 'syn-string',
  comment: 'syn-comment',
  class: 'syn-class',
  entity: 'syn-entity',
  property: 'syn-property',
};

/** Returns the parts of each row, old and new text apart. A row that is not named there has no colours. */
function tokensOf(path: string, rows: readonly Row[]): Map<Row, Token[]> {
  const tokens = new Map<Row, Token[]>();
  const id = lang(path.slice(path.lastIndexOf('/') + 1).replace(/^.*\./, ''));
  const language = languages.find(one => one.id === id);
  const length = rows.reduce((all, { text }) => all + text.length, 0);
  if (!language || id === 'plaintext' || length > MOST_COLOURED.block) return tokens;
  for (const side of ['-', '+']) {
    const own = rows.filter(row => row.sign === side || (row.sign === ' ' && side === '+'));
    if (own.some(({ text }) => text.length > MOST_COLOURED.line)) continue;
    const { lines } = parse(own.map(({ text }) => text.replace(/\n$/, '')).join('\n'), language.config);
    for (const [at, row] of own.entries()) {
      const parts =
        lines[at]?.tokens.map(({ type, value }) => ({ text: value, kind: KINDS[type] ?? '' })) ?? [];
      // Nothing is ever shown but the text itself.
      if (parts.map(({ text }) => text).join('') === row.text.replace(/\n$/, '')) tokens.set(row, parts);
    }
  }
  return tokens;
}
