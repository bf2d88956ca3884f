/**
 * Agents edit, a person edits by hand, accepts, rejects and takes that back, all by lot. Rejecting what is left then, in
 * any order, leaves exactly the accepted text and the person's, or is refused as CONFLICT; nothing is lost.
 */

import { expect, it } from 'vitest';
import { isEditError, type ReviewHunk, type Session, type Workspace } from '../../src/index.ts';
import { inMemory } from '../helpers/in-memory.ts';
import { lots } from '../helpers/random-work.ts';

const SEEDS = Number(process.env.SEEDS ?? 30);
const STEPS = 24;
const PATH = 'a.txt';

type Actor = 'agent' | 'person' | 'review';

/** What is known of each line that there ever was; every line is another text. */
interface Line {
  /** True while it is part of the accepted text. Agents never change that. */
  accepted: boolean;
  /** True for what a person changed in the middle of what was not reviewed: that is in no accepted text by itself. */
  mixed?: true;
  /** True for what somebody took out: what an agent puts back then is the agent's work. */
  gone?: true;
}

class Model {
  readonly lines = new Map<string, Line>();
  #now: string[] = [];

  /** The file is this now, and `by` made it so. */
  note(text: string, by: Actor): void {
    const now = split(text);
    for (const line of now) if (!this.lines.has(line)) this.lines.set(line, { accepted: by === 'person' });
    for (const line of this.#now.filter(one => !now.includes(one))) {
      const known = this.lines.get(line)!;
      known.gone = true;
      if (by === 'person') known.accepted = false;
    }
    this.#now = now;
  }

  mixed(hunks: readonly ReviewHunk[]): void {
    for (const { before, after } of hunks.filter(one => one.mixed))
      for (const line of [...before.lines, ...after.lines]) this.lines.get(line)!.mixed = true;
  }

  accept(hunk: ReviewHunk): void {
    for (const line of hunk.after.lines) this.lines.get(line)!.accepted = true;
    for (const line of hunk.before.lines) this.lines.get(line)!.accepted = false;
  }

  /** The lines that stand when everything else of the agents is rejected. */
  expected(): string[] {
    return [...this.lines].filter(([, { accepted }]) => accepted).map(([text]) => text);
  }
}

