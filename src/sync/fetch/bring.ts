/** Takes refs of a server in: into quarantine, looked at, moved in, and only then are the mirrors moved. */

import type { Context } from '../../engine/context.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import type { Transport } from '../../remote/transport.ts';
import { checkFetched, type FetchedTip, newsOf } from './check-fetched.ts';
import { moveMirrors } from './mirrors.ts';
import { Quarantine } from './quarantine.ts';

/** A ref of the server that is to be fetched. */
export interface WantedRef extends FetchedTip {
  /** The name on the server. */
  name: string;
  /** The mirror. */
  ref: string;
}

/**
 * Answers the mirrors that could not be moved, with why. Throws CORRUPT where one of them is unsound, REMOTE_FAILED,
 * TOO_LARGE; then no mirror moves.
 */
export async function bringIn(
  context: Context,
  transport: Transport,
  wanted: readonly WantedRef[],
): Promise<Map<string, string>> {
  const quarantine = await Quarantine.open(context);
  try {
    const names = wanted.map(({ name }) => name);
    await transport.fetch(names, quarantine.objectsDir);
    const known = (await listRefs(context.repo, 'refs/')).map(({ oid }) => oid);
    for (const one of wanted) {
      const news = await newsOf(quarantine.objects, one.oid, known);
      await checkFetched(quarantine.objects, context.objects, one, news);
    }
    await quarantine.moveIn();
    return await moveMirrors(context, wanted, 'fetch');
  } finally {
    await quarantine.close();
  }
}
