/** The sign of an entry: a disc is an edit, a diamond is from outside, a ring was taken back. */

import type { VNode } from 'preact';
import type { Kind } from '../model/story.ts';

/** Paths that are drawn into the dot, in a box of 16 by 16. */
const SIGNS: Readonly<Record<Kind, string>> = {
  edit: '',
  create: 'M8 5.2v5.6M5.2 8h5.6',
  delete: 'M5.2 8h5.6',
  move: 'M5 8h5.6M8.4 5.6 10.8 8 8.4 10.4',
  undo: 'M7 4.8 4.8 7 7 9.2M4.8 7h4.4a1.9 1.9 0 0 1 0 3.8H7.6',
  redo: 'M9 4.8 11.2 7 9 9.2M11.2 7H6.8a1.9 1.9 0 0 0 0 3.8h1.6',
  back: 'M7.6 5.2 4.8 8l2.8 2.8M11.2 5.2 8.4 8l2.8 2.8',
  outside: '',
  sync: 'M8 4.8v6M5.6 8.4 8 10.8l2.4-2.4',
  commit: '',
};

export function Dot({ kind, isBack, column }: { kind: Kind; isBack: boolean; column: number }): VNode {
  return (
    <svg viewBox="0 0 16 16" class={`dot${isBack ? ' hollow' : ''}`} style={{ '--column': column }}>
      <Shape kind={kind} />
      {SIGNS[kind] !== '' && <path d={SIGNS[kind]} class="sign" />}
    </svg>
  );
}

function Shape({ kind }: { kind: Kind }): VNode {
  if (kind === 'outside') return <path d="M8 1.8 14.2 8 8 14.2 1.8 8z" class="shape" />;
  if (kind === 'commit') return <rect x="3" y="3" width="10" height="10" rx="2" class="shape" />;
  return <circle cx="8" cy="8" r={kind === 'edit' ? 5 : 6.6} class="shape" />;
}