function split(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

function joined(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}

interface World {
  workspace: Workspace;
  sessions: Session[];
  model: Model;
  draw: (below: number) => number;
  read(): Promise<string>;
  write(text: string): Promise<void>;
  name(by: string): string;
}

async function world(seed: number): Promise<World> {
  const { fs, workspace } = await inMemory({ user: { name: 'Ada', email: 'ada@example.com' } });
  const sessions = ['s1', 's2'].map(id => workspace.session({ id, agent: `agent-${id}` }));
  let count = 0;
  const one: World = {
    workspace,
    sessions,
    model: new Model(),
    draw: lots(seed),
    read: async () => new TextDecoder().decode((await fs.promises.readFile(`/w/${PATH}`)) as Uint8Array),
    write: async text => {
      await fs.promises.writeFile(`/w/${PATH}`, text);
    },
    name: by => `${by} ${++count}`,
  };
  await one.write(joined(Array.from({ length: 12 }, () => one.name('old'))));
  await sessions[0]!.record([PATH], { outside: true });
  one.model.note(await one.read(), 'person');
  return one;
}

/** A text with some lines replaced, taken out or put in. */
function changed(
  { draw, name }: World,
  text: string,
  by: string,
): { start: number; count: number; put: string[]; text: string } {
  const lines = split(text);
  const count = Math.min(draw(3), lines.length);
  const start = draw(lines.length - count + 1);
  const put = Array.from({ length: count === 0 ? 1 + draw(2) : draw(3) }, () => name(by));
  return { start, count, put, text: joined(lines.toSpliced(start, count, ...put)) };
}

async function agentEdits(one: World): Promise<void> {
  const { draw, sessions } = one;
  const n = draw(2);
  const { start, count, put } = changed(one, await one.read(), `agent ${n}`);
  const session = sessions[n]!;
  if (count === 0)
    await session.edit('insert', { path: PATH, insert_line: start, insert_text: joined(put), base: '@' });
  else
    await session.edit('replace_lines', {
      path: PATH,
      start_line: start + 1,
      end_line: start + count,
      new_content: joined(put),
      base: '@',
    });
}

async function hunksOf({ workspace }: World): Promise<ReviewHunk[]> {
  return (await workspace.review()).data.hunks;
}

function named({ commit, path, lines, version }: ReviewHunk) {
  return { at: commit, path, lines, version: version ?? undefined };
}

async function step(one: World): Promise<void> {
  await act(one);
  one.model.mixed(await hunksOf(one));
}

async function act(one: World): Promise<void> {
  const { draw, model, workspace, sessions } = one;
  const what = draw(12);
  if (what < 5) await quietly(agentEdits(one));
  else if (what === 5) await quietly(sessions[draw(2)]!.undo());
  if (what < 6) return model.note(await one.read(), 'agent');
  if (what < 9) {
    await one.write(changed(one, await one.read(), 'person').text);
    return model.note(await one.read(), 'person');
  }
  const hunks = await hunksOf(one);
  if (hunks.length === 0) return;
  const hunk = hunks[draw(hunks.length)]!;
  if (what < 11) {
    await workspace.accept(named(hunk));
    return model.accept(hunk);
  }
  await reject(one, hunk);
}

/** A refusal is an answer: with nothing to undo, or where others edited. */
async function quietly(call: Promise<unknown>): Promise<void> {
  await call.catch(error => {
    if (!isEditError(error)) throw error;
  });
}

/** Rejects by the name that the hunk had when it was listed. True when it was done. */
async function reject(one: World, hunk: ReviewHunk, together = false): Promise<boolean> {
  const before = await one.read();
  const isNow = hunk.version !== null && (await hunksOf(one)).some(now => now.version === hunk.version);
  try {
    const { data } = await one.workspace.reject({ ...named(hunk), reason: 'no', together });
    const after = await one.read();
    const { start_line, end_line } = hunk.lines;
    // A person's lines in it stay; those of agents go.
    if (hunk.mixed && !together)
      expect(
        split(after).filter(line => line.startsWith('agent') && hunk.after.lines.includes(line)),
      ).toEqual([]);
    else if (isNow && !together)
      expect(after).toBe(
        joined(split(before).toSpliced(start_line - 1, end_line - start_line + 1, ...hunk.before.lines)),
      );
    const isOwn = (line: string): boolean => line.startsWith('person') && !one.model.lines.get(line)!.gone;
    const lost = split(before).filter(line => isOwn(line) && !split(after).includes(line));
    if (!together) expect(lost).toEqual([]);
    const then = await one.sessions[0]!.show(data.parent!);
    expect(then.data).toBeDefined();
    for (const line of lost) expect(await textAt(one, data.parent!)).toContain(line);
    one.model.note(after, 'review');
    return true;
  } catch (error) {
    if (isEditError(error, 'CONFLICT')) expect(error.data.builds_on).not.toEqual([]);
    else if (!isEditError(error, 'NO_CHANGE')) throw error;
    expect(await one.read()).toBe(before);
    return false;
  }
}

async function textAt({ sessions }: World, at: string): Promise<string> {
  return (await sessions[0]!.read({ path: PATH, at })).message;
}

it.each(Array.from({ length: SEEDS }, (_, at) => at + 1))('of seed %i', async seed => {
  const one = await world(seed);
  const { draw, model } = one;
  for (let n = 0; n < STEPS; n++) await step(one);
  const listed = await hunksOf(one);
  for (const hunk of [...listed].sort(() => draw(3) - 1)) await reject(one, hunk);
  for (;;) {
    const hunks = (await hunksOf(one)).filter(({ mixed }) => !mixed);
    if (hunks.length === 0) break;
    expect(await reject(one, hunks[draw(hunks.length)]!)).toBe(true);
  }
  const left = await hunksOf(one);
  expect(left.every(({ mixed }) => mixed)).toBe(true);
  const open = new Set(left.flatMap(({ before, after }) => [...before.lines, ...after.lines]));
  const sure = (lines: Iterable<string>): string[] =>
    [...lines].filter(line => !open.has(line) && !model.lines.get(line)!.mixed).sort();
  expect(sure(split(await one.read()))).toEqual(sure(model.expected()));
  const old = split(await one.read()).filter(line => line.startsWith('old'));
  expect(old).toEqual([...old].sort((a, b) => Number(a.slice(4)) - Number(b.slice(4))));
  for (const hunk of left) await reject(one, hunk, true);
  expect(await hunksOf(one)).toEqual([]);
  const { faults } = (await one.workspace.verify()).data;
  // What the person wrote last is in no commit yet.
  expect(faults).toEqual([]);
});
