/** `vedit land -p` in the picker: the places of a landing, of which those that are beside each other are one hunk at first. */

import { gitName } from '../../../c-quote.ts';
import type { LandHunk } from '../../../land/hunks.ts';
import { type Piece, styled } from '../terminal/style.ts';
import { askedDiff, hunkText } from '../views/shown-diff.ts';
import { type EditingPlace, editHunk, tellRefused } from './hunk-edit.ts';
import type { PickedHunk, Picking } from './picker.ts';

/** Places that are beside each other. */
interface Places extends PickedHunk {
  places: LandHunk[];
}

export class LandPicking implements Picking<Places> {
  readonly question = 'Land this hunk';
  readonly isFinal = false;
  readonly help: Picking<Places>['help'] = {
    y: 'land this hunk',
    n: 'do not land this hunk: it stays in the file',
    q: 'quit; do not land this hunk or any of the remaining ones',
    a: 'land this hunk and all later hunks in the file',
    d: 'do not land this hunk or any of the later hunks in the file',
    e: 'manually edit the current hunk; what you leave is in the file, and lands',
    z: 'take back your last yes',
  };
  readonly #place: EditingPlace;
  readonly #again: () => Promise<readonly LandHunk[]>;
  readonly #known: Set<string>;

  /** `again` plans the landing once more, after an edit. */
  constructor(place: EditingPlace, hunks: readonly LandHunk[], again: () => Promise<readonly LandHunk[]>) {
    this.#place = place;
    this.#again = again;
    this.#known = new Set(hunks.map(({ id }) => id));
  }

  async accept(): Promise<boolean> {
    return true;
  }

  canSplit({ places }: Places): boolean {
    return places.length > 1;
  }

  async split({ places }: Places): Promise<Places[]> {
    return places.map(place => joined([place]));
  }

  canEdit({ places }: Places): boolean {
    return places.every(({ about }) => about === '' || about.startsWith('new file'));
  }

  async edit(hunk: Places): Promise<Places[] | null> {
    try {
      if (!(await editHunk(this.#place, hunk))) return null;
    } catch (error) {
      await tellRefused(this.#place.terminal, error);
      return null;
    }
    const own = new Set(hunk.places.map(({ id }) => id));
    const edited = (await this.#again()).filter(({ id }) => own.has(id) || !this.#known.has(id));
    for (const { id } of edited) this.#known.add(id);
    return grouped(edited);
  }

  async pieces(hunk: Places): Promise<Piece[]> {
    const { terminal } = this.#place;
    const [{ about }] = hunk.places as [LandHunk];
    const title = `${gitName(hunk.path, terminal.quotePath)}${about ? ` (${about})` : ''}\n`;
    return [styled('bold', title), ...(await askedDiff(hunk, hunkText(hunk, hunk.places), terminal))];
  }
}

/** Places of which one begins where the other ends are one hunk at first. */
export function grouped(hunks: readonly LandHunk[]): Places[] {
  const groups: LandHunk[][] = [];
  const sorted = [...hunks].sort((a, b) => (a.path === b.path ? a.before.line - b.before.line : 0));
  for (const hunk of sorted) {
    const last = groups.at(-1)?.at(-1);
    const isBeside =
      last?.path === hunk.path && last.before.line + last.before.lines.length === hunk.before.line;
    if (isBeside && last.about === '' && hunk.about === '') groups.at(-1)!.push(hunk);
    else groups.push([hunk]);
  }
  return groups.map(joined);
}

function joined(places: LandHunk[]): Places {
  const [first, last] = [places[0]!, places.at(-1)!];
  const side = (of: 'before' | 'after'): PickedHunk['before'] => {
    return { line: first[of].line, lines: places.flatMap(place => place[of].lines) };
  };
  const context = { above: first.context.above, below: last.context.below };
  return { path: first.path, places, before: side('before'), after: side('after'), context };
}
