/** Checks the signed statements of a trail: the chain, each signature, and that the trail still has what was signed. */

import type { Context } from '../engine/context.ts';
import { placeOf } from '../engine/use-git.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { readRef } from '../git/refs/refs.ts';
import { isAncestor } from '../git/rev-list.ts';
import type { TrailHead } from '../history/head.ts';
import { type Fault, fault, faultsOf } from '../history/verify/faults.ts';
import { shortId } from '../wording.ts';
import {
  countCommits,
  isOf,
  readStatement,
  type Statement,
  signedRef,
  signingPrograms,
} from './statement.ts';

/** The newest commit that is signed. */
export interface SignedHead {
  head: string;
  statement: string;
  /** ISO 8601, UTC. */
  time: string;
  /** The signer, as git names them. */
  by: string;
  /** Commits of the trail since, which nothing signs. */
  unsigned: number;
}

export interface Signatures {
  /** `null` where there is no statement, or none that holds. */
  signed: SignedHead | null;
  faults: Fault[];
}

/** A statement that git found to be well signed, newest first. */
export type Signed = Statement & { by: string };

export async function checkSignatures(context: Context, trail: TrailHead): Promise<Signatures> {
  const faults: Fault[] = [];
  const chain = await statementsOf(context, trail, faults);
  const good: Signed[] = [];
  for (const statement of chain) {
    const by = await signerOf(context, statement.commit);
    if (by === null) faults.push(fault('signature', statement.commit, UNSIGNED));
    else if (await isInTrail(context, trail, statement)) good.push({ ...statement, by });
    else faults.push(fault('signature', statement.signs, gone(statement)));
  }
  const [newest] = faults.length === 0 ? good : [];
  if (!newest) return { signed: null, faults };
  const { objects } = context;
  const ownOnly = !trail.checkedOut;
  if ((await countCommits(objects, newest.signs, ownOnly)) !== newest.count)
    return { signed: null, faults: [fault('signature', newest.signs, wrongCount(newest))] };
  const unsigned = (await countCommits(objects, trail.tip!, ownOnly)) - newest.count;
  const { signs: head, commit: statement, time, by } = newest;
  return { signed: { head, statement, time, by, unsigned }, faults };
}

const UNSIGNED =
  'This statement has no good signature of a key that the user’s git trusts (gpg.ssh.allowedSignersFile, or the keyring of gpg).';

function gone({ signs, count, time }: Statement): string {
  return `${shortId(signs)} was signed as commit ${count} of the history at ${time}, and is no longer in it: the history was cut off or rewritten.`;
}

function wrongCount({ count, time }: Statement): string {
  return `It was signed at ${time} as commit ${count} of the history, and it has another place in it now.`;
}

/** Lists the statements, newest first, as far as they make a chain. */
export async function statementsOf(
  { objects, repo }: Context,
  trail: TrailHead,
  faults: Fault[],
): Promise<Statement[]> {
  const found: Statement[] = [];
  for (let next = await readRef(repo, signedRef(trail.ref)); next !== null; ) {
    const at: string = next;
    const broken = await faultsOf(at, null, async () => {
      const statement = await readStatement(objects, at);
      const fits =
        statement && isOf(statement, trail.ref) && (await isOlder(objects, statement, found.at(-1)));
      if (!fits)
        return [
          fault(
            'signature',
            at,
            `It is no statement of ${trail.ref} that belongs at this place of the chain.`,
          ),
        ];
      found.push(statement);
      return [];
    });
    faults.push(...broken);
    next = broken.length > 0 ? null : found.at(-1)!.previous;
  }
  return found;
}

async function isOlder(
  objects: ObjectDatabase,
  { signs, count }: Statement,
  newer: Statement | undefined,
): Promise<boolean> {
  return !newer || (count < newer.count && (await isAncestor(objects, signs, newer.signs)));
}

async function isInTrail({ objects }: Context, { tip }: TrailHead, { signs }: Statement): Promise<boolean> {
  return tip !== null && (await isAncestor(objects, signs, tip));
}

/** Returns who signed a statement well; `null`: nobody. No program and no list of keys that the repository names has a say in it. */
async function signerOf(context: Context, commit: string): Promise<string | null> {
  const signers = context.userConfig?.get('gpg.ssh.allowedsignersfile') ?? '';
  const own = ['gpg.ssh.revocationFile=', `gpg.ssh.allowedSignersFile=${signers}`];
  const args = [
    '--no-replace-objects',
    ...signingPrograms(context),
    ...own.flatMap(one => ['-c', one]),
    'log',
    '-1',
    '--no-show-signature',
    '--format=%G?%n%GS',
    commit,
  ];
  const result = await context.runProgram?.('git', { args, cwd: placeOf(context) });
  const [verdict, by] = result?.stdout.split('\n') ?? [];
  return verdict === 'G' && by ? by : null;
}
