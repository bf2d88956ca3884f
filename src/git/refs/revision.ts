/** Finds the commit that a person or an agent names: an id, the start of one, a branch or tag, and `~N`, `^N` after it (gitrevisions(7)). */

import { EditError } from '../../errors.ts';
import { latin1 } from '../bytes.ts';
import { corrupt } from '../failures.ts';
import { parseCommit } from '../objects/commit.ts';
import { isOid } from '../objects/object.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import type { Repository } from '../repository.ts';
import { checkRefName } from './ref-name.ts';
import { readRef } from './refs.ts';

/** Tags of tags are followed this far. */
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
  const [, base = '', steps = ''] = /^(.*?)((?:[~^]\d*)*)$/s.exec(spec) ?? [];
  let oid = await resolveBase(repository, objects, base, spec);
  for (const [, kind, digits] of steps.matchAll(/([~^])(\d*)/g)) {
    const count = digits === '' ? 1 : Number(digits);
    oid =
      kind === '~' ? await ancestor(objects, oid, count, spec) : await nthParent(objects, oid, count, spec);
  }
  return oid;
}

async function resolveBase(
  repository: Repository,
  objects: ObjectDatabase,
  base: string,
  spec: string,
): Promise<string> {
  if (isOid(base.toLowerCase())) return await commitOf(objects, base.toLowerCase(), spec);
  for (const name of candidateRefs(base)) {
    const oid = await readRef(repository, name);
    if (oid !== null) return await commitOf(objects, oid, spec);
  }
  if (/^[0-9a-f]{4,39}$/i.test(base)) return await expandCommit(objects, base);
  throw unknown(spec);
}

/** Git's order (ref_rev_parse_rules). */
function candidateRefs(base: string): string[] {
  const rules = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];
  return [...rules.map(rule => rule + base), `refs/remotes/${base}/HEAD`].filter(checkRefName);
}

/** Only commits, and tags of commits, count as candidates. */
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

/** The commit that an object is or, as a tag, leads to; `null` for a tree or a blob. */
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
  let oid = start;
  for (let step = 0; step < count; step++) oid = await nthParent(objects, oid, 1, spec);
  return oid;
}

/** The parent with this number, from 1; number 0 is the commit itself. */
async function nthParent(
  objects: ObjectDatabase,
  oid: string,
  number: number,
  spec: string,
): Promise<string> {
  if (number === 0) return oid;
  const { parents } = parseCommit((await objects.read(oid, 'commit')).content);
  const parent = parents[number - 1];
  if (parent !== undefined && (await objects.has(parent))) return parent;
  throw new EditError(
    'INVALID_INPUT',
    `${spec} goes further back than the history does (${oid} is as far as it goes)`,
    { spec, oid },
  );
}

function unknown(spec: string): EditError {
  const message = `no commit is named ${JSON.stringify(spec)}; give a commit id (4 digits or more), a branch, a tag, one of these with ~N, or @ or ~N for the newest of the trail or N before it`;
  return new EditError('INVALID_INPUT', message, { spec });
}
