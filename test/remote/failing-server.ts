/** A server that fails at random, in every way that hosts meet. */

import type { IncomingMessage, ServerResponse } from 'node:http';

export const FAILURES = [
  'refused',
  '500',
  '401',
  'reset in the middle',
  'answer lost after the work',
  'no answer after the work',
] as const;

export type Failure = (typeof FAILURES)[number];

/** For httpServer's `before`. `pick` says how a request fails; `null`: it does not. */
export function failing(
  pick: (request: IncomingMessage) => Failure | null,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const failure = pick(request);
    if (failure === null) return false;
    if (failure === 'refused') request.socket.destroy();
    else if (failure === '500') response.writeHead(500).end('oops\n');
    else if (failure === '401')
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end('who?\n');
    else {
      breakAnswer(response, failure);
      return false;
    }
    return true;
  };
}

/** The work is done; half of the answer arrives (half a pack, of a fetch), or nothing, at once or never. */
function breakAnswer(response: ServerResponse, failure: Failure): void {
  const whole = response.write.bind(response);
  response.end = ((body?: Buffer) => {
    if (failure === 'reset in the middle' && body && body.length > 1)
      whole(body.subarray(0, body.length >> 1));
    if (failure !== 'no answer after the work') setTimeout(() => response.destroy(), 5);
    return response;
  }) as never;
}
