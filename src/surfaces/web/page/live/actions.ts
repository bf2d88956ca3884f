/** What the reader does: the buttons below an edit, the questions they ask, and the answers. */

import type { ErrorDataByCode, FileConflict } from '../../../../errors.ts';
import type { Holder } from '../../server/holders.ts';
import type { App } from '../app.ts';
import type { Answered } from '../connection/net.ts';
import type { Binding } from '../contract.ts';
import type { Live } from './live.ts';

export class Actions {
  readonly #app: App;
  readonly #live: Live;
  readonly #dialog: HTMLDialogElement;
  /** One after another: each is decided on what the one before left. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(app: App, live: Live) {
    this.#app = app;
    this.#live = live;
    this.#dialog = app.dom.get<HTMLDialogElement>('ask');
    app.dom.get('acts').hidden = live.readOnly;
    for (const [id, run] of Object.entries(this.#runs())) app.dom.get(id).addEventListener('click', run);
    app.dom.get('answer-close').addEventListener('click', () => this.#close());
  }

  keys(): Binding[] {
    if (this.#live.readOnly) return [];
    const runs = this.#runs();
    return [
      { keys: ['a'], does: 'accept the hunk under review', run: runs['act-accept']! },
      { keys: ['x'], does: 'reject it, with a reason', run: runs['act-reject']! },
      { keys: ['c'], does: 'claim all text that nobody claims', run: () => this.claim() },
      { keys: ['v'], does: 'review: what is not accepted yet', run: () => this.#app.show('review') },
      { keys: ['u'], does: 'take the chosen edit out', run: runs['act-revert']! },
      { keys: ['L'], does: 'land edits as a commit of yours', run: runs['act-land']! },
      { keys: ['z'], does: 'take back what you did last on this page', run: runs['act-back']! },
    ];
  }

  /** Which of the buttons mean anything now. They stay where they are. */
  render(): void {
    const { story, state, dom } = this.#app;
    const { chosen, view } = state;
    const isEdit = chosen !== null && story.isEdit(chosen) && view !== 'overview' && view !== 'review';
    const able = (id: string, isAble: boolean): void => {
      const button = dom.get<HTMLButtonElement>(id);
      // A button that has the focus keeps it.
      button.setAttribute('aria-disabled', String(!isAble));
    };
    able('act-accept', view === 'review' && this.#app.review.chosen !== null);
    able('act-reject', view === 'review' && this.#app.review.chosen !== null);
    able('act-revert', isEdit && !story.isBack(chosen));
    able('act-restore', isEdit && story.entries[chosen]!.files.length > 0);
    able('act-undo', story.entries.length > 0);
    able('act-land', story.entries.length > 0);
  }

  #runs(): Record<string, () => void> {
    const run = (work: () => Promise<unknown>) => () => {
      if (!this.#dialog.open) void work();
    };
    return {
      'act-accept': run(() => this.#accept()),
      'act-reject': run(() => this.#reject()),
      'act-revert': run(() => this.#revert()),
      'act-restore': run(() => this.#restore()),
      'act-undo': run(() => this.#act({ act: 'undo' })),
      'act-land': run(() => this.#land()),
      'act-back': run(() => this.#act({ act: 'back' })),
    };
  }

  /** All that the review tells at its end. */
  claim(): void {
    if (this.#dialog.open) return;
    if (this.#app.state.view !== 'review') this.#app.show('review');
    else if (this.#live.unclaimed) void this.#act({ act: 'claim' });
  }

  async #accept(): Promise<void> {
    const hunk = this.#app.review.chosen;
    if (this.#app.state.view !== 'review') return this.#app.show('review');
    if (hunk) await this.#act({ act: 'accept', hunk });
  }

  async #reject(): Promise<void> {
    const hunk = this.#app.review.chosen;
    if (this.#app.state.view !== 'review') return this.#app.show('review');
    if (!hunk) return;
    const reason = await this.#ask('Reject', 'Why? The agent is told with its next answer.', 'Reject');
    if (reason !== null) await this.#act({ act: 'reject', hunk, reason });
  }

  /** Takes one edit out of the middle; later ones stay. */
  async #revert(given?: string): Promise<void> {
    const { state, story } = this.#app;
    const commit = given ?? (state.chosen === null ? undefined : story.entries[state.chosen]!.commit);
    if (commit === undefined || (given === undefined && !this.#isAble('act-revert'))) return;
    await this.#act({ act: 'revert', commit });
  }

  #isAble(id: string): boolean {
    return this.#app.dom.get(id).getAttribute('aria-disabled') !== 'true';
  }

  async #restore(): Promise<void> {
    const { state, story, words } = this.#app;
    if (state.chosen === null || !this.#isAble('act-restore')) return;
    const { commit, files } = story.entries[state.chosen]!;
    const own = state.onlyFile ?? state.file;
    const file = files[own === null ? 0 : Math.max(0, story.filesOf(state.chosen).indexOf(own))]!;
    const question = `${words.plain(file.path)} becomes what it was after this edit. Later edits of it are taken back by one commit.`;
    const reason = await this.#ask('Restore', `${question} Why?`, 'Restore');
    if (reason !== null) await this.#act({ act: 'restore', commit, path: file.path, reason });
  }

  async #land(): Promise<void> {
    const { state, story, words, dom } = this.#app;
    const chosen = state.chosen === null ? null : story.entries[state.chosen]!;
    const offer = (value: string, label: string, isOffered: boolean): HTMLElement | false =>
      isOffered &&
      dom.el(
        'label',
        { class: 'choice' },
        dom.el('input', { type: 'radio', name: 'what', value, checked: value === 'all' }),
        ` ${label}`,
      );
    const session = chosen?.session ?? null;
    const what = dom.el(
      'div',
      { role: 'radiogroup', 'aria-label': 'What' },
      offer('all', 'everything that has not landed', true),
      offer('edit', 'the chosen edit alone', chosen !== null && story.isEdit(state.chosen!)),
      offer('session', `session ${words.plain(session ?? '')}`, session !== null),
    );
    const message = await this.#ask('Land', 'The message of your commit:', 'Land', what);
    if (message === null) return;
    const picked = what.querySelector<HTMLInputElement>('input:checked')?.value;
    await this.#act({
      act: 'land',
      ...(message === '' ? {} : { message }),
      ...(picked === 'edit' && chosen ? { commits: [chosen.commit] } : {}),
      ...(picked === 'session' && session !== null ? { session } : {}),
    });
  }

  /** Resolves with whether it was done. */
  #act(asked: Readonly<Record<string, unknown>>): Promise<boolean> {
    const done = this.#last.then(() => this.#send(asked));
    this.#last = done;
    return done;
  }

  async #send(asked: Readonly<Record<string, unknown>>): Promise<boolean> {
    const base = this.#live.head;
    const answered = await this.#live.net.act({ base, ...asked });
    await this.#live.refresh();
    this.#show(answered, asked);
    return answered.ok;
  }

  /** The words of the library, where it is held, and by which edits. */
  #show(answered: Answered, asked: Readonly<Record<string, unknown>>): void {
    const { dom, words } = this.#app;
    // A diff that would follow is on the page already.
    const first = answered.message.split('\n')[0]!.replace(/:$/, '');
    const place = dom.get('answer');
    place.classList.toggle('refused', !answered.ok);
    // The place of a conflict is drawn below.
    const text = answered.ok || answered.code === 'CONFLICT' ? first : answered.message;
    const said = text.split('\n').flatMap((line, at) => [at > 0 && dom.el('br'), ...words.visible(line)]);
    dom
      .get('answer-text')
      .replaceChildren(
        answered.ok ? '' : dom.el('strong', {}, `${answered.code} `),
        ...said.map(one => one || ''),
      );
    dom.get('answer-more').replaceChildren(...(answered.ok ? [] : this.#ways(answered, asked)));
    place.hidden = false;
  }

  /** Of a conflict: the lines that stand in the way, and the edits that hold them. */
  #ways(
    { message, data, held_by: holders = [] }: Answered,
    asked: Readonly<Record<string, unknown>>,
  ): Node[] {
    const { dom, story, words } = this.#app;
    const { conflicts = [], builds_on: builds } = Object(data) as Partial<ErrorDataByCode['CONFLICT']>;
    const all = { type: 'button', click: () => void this.#act({ ...asked, together: true }) };
    const named = message.match(/\b[0-9a-f]{7,40}\b/g) ?? [];
    const held = (holders as Holder[]).map(({ commit }) => commit);
    const entries = [...new Set([...held, ...named].flatMap(id => story.find(id) ?? []))].slice(0, 5);
    const items = entries.map(index => {
      const { commit, subject, reason } = story.entries[index]!;
      const show = { type: 'button', class: 'link', click: () => this.#app.chooseCommit(commit) };
      const take = { type: 'button', click: () => void this.#revert(commit) };
      const canTake = held.includes(commit) && story.isEdit(index) && !story.isBack(index);
      const about = words.visible(`${story.groupOf(index).name}: ${reason || subject}`.split('\n')[0]!);
      return dom.el(
        'li',
        {},
        dom.el('button', show, held.includes(commit) ? 'held by ' : '', ...about),
        canTake && dom.el('button', take, 'Take that out first'),
      );
    });
    return [
      ...conflicts.slice(0, 3).flatMap(conflict => this.#conflict(conflict)),
      ...(items.length > 0 ? [dom.el('ul', { class: 'ways' }, ...items)] : []),
      ...(builds && asked.act === 'reject' ? [dom.el('button', all, 'Reject them together')] : []),
    ];
  }

  #conflict({ path, regions }: FileConflict): Node[] {
    const { dom, code, words } = this.#app;
    return regions.slice(0, 3).flatMap(({ start_line: line, present, wanted }) => [
      dom.el('div', { class: 'hunk' }, words.path(path), `, line ${words.number(line)}: present and wanted`),
      code.block(`${path}, line ${line}`, [
        ...this.#lines(present).map((text, at) => ({
          sign: '-' as const,
          old: line + at,
          now: null,
          text,
        })),
        ...this.#lines(wanted).map(text => ({ sign: '+' as const, old: null, now: null, text })),
      ]),
    ]);
  }

  #lines(text: string): string[] {
    return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  }

  #close(): void {
    this.#app.dom.get('answer').hidden = true;
    this.#app.dom.get('panel').focus({ preventScroll: true });
  }

  /** Asks for a text; `null` when it was put off. */
  #ask(title: string, question: string, does: string, further?: HTMLElement): Promise<string | null> {
    const { dom } = this.#app;
    const field = dom.el('textarea', { id: 'ask-text', rows: 3, 'aria-labelledby': 'ask-question' });
    const answer = new Promise<string | null>(resolve => {
      const end = (value: string | null): void => {
        resolve(value);
        this.#dialog.close();
      };
      this.#dialog.onclose = () => resolve(null);
      field.addEventListener('keydown', event => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) end(field.value.trim());
      });
      this.#dialog.replaceChildren(
        dom.el('h2', { id: 'ask-title' }, title),
        further ?? '',
        dom.el('p', { id: 'ask-question' }, question),
        field,
        dom.el(
          'div',
          { class: 'answers' },
          dom.el('button', { type: 'button', class: 'main', click: () => end(field.value.trim()) }, does),
          dom.el('button', { type: 'button', click: () => end(null) }, 'Not now'),
          dom.el('span', { class: 'dim' }, 'Ctrl+Enter'),
        ),
      );
    });
    this.#dialog.showModal();
    field.focus();
    return answer;
  }
}
