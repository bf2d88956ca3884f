/** The keyboard: what each key does, and when it is the focused element's. */

import type { App } from './app.ts';
import { keep, recall, toggleTheme } from './choices.ts';
import type { Binding } from './contract.ts';
import type { Actions } from './live/actions.ts';

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
  else help.showModal();
}

/** Lists what the keys do, `actions` first. */
export function bindings(app: App, actions: Actions | null): Binding[] {
  const end = Number.POSITIVE_INFINITY;
  return [
    ...(actions && !actions.readOnly ? actionKeys(app, actions) : []),
    key('j ArrowDown', 'next edit down the list', () => app.move(1), 'j ↓'),
    key('k ArrowUp', 'next edit up the list', () => app.move(-1), 'k ↑'),
    key('Enter', 'show the chosen edit; in the search, the first that fits', () => open(app)),
    key('g Home', 'first of the list', () => app.move(-end)),
    key('G End', 'last of the list', () => app.move(end)),
    key('ArrowLeft h', 'earlier edit of the same file', () => app.step(-1), '← h'),
    key('ArrowRight l', 'later edit of the same file', () => app.step(1), '→ l'),
    key('o', 'overview', () => app.show('overview')),
    key('d', 'changes: the diff', () => app.show('changes')),
    key('r', 'replay the file', () => app.show('replay')),
    key('b', 'blame: which edit wrote each line', () => app.show('blame')),
    { ...key('p', 'play or pause', () => app.play(), 'p Space'), keys: ['p', ' '] },
    key('f', 'choose a file', () => element('only-file')?.focus()),
    key('/', 'search', search),
    key('Escape', 'show all edits again', () => showAll(app, actions), 'Esc'),
    key('t', 'light or dark', () => switchTheme(app)),
    key('?', 'this help', toggleHelp),
  ];
}

/** `shown`: the keys as the help shows them. */
function key(keys: string, does: string, run: () => void, shown: string = keys): Binding {
  return { keys: keys.split(' '), shown, does, run };
}

/** Light or dark, and the page drawn in it. */
export function switchTheme(app: App): void {
  toggleTheme();
  app.onChange();
}

function actionKeys(app: App, actions: Actions): Binding[] {
  const revert = (): void => {
    const { chosen } = app.state;
    if (actions.can.revert) actions.revert(app.story.entries[chosen!]!.commit);
  };
  return [
    key('a', 'accept the hunk under review', () => actions.accept()),
    key('x', 'reject it, with a reason', () => actions.reject()),
    key('A', 'accept all hunks of its file', () => acceptFile(actions)),
    key('s', 'split it', () => actions.split()),
    key('e', 'edit it, and accept that', () => actions.edit()),
    key('c', 'claim all text that nobody claims', () => actions.claim()),
    key('v', 'review: what is not accepted yet', () => app.show('review')),
    key('u', 'take the chosen edit out', revert),
    key('L', 'land edits as a commit of yours', () => actions.land()),
    key('z', 'take back what you did last on this page', () => actions.back()),
  ];
}

function acceptFile(actions: Actions): void {
  const { chosen } = actions;
  if (chosen && actions.isShown) actions.acceptAll(chosen, 'file');
}

/** Does what a key means, unless a dialog or the focused element needs it. */
export function listen(all: () => readonly Binding[]): void {
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const help = element<HTMLDialogElement>('help');
    if (help?.open ? event.key !== '?' : document.querySelector('dialog[open]') !== null) return;
    if (!hasSingleKeys() && event.key.length === 1) return;
    if (isTaken(event)) return;
    const binding = all().find(({ keys }) => keys.includes(event.key));
    if (!binding) return;
    event.preventDefault();
    binding.run();
  });
}

/** Tells whether the focused element needs the key for itself. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || key === 'Escape') return false;
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  // In the search the list is gone through without leaving it.
  if (target instanceof HTMLInputElement && target.type === 'search')
    return !['Enter', 'ArrowUp', 'ArrowDown'].includes(key);
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return key === ' ';
  if (target instanceof HTMLInputElement) return target.type !== 'range' || key.length > 1;
  if (key === ' ' || key === 'Enter') return target.closest('button, summary') !== null;
  if (target.closest('#panel') === null) return false;
  const code = target.closest('.code');
  const isWide = code !== null && code.scrollWidth > code.clientWidth;
  return ['ArrowUp', 'ArrowDown', 'Home', 'End', ...(isWide ? ['ArrowLeft', 'ArrowRight'] : [])].includes(
    key,
  );
}

function open(app: App): void {
  app.open();
  element('list')?.focus();
}

function search(): void {
  const words = element<HTMLInputElement>('only-words');
  words?.focus();
  words?.select();
}

function showAll(app: App, actions: Actions | null): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (app.state.view === 'review') actions?.narrow(null);
  else app.narrow({ onlyFile: null, onlyGroup: null, words: '' });
}
