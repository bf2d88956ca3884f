/** Keys do not enter history unless the caller says why: what once is there is there for good, and for all who fetch it. */

import { EditError } from '../../errors.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { isWayBack } from '../../operations.ts';
import { findSecrets } from '../../text/secrets.ts';
import { listedSome } from '../../text/words.ts';
import { ifField, pathName } from '../../wording.ts';
import { toTrail } from '../context.ts';
import type { About, Objection } from './about.ts';
import { type AddedSecret, addedSecrets } from './added-secrets.ts';

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
  const found = await anew(about, added);
  const layers = await snapshot.layers();
  const isAllowed = (path: string): boolean =>
    layers.some(layer => layer.maySecretsBe(toTrail(snapshot.context, path)));
  const paths = [...new Set(found.map(({ path }) => path))].filter(path => !isAllowed(path));
  return paths.map(path => {
    const here = found.filter(one => one.path === path);
    const kinds = [...new Set(here.map(({ kind }) => kind))];
    if (request.allowSecret && reason.trim() !== '') return { path, allowed: kinds };
    return { path, refusal: secretRefused(path, here, request) };
  });
}

function secretRefused(
  path: string,
  found: readonly AddedSecret[],
  { allowSecret }: About['request'],
): EditError {
  const isThere = found[0]!.isThere;
  const secrets = found.map(({ kind, line }) => ({ kind, line }));
  const words = secrets.map(({ kind, line }) => `${kind} in line ${line}`);
  const what = `${pathName(path)} has what looks like ${listedSome(words, 5)}, and history would keep it for good. Nothing was ${isThere ? 'recorded' : 'changed'}`;
  const next = allowSecret
    ? 'Say in reason why it has to be there.'
    : `${isThere ? 'The file holds it already, and nothing of the file is recorded: take it out of the file, or let git ignore the file' : 'Let the program read it from its environment, or from a file that git ignores'}${ifField('allow_secret', '. If it is no secret, send allow_secret: true with a reason, which history keeps.', '; or ask the person.')}`;
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
 * Leaves out the keys that a way back brings back from the trail: what it had once is no news. Only a restore may name a
 * commit that was not on it.
 */
async function anew(
  { snapshot, planned, request }: About,
  found: readonly AddedSecret[],
): Promise<readonly AddedSecret[]> {
  if (!isWayBack(request.op)) return found;
  const { restores } = planned.meta ?? {};
  const { parent } = snapshot.trail;
  const isOfTrail =
    restores === undefined ||
    (parent !== null && (await isAncestor(snapshot.context.objects, restores, parent)));
  return isOfTrail ? found.filter(({ isThere }) => isThere) : found;
}
