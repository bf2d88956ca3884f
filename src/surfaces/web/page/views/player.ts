/** Replays a file: a slider over its edits, steps, play. It stays in place while the text below it changes. */

import type { App } from '../app.ts';
import type { State } from '../contract.ts';
import type { FileStory } from '../model/file-story.ts';

export class Player {
  readonly #milliseconds = 900;

  readonly #app: App;
  readonly #bar: HTMLElement;
  readonly #slider: HTMLInputElement;
  readonly #position: HTMLElement;
  readonly #files: HTMLSelectElement;
  readonly #beads: HTMLElement;
  readonly #play: HTMLButtonElement;
  #timer: number | undefined;
  #drawn: FileStory | null = null;

  constructor(app: App) {
    this.#app = app;
    const { dom } = app;
    this.#bar = dom.get('player');
    this.#slider = dom.get<HTMLInputElement>('slider');
    this.#position = dom.get('position');
    this.#files = dom.get<HTMLSelectElement>('replayed-file');
    this.#beads = dom.get('beads');
    this.#play = dom.get<HTMLButtonElement>('play');
    this.#slider.addEventListener('input', () => this.#move(Number(this.#slider.value)));
    this.#files.addEventListener('change', () => app.openFile(Number(this.#files.value)));
    this.#play.addEventListener('click', () => this.toggle());
    dom.get('earlier').addEventListener('click', () => app.step(-1));
    dom.get('later').addEventListener('click', () => app.step(1));
    this.offer();
  }

  render({ view, file, step }: State, previous: State | null): void {
    const told = file === null ? null : this.#app.story.files[file]!;
    this.#bar.hidden = told === null || (view !== 'replay' && view !== 'blame');
    if (this.#bar.hidden) this.#stop();
    if (told === null) return;
    if (told !== this.#drawn || file !== previous?.file) this.#draw(told, file!);
    this.#show(told, step);
  }

  /** Plays from where it is, from the start when it is at the end. */
  toggle(): void {
    if (this.#timer === undefined) this.#start();
    else this.#stop();
  }

  #start(): void {
    const { state, story } = this.#app;
    if (state.file === null || this.#bar.hidden) return;
    if (state.step === story.files[state.file]!.steps.length) this.#app.toStep(0);
    this.#label('Pause', true);
    this.#timer = window.setInterval(() => {
      const { file, step } = this.#app.state;
      if (file === null || step >= this.#app.story.files[file]!.steps.length) this.#stop();
      else this.#app.toStep(step + 1);
    }, this.#milliseconds);
  }

  #move(step: number): void {
    this.#stop();
    this.#app.toStep(step);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#label('Play', false);
  }

  #label(word: string, pressed: boolean): void {
    this.#play.textContent = word;
    this.#play.setAttribute('aria-pressed', String(pressed));
  }

  /** All files that there are by now. */
  offer(): void {
    const { dom, story, words } = this.#app;
    const options = story.files.map((file, value) => dom.el('option', { value }, words.shortPath(file.name)));
    dom.patch(this.#files, options);
  }

  #draw(told: FileStory, file: number): void {
    this.#drawn = told;
    const { dom, story } = this.#app;
    this.#files.value = String(file);
    this.#slider.max = String(told.steps.length);
    const beads = told.steps.map(({ entry }, at) => {
      const name = `bead ${story.groupOf(entry).tint}${story.isBack(entry) ? ' hollow' : ''}`;
      const bead = dom.el('span', { class: name });
      bead.style.setProperty('--at', String((at + 1) / told.steps.length));
      return bead;
    });
    this.#beads.replaceChildren(...(beads.length <= 80 ? beads : []));
  }

  #show(told: FileStory, step: number): void {
    const { story, words } = this.#app;
    const count = told.steps.length;
    const where = step === 0 ? `before its ${words.count(count, 'edit')}` : `edit ${step} of ${count}`;
    const entry = step === 0 ? null : story.entries[told.steps[step - 1]!.entry]!;
    this.#slider.value = String(step);
    this.#slider.setAttribute('aria-valuetext', words.plain(entry ? `${where}: ${entry.subject}` : where));
    this.#position.textContent = where;
  }
}
