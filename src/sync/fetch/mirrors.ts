/**
 * The mirrors of trails: what `refs/vedit-peers/` holds here. Those of other clones are written by fetch alone; those of
 * this clone say what the remote was last known to have.
 */

import type { Context } from '../../engine/context.ts';
import { publish } from '../../engine/transaction/publication.ts';
import { movingRef, publishWithRetry } from '../../engine/transaction/transaction.ts';
import { asWriter, type LockLease } from '../../engine/transaction/writer.ts';
import { EditError } from '../../errors.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import { readRef } from '../../git/refs/refs.ts';
import {
  isCloneName,
  isTrail,
  mirrorRef,
  PEERS_PREFIX,
  type Published,
  parsePeerName,
  parsePeerRef,
  parsePublished,
  peerName,
} from '../../trail/peer-names.ts';

export interface Mirror extends Published {
  ref: string;
  oid: string;
}

/** Lists the mirrors of trails, then those of reviews and of signed statements, each sorted by name. */
export async function listMirrors({ repo }: Pick<Context, 'repo'>): Promise<Mirror[]> {
  const refs = await listRefs(repo, PEERS_PREFIX);
  const mirrors = refs.flatMap(({ name: ref, oid }) => {
    const published = parsePublished(ref);
    return published ? [{ ...published, ref, oid }] : [];
  });
  return mirrors.sort((a, b) => Number(isTrail(b)) - Number(isTrail(a)));
}

/** Lists the mirrors of other clones' trails, sorted by name. */
export async function listPeers(context: Context): Promise<Mirror[]> {
  const own = cloneName(context);
  return (await listMirrors(context)).filter(one => isTrail(one) && one.clone !== own);
}

/** Returns the name that this clone has in git's config; `null` before its first push. Throws CORRUPT for what cannot be one. */
export function cloneName({ repo }: Context): string | null {
  const name = repo.config.get('vedit.clone') ?? null;
  if (name === null || isCloneName(name)) return name;
  const message = `${JSON.stringify(name.slice(0, 80))} in git config vedit.clone cannot name a clone. git config --unset vedit.clone lets the next push make a name.`;
  throw new EditError('CORRUPT', message, { what: 'vedit.clone' });
}

/**
 * Finds the mirror that a person names: `<clone>/<branch>`, the name of a clone that has one trail, or the start of either that
 * fits one. Throws INVALID_INPUT, naming those that there are.
 */
export async function findMirror(context: Context, given: string): Promise<Mirror> {
  const mirrors = await listPeers(context);
  const exact = parsePeerRef(given) ?? parsePeerName(given);
  const fitting = exact
    ? mirrors.filter(one => one.ref === mirrorRef(exact))
    : mirrors.filter(one => one.clone === given || peerName(one).startsWith(given));
  if (fitting.length === 1 && given !== '') return fitting[0]!;
  const among = (fitting.length > 1 ? fitting : mirrors).map(peerName);
  const list =
    among.length === 0
      ? 'No history of another clone is here: vedit fetch brings them'
      : `There ${among.length === 1 ? 'is' : 'are'} ${among.slice(0, 20).join(', ')}`;
  const what = fitting.length > 1 ? 'names several histories' : 'is no history of another clone';
  const only = mirrors.length === 1 ? `: ${peerName(mirrors[0]!)} is the only one here` : `. ${list}`;
  const message =
    given === ''
      ? `Name the history of another clone to merge${only}.`
      : `${JSON.stringify(given.slice(0, 120))} ${what}. ${list}.`;
  throw new EditError('INVALID_INPUT', message, { field: 'peer', fields: ['peer'], peers: among });
}

export interface MirrorMove {
  ref: string;
  oid: string;
}

/**
 * Moves mirrors one after the other. Answers those that could not be, with why: one name may be the folder of another. Throws
 * STORE_FAILED.
 */
export async function moveMirrors(
  context: Context,
  moves: readonly MirrorMove[],
  what: 'fetch' | 'push',
): Promise<Map<string, string>> {
  const failed = new Map<string, string>();
  for (const { ref, oid } of moves) {
    try {
      await moveMirror(context, ref, oid, what);
    } catch (error) {
      if (!(error instanceof EditError) || error.code === 'STORE_FAILED') throw error;
      failed.set(ref, error.message);
    }
  }
  return failed;
}

function moveMirror(context: Context, ref: string, oid: string, what: string): Promise<true> {
  const moveOnce = async (turn: LockLease): Promise<true | null> => {
    const old = await readRef(context.repo, ref);
    if (old === oid) return true;
    await checkFree(context, ref);
    const mirror = { ref, checkedOut: false, oid: old, head: null, commit: oid };
    const { done } = await publish(context, movingRef(context, { ...mirror, summary: what }), turn);
    return done || null;
  };
  return asWriter(context, turn => publishWithRetry(ref, () => moveOnce(turn)));
}

/** Throws CORRUPT where another ref is in the way: git keeps no two refs of which one is the folder of the other. */
async function checkFree({ repo }: Context, ref: string): Promise<void> {
  const all = await listRefs(repo, PEERS_PREFIX);
  const inTheWay = all.find(({ name }) => ref.startsWith(`${name}/`) || name.startsWith(`${ref}/`));
  if (!inTheWay) return;
  throw new EditError('CORRUPT', `${ref} cannot be beside ${inTheWay.name}, whose folder it would be.`, {
    what: ref,
  });
}
