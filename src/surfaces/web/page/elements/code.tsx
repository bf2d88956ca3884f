/** Lines of code and diffs, as many at once as a browser draws without a pause. */

import type { ComponentChildren, VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Row } from '../contract.ts';
import { count, plain } from './text.ts';
import { visible } from './words.tsx';

/** Lines that are drawn at once; the others wait behind a button. */
const MOST = 2000;

/** A block of rows that can be scrolled sideways, by keyboard too. */
export function Code({ label, rows }: { label: string; rows: readonly Row[] }): VNode {
  const hideReturn = useMemo(() => haveOneLineEnd(rows), [rows]);
  const isDiff = rows.some(row => row.sign !== ' ');
  const has = (side: 'old' | 'now'): boolean => rows.some(row => row.folded || row[side] !== null);
  const sides = `${!isDiff || !has('old') ? ' no-old' : ''}${has('now') ? '' : ' no-new'}`;
  return (
    <Block label={label} kind={sides}>
      <Lines rows={rows} hideReturn={hideReturn} />
    </Block>
  );
}

export function Block(props: { label: string; kind: string; children: ComponentChildren }): VNode {
  return (
    <div class={`code${props.kind}`} role="region" tabIndex={0} aria-label={plain(props.label)}>
      {props.children}
    </div>
  );
}

function Lines({ rows, hideReturn }: { rows: readonly Row[]; hideReturn: boolean }): VNode {
  return (
    <Portions
      items={rows}
      make={row =>
        row.folded ? (
          <Folded rows={row.folded} hideReturn={hideReturn} />
        ) : (
          <Line row={row} hideReturn={hideReturn} />
        )
      }
    />
  );
}

/** Draws items in portions; `make` gives the element of an item. */
export function Portions<Item>(props: {
  items: readonly Item[];
  make: (item: Item, index: number) => VNode;
}): VNode {
  const { items, make } = props;
  const [shown, show] = useState(MOST);
  const drawn = useMemo(() => items.slice(0, shown).map(make), [items, shown]);
  const left = items.length - drawn.length;
  return (
    <>
      {drawn}
      {left > 0 && (
        <button type="button" class="more" onClick={() => show(shown + MOST)}>
          Show more: {count(left, 'line')} left
        </button>
      )}
    </>
  );
}

function Folded({ rows, hideReturn }: { rows: readonly Row[]; hideReturn: boolean }): VNode {
  const [isOpen, open] = useState(false);
  if (isOpen) return <Lines rows={rows} hideReturn={hideReturn} />;
  return (
    <button type="button" class="more" onClick={() => open(true)}>
      ⋯ {count(rows.length, 'unchanged line')}
    </button>
  );
}

/** One line, with `beside` in the place of its old number. */
export function Line(props: { row: Row; hideReturn: boolean; beside?: VNode; name?: string }): VNode {
  const { row, hideReturn, beside = <LineNumber value={row.old} />, name = '' } = props;
  const Tag = row.sign === '+' ? 'ins' : row.sign === '-' ? 'del' : 'div';
  const kind = row.sign === '+' ? ' plus-line' : row.sign === '-' ? ' minus-line' : '';
  return (
    <Tag class={`line${kind}${name}`}>
      {beside}
      <LineNumber value={row.now} />
      <span class="sign">{row.sign === '-' ? '−' : row.sign}</span>
      <span class="text">{textOf(row, hideReturn)}</span>
    </Tag>
  );
}

/** Numbers are drawn by the style, so that copied text has none. */
function LineNumber({ value }: { value: number | null }): VNode {
  return <span class="number" data-number={value ?? ''} />;
}

/** True when every line that is ended is ended by CR LF: then CRs say nothing. */
export function haveOneLineEnd(rows: ReadonlyArray<{ text: string; folded?: readonly Row[] }>): boolean {
  return rows
    .flatMap((row): ReadonlyArray<{ text: string }> => row.folded ?? [row])
    .every(row => !row.text.endsWith('\n') || row.text.endsWith('\r\n'));
}

function textOf({ text, from, to }: Row, hideReturn: boolean): ComponentChildren {
  const ended = text.endsWith('\n');
  const end = text.length - (ended ? (hideReturn && text.endsWith('\r\n') ? 2 : 1) : 0);
  const [start, stop] = [Math.min(from ?? end, end), Math.min(to ?? end, end)];
  return [
    visible(text.slice(0, start)),
    stop > start && <mark>{visible(text.slice(start, stop))}</mark>,
    visible(text.slice(Math.max(start, stop), end)),
    !ended && <span class="note"> no line end at the end of the file</span>,
  ];
}
