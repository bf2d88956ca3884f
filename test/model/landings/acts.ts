/** What two agents, a person and a shell do to the files of a repository; what is refused comes to nothing. */

import type { Session } from '../../../src/index.ts';
import { applied, type Change, changes, merged } from '../status/lines.ts';
import type { Held, Place, Tree } from './place.ts';
import { FILES, type FileName, fileOf, joined, NAMES, parted, type Rows, rowsIn, withMark } from './rows.ts';

/** A number below the limit. */
export type Draw = (below: number) => number;

const TEXTS = ['a', 'a', 'a', 'crlf', 'made'] as const;

const pick = <T>(draw: Draw, list: readonly T[]): T => list[draw(list.length)]!;

/** Texts of the model of states are lists of numbers: the same rules for rows. */
function inNumbers(...texts: Rows[]): {
  numbers: number[][];
  rows: (numbers: readonly number[]) => string[];
} {
  const known = [...new Set(texts.flat())];
  return {
    numbers: texts.map(text => text.map(row => known.indexOf(row))),
    rows: numbers => numbers.map(number => known[number]!),
  };
}

/** Some of the changes from one text to another. */
function partly(from: Rows, to: Rows, isMeant: () => boolean): Rows {
  const { numbers, rows } = inNumbers(from, to);
  const all: Change[] = changes(numbers[0]!, numbers[1]!);
  return rows(applied(numbers[0]!, all.filter(isMeant)));
}

function joinedChanges(base: Rows, ours: Rows, theirs: Rows): Rows | null {
  const { numbers, rows } = inNumbers(base, ours, theirs);
  const found = merged(numbers[0]!, numbers[1]!, numbers[2]!);
  return found && rows(found);
}

export class Person {
  readonly place: Place;
  readonly draw: Draw;
  readonly sessions: readonly Session[];
  /** What was put aside. */
  readonly aside: Array<{ file: FileName; base: Rows; rows: Rows }> = [];
  #lines = 0;

  constructor(place: Place, draw: Draw) {
    this.place = place;
    this.draw = draw;
    this.sessions = ['s1', 's2'].map(id => place.workspace.session({ id, agent: `agent-${id}` }));
  }

  async tree(): Promise<Tree> {
    const tree = new Map<string, Held>();
    for (const path of Object.values(FILES).flat()) {
      const held = await this.place.read(path);
      if (held) tree.set(path, held);
    }
    return tree;
  }

  async head(): Promise<Tree> {
    return (await this.place.at((await this.place.ref('HEAD'))!)).tree;
  }

  /** What the newest commits of the trail held. */
  async older(): Promise<Tree> {
    let commit = await this.place.at(
      (await this.place.ref('refs/vedit/main')) ?? (await this.place.ref('HEAD'))!,
    );
    for (let left = this.draw(6); left > 0 && commit.parents[0]; left--)
      commit = await this.place.at(commit.parents[0]);
    return commit.tree;
  }

  async rows(file: FileName): Promise<Rows> {
    return rowsIn(await this.tree(), file) ?? [];
  }

  /** Writes a file as a person does, under the one name that it has then. */
  async write(file: FileName, rows: Rows): Promise<void> {
    const made = fileOf(rows);
    for (const path of FILES[file]) if (path !== made?.[0]) await this.place.write(path, null);
    if (made) await this.place.write(...made);
  }

  /** Brings the trail up to HEAD, by an edit beside all others. */
  async poke(): Promise<void> {
    const tip = await this.place.ref('refs/vedit/main');
    const head = await this.place.ref('HEAD');
    const seen = tip && /^Vedit-Head: (.*)$/m.exec((await this.place.at(tip)).message)?.[1];
    if (seen === head) return;
    const input = { path: FILES.other[0], file_text: `${this.line('other')}\n`, overwrite: true };
    await this.sessions[0]!.edit('create', input);
  }

  line(file: FileName): string {
    return `line ${this.#lines++}${file === 'crlf' ? '\r' : ''}`;
  }

