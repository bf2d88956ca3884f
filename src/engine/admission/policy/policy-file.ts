/** The format of a policy: JSON with these fields, and no others. Several policies hold at once, so none can loosen another. */

import * as z from 'zod';
import { comparable, parsePathPattern } from '../../../git/rules/path-pattern.ts';
import { lazy } from '../../../lazy.ts';

/** A command that has to answer 0 before text enters history: it gets the added lines on standard input. */
export interface PolicyCommand {
  /** The program and its arguments; no shell is involved. */
  run: readonly string[];
  /** Seconds that it may take; default 60. */
  seconds?: number | undefined;
}

export interface Policy {
  version: 1;
  /** Only these files may change, as patterns of .gitignore without `!`. */
  allow?: readonly string[] | undefined;
  /** These may not. */
  read_only?: readonly string[] | undefined;
  /** The contents of these are not shown, and they may not change. */
  unreadable?: readonly string[] | undefined;
  /** The most bytes that one change adds. */
  max_bytes?: number | undefined;
  /** Every edit gives a reason. */
  reason?: boolean | undefined;
  /** The names of the agents, and of the clients, that may edit; people may. */
  agents?: readonly string[] | undefined;
  clients?: readonly string[] | undefined;
  /** Files in which keys may be; only of a file of the user's or the system's. */
  secrets_allowed?: readonly string[] | undefined;
  /** They run before every change; only of a file of the user's or the system's. */
  commands?: readonly PolicyCommand[] | undefined;
}

const pattern = () =>
  z.string().regex(/^[^!]/, 'a pattern as in .gitignore, not empty and without ! at its beginning');
const patterns = () => z.array(pattern()).optional();
const names = () => z.array(z.string()).optional();

const tightening = () => ({
  version: z.literal(1),
  allow: patterns(),
  read_only: patterns(),
  unreadable: patterns(),
  max_bytes: z.int().nonnegative().optional(),
  reason: z.boolean().optional(),
  agents: names(),
  clients: names(),
});

const schema = lazy((): z.ZodType<Policy> => z.strictObject(tightening()));

const command = (): z.ZodType<PolicyCommand> =>
  z.strictObject({ run: z.array(z.string()).min(1), seconds: z.number().positive().optional() });

const trustedSchema = lazy(
  (): z.ZodType<Policy> =>
    z.strictObject({ ...tightening(), secrets_allowed: patterns(), commands: z.array(command()).optional() }),
);

/** Reads a policy. Throws an Error whose words say what is wrong. */
export function parsePolicy(text: string, isTrusted: boolean): Policy {
  const given: unknown = JSON.parse(text);
  const { success, data, error } = (isTrusted ? trustedSchema() : schema()).safeParse(given);
  if (success) return data;
  if (!isTrusted && trustedSchema().safeParse(given).success)
    throw new Error(
      'commands and secrets_allowed count only in a file that git config --global vedit.policy names',
    );
  const { path, message } = error.issues[0]!;
  throw new Error(`${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`);
}

/** Returns a test for paths of the trail: true for a file that a pattern names, or a folder above it. */
export function matcher(list: readonly string[], ignoreCase: boolean): (path: string) => boolean {
  const rules = list.map(one => parsePathPattern(comparable(one, ignoreCase)));
  return path => {
    const text = comparable(path, ignoreCase);
    const ends = [...text].flatMap((letter, at) => (letter === '/' ? [at] : []));
    return rules.some(
      ({ matches, directoryOnly }) =>
        (!directoryOnly && matches(text)) || ends.some(end => matches(text.slice(0, end))),
    );
  };
}
