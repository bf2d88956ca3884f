/** The refusal by a rule that has a name. */

import { EditError } from '../../../errors.ts';
import { pathName } from '../../../wording.ts';

/** A rule that says no, with the words for it. */
export interface Verdict {
  rule: string;
  policy: string;
  words: string;
}

/** Says no to reading a file, and to changing it. */
export function unreadable({ name }: { name: string }, path: string): Verdict {
  return { rule: 'unreadable', policy: name, words: `${pathName(path)} is not to be read or changed` };
}

/** Asked before the content of a file is shown, by its path in the workspace. One that throws denies. */
export type BeforeRead = (read: { path: string }) => ReadVerdict | Promise<ReadVerdict>;

export type ReadVerdict = { deny: string } | undefined | null;

/** `path` is of the workspace; `null` where the rule is about the change as a whole. */
export function deniedBy({ rule, policy, words }: Verdict, path: string | null): EditError {
  const message = `Not allowed here: ${words} (rule ${rule} of ${policy}). Nothing was changed. Go on without it, or ask the person whose policy it is.`;
  return new EditError('DENIED', message, {
    reason: words,
    rule,
    policy,
    ...(path === null ? {} : { path }),
  });
}