  /** Some of the lines replaced, taken out, or with new ones between. */
  changed(file: FileName, rows: Rows): Rows {
    const { draw } = this;
    const { marks, lines, open } = parted(
      rows.length > 0 ? rows : [`@name ${FILES[file][0]}`, '@mode 100644'],
    );
    const from = draw(lines.length + 1);
    const gone = lines.slice(from, from + draw(4));
    const count = gone.length === 0 ? 1 + draw(2) : draw(3);
    const put = Array.from({ length: count }, () => this.line(file));
    const fresh = [...lines.slice(0, from), ...put, ...lines.slice(from + gone.length)];
    return joined({ marks, lines: fresh, open: draw(20) === 0 ? !open : open });
  }
}

type Act = (person: Person) => unknown;

/** An agent writes files as a whole; what is refused as rejected is sometimes sent again with a reason. */
const edit: Act = async person => {
  const { draw, sessions } = person;
  const inputs = [];
  for (const file of new Set(draw(5) ? [pick(draw, TEXTS)] : (['a', 'crlf'] as const))) {
    const once = person.changed(file, await person.rows(file));
    const [path, { bytes }] = fileOf(draw(4) ? once : person.changed(file, once))!;
    inputs.push({ edit: 'create', path, file_text: Buffer.from(bytes).toString(), overwrite: true });
  }
  await sessions[draw(2)]!.change(inputs);
};

/** Puts in again what is gone, by a tool of its own where ours refuses it: as an agent does who will not hear. */
const overrule: Act = async person => {
  const { draw, sessions, place } = person;
  const file = pick(draw, TEXTS);
  const now = await person.rows(file);
  const then = rowsIn(await person.older(), file) ?? [];
  const lines = partly(parted(now).lines, parted(then).lines, () => draw(2) === 0);
  const made = fileOf(joined({ ...parted(now), lines }));
  if (!made) return;
  const input = { path: made[0], file_text: Buffer.from(made[1].bytes).toString(), overwrite: true };
  const session = sessions[draw(2)]!;
  await session.edit('create', input).catch(async error => {
    if (error.code !== 'REJECTED') throw error;
    await place.write(...made);
    await session.record([made[0]]);
  });
};

const move: Act = async ({ draw, sessions, place }) => {
  const names = pick(draw, [FILES.a, FILES.a, FILES.binary]);
  const [from, to] = (await place.read(names[0])) ? names : [names[1], names[0]];
  await sessions[draw(2)]!.edit('move', { path: from!, new_path: to! });
};

const remove: Act = ({ draw, sessions }) =>
  sessions[draw(2)]!.edit('delete', { path: pick(draw, ['a.txt', 'b.txt', 'n.txt', 'i.bin']) });

const type: Act = async person => {
  const file = pick(person.draw, TEXTS);
  const rows = await person.rows(file);
  if (rows.length > 0) await person.write(file, person.changed(file, rows));
};

const mode: Act = async person => {
  const file = pick(person.draw, NAMES);
  const rows = await person.rows(file);
  if (rows.length > 0)
    await person.write(file, withMark(rows, 'mode', rows.includes('@mode 100644') ? '100755' : '100644'));
};

const binary: Act = async person => {
  const rows = await person.rows('binary');
  if (rows.length > 0)
    await person.write('binary', [
      ...rows.slice(0, 2),
      `@blob 00${Buffer.from(person.line('a')).toString('hex')}`,
    ]);
};

const undo: Act = ({ draw, sessions }) =>
  sessions[draw(2)]!.undo({ count: 1 + draw(2), scope: draw(4) ? 'trail' : 'session' });

const redo: Act = ({ draw, sessions }) => sessions[draw(2)]!.redo({ scope: draw(4) ? 'trail' : 'session' });

const rollback: Act = ({ draw, sessions }) =>
  sessions[draw(2)]!.rollback(`~${draw(4)}`, draw(2) ? { paths: ['a.txt'] } : { withOthers: true });

const reject: Act = async ({ draw, place: { workspace } }) => {
  const hunk = pick(draw, (await workspace.review()).data.hunks);
  if (!hunk) return;
  const { commit: at, path, lines, version } = hunk;
  await workspace.reject({ at, path, lines, ...(version ? { version } : {}), reason: 'no' });
};

