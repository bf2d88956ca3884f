/** Words for a server, or the way to it, that fails or refuses. Nothing here is decided by what was said. */

import { EditError } from '../errors.ts';
import type { GitResult } from '../git/run-git.ts';
import { parseJson } from '../json.ts';

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

/** Creates GIT_REFUSED: a hook of the person's own repository said no. The server was not asked. */
export function refusedByHook(hook: string, { code, stdout, stderr }: GitResult): EditError<'GIT_REFUSED'> {
  const said = withoutEvents(stderr).replace(/^error: failed to push some refs to .*$/m, '');
  const output = withoutSecrets([stdout.trim(), said.trim()].filter(Boolean).join('\n'));
  const message = `The hook ${hook} of this repository said no, so nothing was pushed. Nothing that was done here is lost.\nIt said:\n${output || `(nothing; exit code ${code})`}`;
  return new EditError('GIT_REFUSED', message, { exit: code, output });
}

/**
 * Makes git tell of its own doing (GIT_TRACE2_EVENT): one JSON object a line, among what people are told on the same stream.
 * git push ends in the same way when the network fails and when a pre-push hook says no; here they differ.
 */
export const TRACING: Readonly<Record<string, string>> = { GIT_TRACE2_EVENT: '1' };

const EVENT = /\{"event":"[a-z_]+","sid":"[^\n]*\}\n?/g;

/** Leaves out what git told of itself. */
export function withoutEvents(stderr: string): string {
  return stderr.replace(EVENT, '');
}

interface TraceEvent {
  event: string;
  sid: string;
  child_id?: number;
  hook_name?: string;
  code?: number;
}

/** Returns the name of the hook of this repository that failed; `null`: none did. */
export function failedHook(stderr: string): string | null {
  const hooks = new Map<number | undefined, string>();
  let own: string | undefined;
  for (const [line] of stderr.matchAll(EVENT)) {
    const one = parseJson(line) as TraceEvent | undefined;
    own ??= one?.sid;
    // A server in a folder of this machine, and what a hook starts, tell on the same stream.
    if (!one || one.sid !== own) continue;
    if (one.event === 'child_start' && one.hook_name !== undefined) hooks.set(one.child_id, one.hook_name);
    const hook = one.event === 'child_exit' && one.code !== 0 ? hooks.get(one.child_id) : undefined;
    if (hook !== undefined) return hook;
  }
  return null;
}
