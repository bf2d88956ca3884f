/** Words for a server, or the way to it, that fails or refuses. Nothing here is decided by what was said. */

import { EditError } from '../errors.ts';

/** Characters of a server's words that go into a message. */
const WORDS = 2_000;

/** Creates REMOTE_FAILED, for the network or the server: the same call may succeed later. */
export function remoteFailed(remote: string, what: string, words: string): EditError<'REMOTE_FAILED'> {
  const said = shownWords(words);
  const message = `${what} failed at the remote ${remote}. Nothing that was done here is lost; try again later.${said}`;
  return new EditError('REMOTE_FAILED', message, { remote, words: cut(words) });
}

/** Creates REMOTE_REFUSED: the server said no, and will again. */
export function remoteRefused(
  remote: string,
  refs: readonly string[],
  words: string,
): EditError<'REMOTE_REFUSED'> {
  const which = refs.length === 1 ? refs[0]! : `${refs.length} refs`;
  const message =
    `The remote ${remote} refused ${which}. Nothing that was done here is lost. Ask whoever runs it: a rule there may ` +
    `forbid these names, identities or messages (git config vedit.push heads takes names below refs/heads/vedit/).${shownWords(words)}`;
  return new EditError('REMOTE_REFUSED', message, { remote, refs, words: cut(words) });
}

function shownWords(words: string): string {
  return words === '' ? '' : `\nIt said:\n${cut(words)}`;
}

function cut(words: string): string {
  return words.length > WORDS ? `${words.slice(0, WORDS)}\n[cut]` : words;
}

/**
 * Returns what git and a server printed, without what may be a secret: the user and password of an address, and headers
 * of a trace that a person left switched on.
 */
export function withoutSecrets(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s'"@]*(?:@[^/\s'"@]*)*@/gi, '$1')
    .replace(
      /^.*\b(?:authorization|cookie|private-token|x-[\w-]*token)\b\s*:.*$/gim,
      '[a header was left out]',
    )
    .replace(/([?&](?:access_token|private_token|token|password|key)=)[^&\s'"]*/gi, '$1...')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ')
    .trim();
}
