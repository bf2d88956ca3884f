/** Keys do not enter history unless the caller says why: what once is there is there for good, and for all who fetch it. */

import { EditError } from '../../errors.ts';
import { mergeBases } from '../../git/merge-base.ts';
import { lookup } from '../../git/objects/tree.ts';
import { isAncestor, revList } from '../../git/rev-list.ts';
import { isMerge, isWayBack } from '../../operations.ts';
import { findSecrets } from '../../text/secrets.ts';
import { listedSome } from '../../text/words.ts';
import { aboutPath } from '../../trail/message.ts';
import { readEntry } from '../../trail/walk.ts';
import { ifField, pathName } from '../../wording.ts';
import { toTrail } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { About, Objection } from './about.ts';
import { type AddedSecret, addedSecrets, textOf } from './added-secrets.ts';

/** A kind as one word of a trailer: `an AWS access key` is `aws-access-key`. */
export function secretWord(kind: string): string {
  return kind.replace(/^an? /, '').toLowerCase().replaceAll(' ', '-');
}

/** Objects to each file with a key that history does not have yet, and to a reason with one. */
export async function secretsIn(about: About): Promise<Objection[]> {
  const { snapshot, changes, request } = about;
  const { reason = '' } = request;
  const inReason = findSecrets(reason);
  if (inReason.length > 0) throw secretInReason(inReason[0]!);
  const added = await addedSecrets(snapshot, changes);
  if (added.length === 0) return [];
  const { found, allows } = await anew(about, added);
  const layers = await snapshot.layers();
  const isAllowed = (path: string): boolean =>
    layers.some(layer => layer.maySecretsBe(toTrail(snapshot.context, path)));
  const paths = [...new Set(found.map(({ path }) => path))].filter(path => !isAllowed(path));
  return paths.map(path => {
    const here = found.filter(one => one.path === path);
    const kinds = [...new Set(here.map(({ kind }) => kind))];
    if (request.allowSecret && reason.trim() !== '') return { path, allowed: kinds };
    // The commit that says why comes in too, where the whole of the other history does.
    if (kinds.every(kind => allows(secretWord(kind), path)))
      return { path, allowed: about.planned.joins === undefined ? kinds : [] };
    return { path, refusal: secretRefused(path, here, request) };
  });
}

function secretRefused(
  path: string,
  found: readonly AddedSecret[],
  { op, allowSecret }: About['request'],
): EditError {
  const isThere = found[0]!.isThere;
  const secrets = found.map(({ kind, line }) => ({ kind, line }));
  const words = secrets.map(({ kind, line }) => `${kind} in line ${line}`);
  const what = `${pathName(path)} has what looks like ${listedSome(words, 5)}, and history would keep it for good. Nothing was ${isThere ? 'recorded' : 'changed'}`;
  const next = allowSecret
    ? 'Say in reason why it has to be there.'
    : `${isThere ? 'The file holds it already, and nothing of the file is recorded: take it out of the file, or let git ignore the file' : isMerge(op) ? 'It came with the other history: have it taken out there, and merge again' : 'Let the program read it from its environment, or from a file that git ignores'}${ifField('allow_secret', '. If it is no secret, send allow_secret: true with a reason, which history keeps.', '; or ask the person.')}`;
  return new EditError('SECRET', `${what}. ${next}`, {
    path,
    secrets,
    ...(isThere ? { in_file: true as const } : {}),
  });
}

function secretInReason({ kind, line }: { kind: string; line: number }): EditError {
  const message = `The reason has what looks like ${kind}, and history would keep it for good. Nothing was changed. Give a reason without it.`;
  return new EditError('SECRET', message, { path: null, secrets: [{ kind, line }] });
}

/**
 * Finds the keys that a change brings into history, and whether the trail that they come from allows a kind in a file. Of a
 * way back or a merge, what the trail had once, what both sides of a merge have in common, and what a person committed with
 * git is no news.
 */
async function anew(
  about: About,
  found: AddedSecret[],
): Promise<{ found: AddedSecret[]; allows: (kind: string, path: string) => boolean }> {
  const { snapshot, request } = about;
  const none = { found, allows: () => false };
  if (isWayBack(request.op) && (await isOfTrail(about)))
    return { ...none, found: found.filter(({ isThere }) => isThere) };
  const last = isMerge(request.op) ? about.planned.meta?.merges?.split('..').at(-1) : undefined;
  if (last === undefined) return none;
  const { trees, allowed } = await broughtBy(snapshot, last);
  const left: AddedSecret[] = [];
  for (const one of found) if (one.isThere || !(await isIn(snapshot, trees, one))) left.push(one);
  const allows = (kind: string, path: string): boolean =>
    allowed.has(aboutPath(kind, toTrail(snapshot.context, path)));
  return { found: left, allows };
}

/** True where what the change brings back was on the trail: only a restore may name a commit that was not. */
async function isOfTrail({ snapshot, planned }: About): Promise<boolean> {
  const { restores } = planned.meta ?? {};
  const { parent } = snapshot.trail;
  return (
    restores === undefined || (parent !== null && isAncestor(snapshot.context.objects, restores, parent))
  );
}

/** The trees that were committed with git, or that both sides know, and what the edits that come in allow. */
async function broughtBy(
  { context: { objects }, trail: { parent } }: Snapshot,
  last: string,
): Promise<{ trees: Set<string>; allowed: Set<string> }> {
  const [trees, allowed] = [new Set<string>(), new Set<string>()];
  for (const base of parent === null ? [] : await mergeBases(objects, parent, last))
    trees.add((await readEntry(objects, base)).tree);
  for (const commit of await revList(objects, last, parent)) {
    const { meta, tree } = await readEntry(objects, commit);
    if (meta === null) trees.add(tree);
    for (const one of meta?.allowsSecrets ?? []) allowed.add(one);
  }
  return { trees, allowed };
}

async function isIn(
  snapshot: Snapshot,
  trees: Iterable<string>,
  { path, text }: AddedSecret,
): Promise<boolean> {
  const looked = new Set<string>();
  for (const tree of trees) {
    const entry = await lookup(snapshot.context.objects, tree, toTrail(snapshot.context, path));
    if (!entry?.mode.startsWith('100') || looked.has(entry.oid)) continue;
    looked.add(entry.oid);
    if ((await textOf(snapshot, entry)).includes(text)) return true;
  }
  return false;
}
