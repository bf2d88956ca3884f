/** Reads what git tells of its own doing in a push: so a hook of this repository that says no differs from a server that fails. */

import { EditError } from '../errors.ts';
import type { GitResult } from '../git/run-git.ts';
import { parseJson } from '../json.ts';
import { withoutSecrets } from './failures.ts';

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
