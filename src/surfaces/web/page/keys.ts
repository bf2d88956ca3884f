/** The keyboard: what each key does, and when it is the focused element's. */

import { ALL_ENTRIES } from './app.ts';
import { keep, recall } from './choices.ts';
import { actions, app, reviewing } from './parts.ts';

/** A key and what it does; `keys` as the browser names them. */
export interface Binding {
  keys: readonly string[];
  shown: string;
  does: string;
  run(): void;
}

const KEY = 'vedit-keys';

const element = <Type extends HTMLElement>(id: string): Type | null =>
  document.getElementById(id) as Type | null;

/** Tells whether keys of one letter do anything: who speaks to the computer can do without (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  return recall(KEY) !== 'off';
}

export function setSingleKeys(isOn: boolean): void {
  keep(KEY, isOn ? 'on' : 'off');
}

export function toggleHelp(): void {
  const help = element<HTMLDialogElement>('help')!;
  if (help.open) help.close();
  else {
    help.showModal();
    // Else the browser goes to the first thing that can be pressed, below all keys.
    element('help-title')!.focus();
  }
}

const END = Number.POSITIVE_INFINITY;

/** Answers to a hunk, by the keys of git. */
const SAYS: readonly Binding[] = [
  key('y', 'accept the hunk, or the lines chosen in it', () => reviewing.accept()),
  key('n', 'leave it for later', () => reviewing.leave()),
  key('a', 'accept it and all later hunks of the file', () => reviewing.acceptRest()),
  key('d', 'leave it and all later hunks of the file', () => reviewing.leave(true)),
  key('r', 'reject it: you are asked why, and the agent is told', () => reviewing.reject()),
  key('c', 'say something of it to the agent, without rejecting', () => reviewing.comment()),
  key('s', 'split it', () => reviewing.split()),
  key('e', 'edit it, and accept that', () => reviewing.edit()),
  key('m', 'all that nobody claims is yours', () => reviewing.claim()),
];

const ACTS: readonly Binding[] = [
  key('z', 'take back what you did last on this page', () => reviewing.back()),
  key('u', 'take the chosen edit out', () => actions.can.revert && actions.revert()),
  key('L', 'land: make a commit of yours', () => actions.land()),
];

export const BINDINGS: readonly Binding[] = [
  ...(actions.readOnly ? [] : [...SAYS, ...ACTS]),
  key('j ArrowDown', 'next hunk, or edit down the list', () => app.move(1), 'j ↓'),
  key('k ArrowUp', 'previous hunk, or edit up the list', () => app.move(-1), 'k ↑'),
  key('N', 'next file to review', () => reviewing.moveFile(1)),
  key('P', 'previous file to review', () => reviewing.moveFile(-1)),
  key('g Home', 'first of the list', () => app.move(-END)),
  key('G End', 'last of the list', () => app.move(END)),
  key(' ', 'scroll on, with Shift back', () => scroll(1), 'Space'),
  key('Enter', 'show the chosen edit; in the search, the first that fits', open),
  key('ArrowLeft h', 'earlier edit of the same file', () => app.stepBy(-1), '← h'),
  key('ArrowRight l', 'later edit of the same file', () => app.stepBy(1), '→ l'),
  key('1', 'review: what is not accepted yet', () => app.show('review')),
  key('2', 'history: the diff of an edit', () => app.show('history')),
  key('3', 'the file line by line: who wrote each and why', () => app.show('file')),
  key('f', 'choose a file', () => (element('shown-file') ?? element('only-file'))?.focus()),
  key('/', 'search', search),
  key('Escape', 'close the answer; show all again', showAll, 'Esc'),
  key('?', 'this help', toggleHelp),
];

/** Makes a binding; `shown`: the keys as the help shows them. */
function key(keys: string, does: string, run: () => void, shown: string = keys): Binding {
  return { keys: keys.split(' '), shown, does, run };
}

/** Does what a key means, unless a dialog or the focused element needs it. */
export function listen(): void {
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const help = element<HTMLDialogElement>('help');
    if (help?.open ? event.key !== '?' : document.querySelector('dialog[open]') !== null) return;
    if (!hasSingleKeys() && event.key.length === 1) return;
    if (isTaken(event)) return;
    const binding = BINDINGS.find(({ keys }) => keys.includes(event.key));
    if (!binding) return;
    event.preventDefault();
    if (event.key === ' ' && event.shiftKey) scroll(-1);
    else binding.run();
  });
}

/** Scrolls the panel by most of what it shows. */
function scroll(by: 1 | -1): void {
  const panel = element('panel')!;
  panel.scrollBy({ top: by * panel.clientHeight * 0.85 });
}

/** Tells whether the focused element needs the key for itself. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || key === 'Escape') return false;
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  // In the search the list is gone through without leaving it.
  if (target instanceof HTMLInputElement && target.type === 'search')
    return !['Enter', 'ArrowUp', 'ArrowDown'].includes(key);
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return key === ' ';
  if (target instanceof HTMLInputElement) return true;
  if (key === ' ' || key === 'Enter') return target.closest('button, summary') !== null;
  if (target.closest('#panel') === null) return false;
  const code = target.closest('.code');
  const isWide = code !== null && code.scrollWidth > code.clientWidth;
  return ['ArrowUp', 'ArrowDown', 'Home', 'End', ...(isWide ? ['ArrowLeft', 'ArrowRight'] : [])].includes(
    key,
  );
}

function open(): void {
  const words = element('only-words')!;
  const isSearch = document.activeElement === words;
  if (app.state.view !== 'review') {
    app.open();
    element('list')?.focus();
  } else if (isSearch) {
    words.blur();
    reviewing.first();
  } else reviewing.reveal();
}

function search(): void {
  const words = element<HTMLInputElement>('only-words');
  words?.focus();
  words?.select();
}

function showAll(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (actions.said) actions.closeAnswer();
  else if (app.state.view === 'review') reviewing.narrow(null);
  else app.narrow(ALL_ENTRIES);
}
