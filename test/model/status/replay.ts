/** Histories of the real git and the engine, and where `log` says something else than the oracle. */

import { lots } from '../../helpers/random-work.ts';
import { fatesOf, wordOf } from './oracle.ts';
import { RealRepo } from './real.ts';
import { act } from './real-acts.ts';
import { ancestors, type Scene } from './world.ts';

export interface Replayed {
  /** How many edits and ways back were looked at. */
  told: number;
  /** What is wrong, with what was done; empty where nothing is. */
  wrong: string[];
}

/** Lines that stand twice in a text, or numbers that are none: git's merge made them, and the oracle cannot tell. */
function isUnclear({ tip, work, head, elsewhere }: Scene): boolean {
  const texts = [tip.files, work, head, ...elsewhere.map(({ files }) => files)].flatMap(one =>
    Object.values(one),
  );
  return texts.some(text => new Set(text).size !== text.length || text.some(Number.isNaN));
}

/** Plays one history, and compares at its end and in between. */
export async function replayed(seed: number): Promise<Replayed> {
  const draw = lots(seed * 7919 + 17);
  const real = await RealRepo.made([12, 7]);
  const done: string[] = [];
  let told = 0;
  for (let left = 8 + draw(22); left > 0; left--) {
    done.push(await act(real, lots(draw(1 << 20))));
    if (left > 1 && draw(5) > 0) continue;
    const { count, faults } = await compared(real);
    told += count;
    if (faults.length > 0) return { told, wrong: [`${seed}: ${done.join('; ')}`, ...faults] };
  }
  await real.repo.close();
  return { told, wrong: [] };
}

async function compared(real: RealRepo): Promise<{ count: number; faults: string[] }> {
  const { entries } = (await real.sessions[0]!.log({ limit: 1000 })).data;
  const scene = entries[0] ? real.scene(entries[0].commit) : null;
  if (!scene || isUnclear(scene)) return { count: 0, faults: [] };
  const fates = fatesOf(scene);
  const heads = new Map(ancestors(scene.tip).map(({ id, head }) => [id, head]));
  const faults: string[] = [];
  const work = entries.filter(({ op }) => op !== null && op !== 'outside' && op !== 'head');
  for (const { commit, op, status } of work) {
    const own = fates.get(commit) ?? [];
    if (own.some(one => one.isTwice)) continue;
    const { now, lines } = wordOf(own);
    const by = own.filter(one => one.word === now).map(one => one.by);
    const is = `${status.now} ${inOrder(status.lines)}`;
    const should = `${now} ${inOrder(lines)}`;
    const brought = status.landed_in;
    const isUnlanded = brought === null && now !== 'landed';
    if (!isUnlanded && !real.isBroughtBy(brought, own, heads.get(commit)!))
      faults.push(`${commit} (${op}) is ${is}, and was not brought into HEAD by ${brought}`);
    // Of what went with HEAD a commit has it.
    const isCommit = by.includes('HEAD') && /^[0-9a-f]{40}$/.test(status.by ?? '');
    const isBy = by.includes(status.by) || isCommit || (now === 'nothing left' && status.by === null);
    if (is === should && isBy) continue;
    const said = own.map(
      ({ path, isPut, line, word, by: who }) => `${isPut ? '+' : '-'}${line} ${path} ${word} ${who}`,
    );
    faults.push(
      `${commit} (${op}) is ${is} by ${status.by}, not ${should} by ${by.join(' or ')}\n  ${said.join('\n  ')}`,
    );
  }
  return { count: work.length, faults };
}

function inOrder(lines: Partial<Record<string, number>>): string {
  return Object.entries(lines)
    .map(([word, count]) => `${count} ${word}`)
    .sort()
    .join(', ');
}
