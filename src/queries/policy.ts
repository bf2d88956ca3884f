/** Explains what the policies say of a file, without changing it. */

import { aboutPath } from '../engine/admission/policy/rules.ts';
import type { Answer } from '../engine/answer.ts';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import * as option from '../engine/calls/option.ts';
import { type Context, givenPath, toTrail } from '../engine/context.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { pathName } from '../wording.ts';

export interface PolicyOptions {
  path: string;
}

export interface PolicyData {
  path: string;
  may_read: boolean;
  may_change: boolean;
  /** The rule that stands against a change, and its policy. */
  rule: string | null;
  policy: string | null;
  /** The policies that hold, and what of each is about every change. */
  policies: Array<{
    name: string;
    /** False where the user of this process can write the file: then it is advice. */
    binding: boolean;
    /** True for a policy file that may name commands. */
    trusted: boolean;
    fault: string | null;
    rules: string[];
  }>;
}

export const checkPolicy: CheckOptions<PolicyOptions> = optionsCheck(
  { path: option.requiredText },
  { path: 'src/auth.ts' },
);

/** Throws as a path that an edit may not name. */
export async function policy(context: Context, { path: given }: PolicyOptions): Promise<Answer<PolicyData>> {
  const path = await context.store.resolve(givenPath(context, given));
  const recorded = toTrail(context, path);
  const layers = await context.policies.layers(await openTrail(context));
  const fault = layers.find(layer => layer.fault !== null);
  const verdict = fault
    ? { rule: 'valid', policy: fault.name, words: `${fault.name} cannot be read: ${fault.fault}` }
    : aboutPath(layers, recorded, { person: context.user });
  const data: PolicyData = {
    path,
    may_read: !layers.some(layer => layer.isUnreadable(recorded)),
    may_change: verdict === null,
    rule: verdict?.rule ?? null,
    policy: verdict?.policy ?? null,
    policies: layers.map(({ name, isBinding, isTrusted, fault, policy: { version: _, ...rules } }) => ({
      name,
      binding: isBinding,
      trusted: isTrusted,
      fault,
      rules: Object.entries(rules).map(([rule, value]) => `${rule}: ${JSON.stringify(value)}`),
    })),
  };
  return { message: words(data, verdict?.words), data };
}

function words({ path, rule, policy: from, policies }: PolicyData, why: string | undefined): string {
  const head = why
    ? `${pathName(path)} may not change: ${why} (rule ${rule} of ${from}).`
    : `${pathName(path)} may change.`;
  const lines = policies.flatMap(one => [
    `${one.name}, ${one.binding ? 'binding' : 'advice: whoever runs this can write it'}${one.fault === null ? '' : `, cannot be read: ${one.fault}`}`,
    ...one.rules.map(rule => `  ${rule}`),
  ]);
  return [head, ...(lines.length > 0 ? lines : ['No policy holds here.'])].join('\n');
}