const accept: Act = ({ draw, place: { workspace } }) =>
  workspace.accept(draw(2) ? { all: true } : { path: pick(draw, ['a.txt', 'b.txt']) });

/** Sets some of what differs back to HEAD's, or to an older text, by hand. */
const setBack: Act = async person => {
  const { draw } = person;
  const file = pick(draw, NAMES);
  const [now, then] = [
    await person.rows(file),
    rowsIn(draw(2) ? await person.head() : await person.older(), file),
  ];
  if (then) await person.write(file, partly(now, then, draw(3) ? () => draw(2) === 0 : () => true));
};

/** Types in again what was written, and is gone. */
const typeAgain: Act = async person => {
  const file = pick(person.draw, TEXTS);
  const [head, older] = [await person.head(), await person.older()];
  const [base, then] = [rowsIn(head, file), rowsIn(older, file)];
  const rows = base && then && joinedChanges(base, await person.rows(file), then);
  if (rows) await person.write(file, rows);
};

/** As a stash does, of one file. */
const putAside: Act = async person => {
  const file = pick(person.draw, NAMES);
  const base = rowsIn(await person.head(), file);
  const rows = await person.rows(file);
  if (!base || base.join() === rows.join()) return;
  person.aside.push({ file, base, rows });
  await person.write(file, base);
};

const pop: Act = async person => {
  const found = person.aside.pop();
  const rows = found && joinedChanges(found.base, await person.rows(found.file), found.rows);
  if (rows) await person.write(found.file, rows);
};

/** Commits all, or some of what the files have otherwise than HEAD. */
const commit: Act = async person => {
  const { draw, place } = person;
  const [head, now] = [await person.head(), await person.tree()];
  if (draw(2)) return place.commit(now);
  const tree = new Map<string, Held>();
  for (const file of NAMES) {
    const [before, after] = [rowsIn(head, file), rowsIn(now, file)];
    if (!before || !after) return;
    const made = fileOf(draw(2) ? partly(before, after, () => draw(2) === 0) : before);
    if (made) tree.set(...made);
  }
  await place.commit(tree);
};

const reset: Act = async ({ place }) => {
  const { parents } = await place.at((await place.ref('HEAD'))!);
  if (parents[0]) await place.reset(parents[0]);
};

/** By name, with how many of a hundred they are. */
const ACTS: ReadonlyArray<readonly [name: string, weight: number, act: Act]> = [
  ['an edit', 28, edit],
  ['put in again by an agent', 4, overrule],
  ['move', 4, move],
  ['delete', 2, remove],
  ['typed by hand', 10, type],
  ['mode', 3, mode],
  ['a binary file', 2, binary],
  [
    'looked at',
    2,
    ({ draw, sessions }) => sessions[0]!.record([pick(draw, ['a.txt', 'b.txt'])], { outside: true }),
  ],
  ['undo', 5, undo],
  ['redo', 3, redo],
  ['revert', 3, ({ draw, sessions }) => sessions[draw(2)]!.revert(`~${draw(4)}`)],
  ['rollback', 2, rollback],
  ['reject', 7, reject],
  ['take a rejection back', 3, ({ place }) => place.workspace.unreview()],
  ['accept', 2, accept],
  ['set back by hand', 6, setBack],
  ['typed again', 5, typeAgain],
  ['put aside', 3, putAside],
  ['put back', 3, pop],
  ['commit', 4, commit],
  ['reset', 2, reset],
];

const WEIGHT = ACTS.reduce((sum, [, weight]) => sum + weight, 0);

/** Does one of them, drawn by lot, and answers its name; with `!` and the code where it is refused. */
export async function act(person: Person): Promise<string> {
  let at = person.draw(WEIGHT);
  const [name, , run] = ACTS.find(([, weight]) => (at -= weight) < 0)!;
  return Promise.resolve()
    .then(() => run(person))
    .then(
      () => name,
      error => `${name} !${error.code ?? error}`,
    );
}
