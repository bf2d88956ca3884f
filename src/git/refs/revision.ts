/** Finds the commit that a person or an agent names: an id, the start of one, a branch or tag, and `~N`, `^N` after it (gitrevisions(7)). */

import { latin1 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { corrupt } from '../../fs/failures.ts';
import { shortId } from '../../wording.ts';
import { parseCommitHead } from '../objects/commit.ts';
import { isOid } from '../objects/object.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import type { Repository } from '../repository/repository.ts';
import { firstParents } from '../rev-list.ts';
import { checkRefName, followRef } from './refs.ts';

/** The most tags of tags that are followed. */
const MAX_TAGS = 10;

/**
 * The id of the commit that `spec` names. Throws INVALID_INPUT when there is none, or when the start of an id fits
 * several commits (`data.candidates`); CORRUPT; STORE_FAILED.
 */
export async function resolveCommit(
  repository: Repository,
  objects: ObjectDatabase,
  spec: string,
): Promise<string> {
  const { base, steps } = partsOf(spec);
  return takeSteps(objects, await resolveBase(repository, objects, base, spec), steps, spec);
}

/** Splits a revision into what it begins with, and the steps from there: `~2^2` of `main~2^2`. */
export function partsOf(spec: string): { base: string; steps: string } {
  const [, base = '', steps = ''] = /^(.*?)((?:[~^]\d*)*)$/s.exec(spec) ?? [];
  return { base, steps };
}

/** Takes the steps of the revision `spec` from a commit. Throws INVALID_INPUT when history ends before. */
export async function takeSteps(
  objects: ObjectDatabase,
  start: string,
  steps: string,
  spec: string,
): Promise<string> {
  let oid = start;
  for (const [, kind, digits] of steps.matchAll(/([~^])(\d*)/g)) {
    const count = digits === '' ? 1 : Number(digits);
    oid = await (kind === '~' ? ancestor : parentAt)(objects, oid, count, spec);
  }
  return oid;
}

/** Finds the ref that git takes a short name for, symbolic refs followed, and its id; `null` when it names none. */
export async function refNamed(
  repository: Repository,
  short: string,
): Promise<{ name: string; oid: string } | null> {
  for (const ref of candidateRefs(short)) {
    const { name, oid } = await followRef(repository, ref);
    if (oid !== null) return { name, oid };
  }
  return null;
}

async function resolveBase(
  repository: Repository,
  objects: ObjectDatabase,
  base: string,
  spec: string,
): Promise<string> {
  if (isOid(base.toLowerCase())) return await commitOf(objects, base.toLowerCase(), spec);
  const ref = await refNamed(repository, base);
  if (ref) return await commitOf(objects, ref.oid, spec);
  if (/^[0-9a-f]{4,39}$/i.test(base)) return await expandCommit(objects, base);
  throw unknown(spec);
}

/** Git's order (ref_rev_parse_rules). */
function candidateRefs(base: string): string[] {
  const rules = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];
  return [...rules.map(rule => rule + base), `refs/remotes/${base}/HEAD`].filter(checkRefName);
}

/** Finds the commit whose id begins so. Only commits, and tags of commits, count. */
async function expandCommit(objects: ObjectDatabase, prefix: string): Promise<string> {
  const ids = await objects.expand(prefix);
  const found = await Promise.all(ids.map(oid => peel(objects, oid)));
  const candidates = [...new Set(found.filter(oid => oid !== null))];
  if (candidates.length === 0 && ids.length === 1) return await commitOf(objects, ids[0]!, prefix);
  if (candidates.length === 0) throw unknown(prefix);
  if (candidates.length === 1) return candidates[0]!;
  const message = `${prefix} is the start of ${candidates.length} commits: ${candidates.slice(0, 10).join(', ')}; use more digits`;
  throw new EditError('INVALID_INPUT', message, { candidates });
}

async function commitOf(objects: ObjectDatabase, oid: string, spec: string): Promise<string> {
  const object = await objects.readOrNull(oid);
  if (object === null) throw unknown(spec);
  const commit = await peel(objects, oid);
  if (commit !== null) return commit;
  const { type } = object;
  const hint = type === 'blob' ? ': it is the version of a file, and base is a commit' : '';
  throw new EditError('INVALID_INPUT', `${spec} is a ${type}, not a commit${hint}`, { spec, type });
}

/** Follows tags to a commit; `null` for a tree or a blob. */
async function peel(objects: ObjectDatabase, start: string): Promise<string | null> {
  let oid = start;
  for (let tag = 0; tag <= MAX_TAGS; tag++) {
    const { type, content } = await objects.read(oid);
    if (type === 'commit') return oid;
    if (type !== 'tag') return null;
    const target = /^object ([0-9a-f]{40})\n/.exec(latin1(content.subarray(0, 64)))?.[1];
    if (target === undefined) throw corrupt(`the tag ${oid}`, 'names no object', { oid });
    oid = target;
  }
  throw corrupt(`the tag ${start}`, `leads through more than ${MAX_TAGS} tags`, { oid: start });
}

async function ancestor(
  objects: ObjectDatabase,
  start: string,
  count: number,
  spec: string,
): Promise<string> {
  let [last, steps] = [start, -1];
  for await (const { oid } of firstParents(objects, start)) {
    [last, steps] = [oid, steps + 1];
    if (steps === count) return oid;
  }
  const commits = Math.max(steps, 0);
  const message = `${spec} goes further back than the history does: that ends ${commits} back, at ${shortId(last)}`;
  throw new EditError('INVALID_INPUT', message, { spec, oid: last, commits });
}

/** Finds the parent with this number; number 0 is the commit itself. */
async function parentAt(objects: ObjectDatabase, oid: string, number: number, spec: string): Promise<string> {
  if (number === 0) return oid;
  const parent = parseCommitHead((await objects.read(oid, 'commit')).content).parents[number - 1];
  // A shallow clone may end here.
  if (parent !== undefined && (await objects.has(parent))) return parent;
  const message = `${spec} names no commit: ${shortId(oid)} has no parent number ${number}`;
  throw new EditError('INVALID_INPUT', message, { spec, oid });
}

function unknown(spec: string): EditError {
  const message = `no commit is named ${JSON.stringify(spec)}; give a commit id (4 digits or more), a branch, a tag, one of these with ~N, or @ or ~N for the newest edit or N before it`;
  return new EditError('INVALID_INPUT', message, { spec });
}
