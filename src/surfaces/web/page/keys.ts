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
    { keys: ['j', 'ArrowDown'], shown: 'j ↓', does: 'next edit down the list', run: () => app.move(1) },
    { keys: ['k', 'ArrowUp'], shown: 'k ↑', does: 'next edit up the list', run: () => app.move(-1) },
    {
      keys: ['Enter'],
      does: 'show the chosen edit; in the search, the first that fits',
      run: () => open(app),
    },
    { keys: ['g', 'Home'], does: 'first of the list', run: () => app.move(-end) },
    { keys: ['G', 'End'], does: 'last of the list', run: () => app.move(end) },
    {
      keys: ['ArrowLeft', 'h'],
      shown: '← h',
      does: 'earlier edit of the same file',
      run: () => app.step(-1),
    },
    { keys: ['ArrowRight', 'l'], shown: '→ l', does: 'later edit of the same file', run: () => app.step(1) },
    { keys: ['o'], does: 'overview', run: () => app.show('overview') },
    { keys: ['d'], does: 'changes: the diff', run: () => app.show('changes') },
    { keys: ['r'], does: 'replay the file', run: () => app.show('replay') },
    { keys: ['b'], does: 'blame: which edit wrote each line', run: () => app.show('blame') },
    { keys: ['p', ' '], shown: 'p Space', does: 'play or pause', run: () => app.play() },
    { keys: ['f'], does: 'choose a file', run: () => element('only-file')?.focus() },
    { keys: ['/'], does: 'search', run: search },
    { keys: ['Escape'], shown: 'Esc', does: 'show all edits again', run: () => showAll(app, actions) },
    {
      keys: ['t'],
      does: 'light or dark',
      run: () => {
        toggleTheme();
        app.onChange();
      },
    },
    { keys: ['?'], does: 'this help', run: toggleHelp },
  ];
}

function actionKeys(app: App, actions: Actions): Binding[] {
  const revert = (): void => {
    const { chosen } = app.state;
    if (actions.can.revert) actions.revert(app.story.entries[chosen!]!.commit);
  };
  return [
    { keys: ['a'], does: 'accept the hunk under review', run: () => actions.accept() },
    { keys: ['x'], does: 'reject it, with a reason', run: () => actions.reject() },
    { keys: ['A'], does: 'accept all hunks of its file', run: () => acceptFile(actions) },
    { keys: ['s'], does: 'split it', run: () => actions.split() },
    { keys: ['e'], does: 'edit it, and accept that', run: () => actions.edit() },
    { keys: ['c'], does: 'claim all text that nobody claims', run: () => actions.claim() },
    { keys: ['v'], does: 'review: what is not accepted yet', run: () => app.show('review') },
    { keys: ['u'], does: 'take the chosen edit out', run: revert },
    { keys: ['L'], does: 'land edits as a commit of yours', run: () => actions.land() },
    { keys: ['z'], does: 'take back what you did last on this page', run: () => actions.back() },
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
