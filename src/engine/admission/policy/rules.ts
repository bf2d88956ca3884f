/** The rules of the policies, each by its name: what stands against a change of a file, and against showing it. */

import { isOutside } from '../../../operations.ts';
import { pathName } from '../../../wording.ts';
import type { Context } from '../../context.ts';
import { toTrail } from '../../context.ts';
import type { Editor } from '../../editor.ts';
import type { About, Objection } from '../about.ts';
import { deniedBy, unreadable, type Verdict } from './denied.ts';
import { type Layer, POLICY_PATH } from './policies.ts';

/** Objects to files of the change. Throws DENIED where a rule is about the change as a whole. */
export async function policyObjections(about: About): Promise<Objection[]> {
  const { snapshot, changes, request } = about;
  const { context } = snapshot;
  if (isOutside(request.op)) return [];
  const layers = await snapshot.layers();
  if (layers.length === 0) return [];
  for (const layer of layers) {
    const verdict = aboutAll(layer, about);
    if (verdict) throw deniedBy(verdict, null);
  }
  return changes.flatMap(({ path }) => {
    const verdict = aboutPath(layers, toTrail(context, path), request.editor);
    return verdict ? [{ path, refusal: deniedBy(verdict, path) }] : [];
  });
}

/** Rules about the change as a whole. */
function aboutAll({ name, policy, fault }: Layer, { changes, request }: About): Verdict | null {
  const says = (rule: string, words: string): Verdict => ({ rule, policy: name, words });
  if (fault !== null)
    return says('valid', `the policy ${name} cannot be read (${fault}), so nothing may change`);
  const { max_bytes: most, reason, agents, clients } = policy;
  if (reason && !request.reason?.trim()) return says('reason', 'every change gives a reason');
  const { agent, client, person } = request.editor;
  if (!person && agents && !agents.includes(agent ?? ''))
    return says('agents', `only ${listed(agents)} may edit, not ${agent ?? 'an agent without a name'}`);
  if (!person && clients && !clients.includes(client ?? agent ?? ''))
    return says(
      'clients',
      `only the clients ${listed(clients)} may edit, not ${client ?? agent ?? 'one without a name'}`,
    );
  const added = changes.reduce((sum, { recorded: { before, after } }) => {
    return sum + Math.max(0, (after?.bytes.length ?? 0) - (before?.bytes.length ?? 0));
  }, 0);
  if (most !== undefined && added > most)
    return says('max_bytes', `one change adds ${most} bytes at most, and this one adds ${added}`);
  return null;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nobody' : names.join(', ');
}

/** Returns the first rule that stands against a change of the file, by its path in the trail. */
export function aboutPath(
  layers: readonly Layer[],
  path: string,
  editor: Pick<Editor, 'person'>,
): Verdict | null {
  for (const layer of layers) {
    const says = (rule: string, words: string): Verdict => ({ rule, policy: layer.name, words });
    if (layer.isUnreadable(path)) return unreadable(layer, path);
    if (layer.isReadOnly(path)) return says('read_only', `${pathName(path)} is read-only`);
    if (!layer.isAllowed(path))
      return says('allow', `${pathName(path)} is none of the files that may change`);
  }
  if (!editor.person && path.toLowerCase() === POLICY_PATH)
    return {
      rule: 'policy',
      policy: POLICY_PATH,
      words: 'only a person changes the policy of the repository',
    };
  return null;
}

/** Throws DENIED for paths of the trail that may not land. */
export async function checkLanding(
  context: Context,
  trail: Parameters<Context['policies']['layers']>[0],
  paths: Iterable<string>,
): Promise<void> {
  const layers = await context.policies.layers(trail);
  for (const path of paths) {
    const verdict = aboutPath(layers, path, { person: context.user });
    if (verdict) throw deniedBy(verdict, path);
  }
}
