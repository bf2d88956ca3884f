/** Keeps what may not be read from being shown: by name a file is refused, and of a diff its part is withheld. */

import { shownName } from '../../../c-quote.ts';
import { type Context, toTrail } from '../../context.ts';
import type { FileDiff } from '../../file-diffs.ts';
import { deniedBy, unreadable, type Verdict } from './denied.ts';
import type { Layer } from './policies.ts';

/** Throws DENIED for a file, by its path in the workspace, that is not to be shown. */
export async function checkReadable(context: Context, layers: readonly Layer[], path: string): Promise<void> {
  const verdict = await unreadableBy(context, layers, path);
  if (verdict) throw deniedBy(verdict, path);
}

/** Returns the differences, without what is in files that are not to be shown. `layers`: the policies, where they were read. */
export async function readableDiffs(
  context: Context,
  fileDiffs: readonly FileDiff[],
  layers: readonly Layer[],
): Promise<FileDiff[]> {
  if (layers.length === 0 && !context.beforeRead) return [...fileDiffs];
  const shown: FileDiff[] = [];
  for (const one of fileDiffs) {
    const verdict =
      (await unreadableBy(context, layers, one.path)) ??
      (one.from && (await unreadableBy(context, layers, one.from)));
    shown.push(verdict ? withheld(one, verdict) : one);
  }
  return shown;
}

/** True for a file whose text may be shown, by its path in the workspace. */
export async function isReadable(context: Context, layers: readonly Layer[], path: string): Promise<boolean> {
  return (await unreadableBy(context, layers, path)) === null;
}

/** Whoever goes on from a difference has nothing of the file: its sides are no texts. */
function withheld(fileDiff: FileDiff, { rule, policy }: Verdict): FileDiff {
  const { path, from } = fileDiff;
  const [before, after] = [fileDiff.before, fileDiff.after].map(
    file => file && { ...file, bytes: Uint8Array.of(0) },
  );
  const head = `diff --git ${shownName(`a/${from ?? path}`)} ${shownName(`b/${path}`)}`;
  const diff = `${head}\n(withheld: rule ${rule} of ${policy})\n`;
  return { ...fileDiff, before: before!, after: after!, diff, binary: true, lines: [] };
}

async function unreadableBy(
  context: Context,
  layers: readonly Layer[],
  path: string,
): Promise<Verdict | null> {
  const { beforeRead } = context;
  const recorded = toTrail(context, path);
  const hides = layers.find(({ isUnreadable }) => isUnreadable(recorded));
  if (hides) return unreadable(hides, path);
  if (!beforeRead || path === '') return null;
  const says = (words: string): Verdict => ({ rule: 'beforeRead', policy: 'the host', words });
  try {
    const verdict = await beforeRead({ path });
    if (verdict === undefined || verdict === null) return null;
    return says(
      typeof verdict.deny === 'string'
        ? verdict.deny
        : 'the check answered neither {"deny": "why"} nor nothing',
    );
  } catch (error) {
    return says(`the check itself failed (${error instanceof Error ? error.message : String(error)})`);
  }
}
