/** The events as they happen, to one page. Whoever does not read is not waited for: he goes on from his cursor. */

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Workspace } from '../../../workspace/open.ts';
import { beginLines } from './responses.ts';

/** An empty line now and then tells a page that is gone from one that has nothing to hear. */
const ALIVE_MS = 20_000;

/** Resolves when the page has closed it, or the signal is aborted. Throws what reading the events throws. */
export async function sendEvents(
  workspace: Workspace,
  response: ServerResponse,
  since: string | undefined,
  outer: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  const close = (): void => gone.abort();
  response.once('close', close);
  const signal = AbortSignal.any([gone.signal, outer]);
  const alive = setInterval(() => response.writableNeedDrain || response.write('\n'), ALIVE_MS);
  try {
    for await (const event of workspace.events({ follow: true, since, signal })) {
      if (!response.headersSent) beginLines(response);
      const isTaken = response.write(`${JSON.stringify(event)}\n`);
      // Nothing is read for it meanwhile.
      if (!isTaken) await once(response, 'drain', { signal }).catch(() => {});
    }
    response.end();
  } finally {
    clearInterval(alive);
    response.off('close', close);
  }
}
