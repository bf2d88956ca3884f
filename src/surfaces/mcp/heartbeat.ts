/** Progress of a call, for clients that asked for it: that it goes on, every second, so that they do not give up. */

import type { ServerContext } from '@modelcontextprotocol/server';

const EVERY = 1_000;

/** Starts it; the answer stops it. Does nothing without a progress token. */
export function heartbeat(context: ServerContext): () => void {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let seconds = 0;
  const tell = (message: string): void => {
    const params = { progressToken, progress: seconds++, message };
    void context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  tell('waiting for its turn');
  const timer = setInterval(() => tell('working'), EVERY);
  return () => clearInterval(timer);
}
