/** Keys do not enter history unless the caller says why: what once is there is there for good, and for all who fetch it. */

import { commonPrefix, commonSuffix, countByte } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { isAncestor } from '../../git/rev-list.ts';
import type { Recorded } from '../../history/steps.ts';
import { isWayBack } from '../../operations.ts';
import { type FoundSecret, findSecrets } from '../../text/secrets.ts';
import { listedSome } from '../../text/words.ts';
import { ifField, pathName } from '../../wording.ts';
import type { DraftedChange } from '../change/planned.ts';
import { toTrail } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { About, Objection } from './about.ts';

/** A kind as one word of a trailer: `an AWS access key` is `aws-access-key`. */
export function secretWord(kind: string): string {
  return kind.replace(/^an? /, '').toLowerCase().replaceAll(' ', '-');
}

/** Objects to each file with a key that history does not have yet, and to a reason with one. */
export async function secretsIn(about: About): Promise<Objection[]> {
  const { snapshot, changes, request } = about;
  const { reason = '' } = request;
  const inReason = findSecrets(reason);
  const [told] = inReason.map(({ kind, line }) => ({ kind, line }));
  if (told) {
    const message = `The reason has what looks like ${told.kind}, and history would keep it for good. Nothing was changed. Give a reason without it.`;
    throw new EditError('SECRET', message, { path: null, secrets: [told] });
  }
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

/** A key that history would get, by the path of its file. */
interface AddedSecret extends FoundSecret {
  path: string;
  /** True where the file holds it already, and nothing recorded it yet. */
  isThere: boolean;
}

async function addedSecrets(snapshot: Snapshot, changes: readonly DraftedChange[]): Promise<AddedSecret[]> {
  const found: AddedSecret[] = [];
  for (const { path, recorded, inPlace } of changes) {
    const known = await snapshot.recorded(path);
    const { before, after } = recorded;
    const isOutside = before !== null && before.version !== known?.oid;
    if (isOutside) found.push(...within(null, before.bytes).map(one => ({ ...one, path, isThere: true })));
    if (!after || after.version === before?.version) continue;
    const isThere = inPlace === true;
    found.push(...within(before?.bytes ?? null, after.bytes).map(one => ({ ...one, path, isThere })));
  }
  return found.length === 0 ? found : withoutKnown(snapshot, changes, found);
}

const decoder = new TextDecoder();

/** Texts before and after what differs, which a key may begin or end in. */
const AROUND = 1024;

/** Keys in the part of a content that the old one does not begin or end with. */
function within(old: Uint8Array | null, content: Uint8Array): FoundSecret[] {
  const prefix = old ? commonPrefix(old, content) : 0;
  const suffix = old ? commonSuffix(old, content, Math.min(old.length, content.length) - prefix) : 0;
  const start = Math.max(0, prefix - AROUND);
  const part = content.subarray(start, Math.min(content.length, content.length - suffix + AROUND));
  // Without NULs, so that keys are found in UTF-16 too.
  const text = decoder.decode(part).replaceAll('\0', '');
  const found = findSecrets(text);
  if (found.length === 0 || start === 0) return found;
  const above = countByte(content, 10, start);
  return found.map(one => ({ ...one, line: one.line + above }));
}

/** Text may move within a file, and from one changed file to another. */
async function withoutKnown(
  snapshot: Snapshot,
  changes: readonly DraftedChange[],
  found: readonly AddedSecret[],
): Promise<AddedSecret[]> {
  const texts = await Promise.all(
    changes.map(async ({ path }) => textOf(snapshot, await snapshot.recorded(path))),
  );
  const isFirst = ({ path, text }: AddedSecret, at: number): boolean =>
    found.findIndex(one => one.path === path && one.text === text) === at;
  return found.filter((one, at) => isFirst(one, at) && !texts.some(known => known.includes(one.text)));
}

/** The text of an entry, as keys are looked for in it. */
async function textOf({ context: { objects } }: Snapshot, recorded: Recorded): Promise<string> {
  if (recorded === null || recorded.mode === '160000') return '';
  return decoder.decode((await objects.read(recorded.oid)).content).replaceAll('\0', '');
}
