/** Whose the changes are that nothing recorded, by what agents were doing when the files were written. */

import { layered } from '../../git/repository/config.ts';
import { type Context, fromTrail } from '../context.ts';
import { readActivity } from './event-folder.ts';
import { type Evidence, evidenceFor } from './evidence.ts';

const PERSON: Evidence = { by: 'person' };
const NOBODY: Evidence = { by: 'unclaimed', agents: [] };

/**
 * By path as the trail records it. `since`: when the trail's newest commit was made, in seconds; what it holds is not in
 * question. Throws nothing: where it cannot be told, it is nobody's.
 */
export async function whoseChanges(
  context: Context,
  paths: readonly string[],
  since: number | undefined,
): Promise<Map<string, Evidence>> {
  const rule = ruleOf(context);
  if (rule !== 'by evidence') return new Map(paths.map(path => [path, rule === 'mine' ? PERSON : NOBODY]));
  const activity = await readActivity(context).catch(() => null);
  const found = new Map<string, Evidence>();
  for (const path of paths) {
    const changed = await changedAt(context, path);
    const change = { path, changed, since: BigInt(since ?? 0) * 1_000_000_000n };
    const isForgotten = activity?.forgotten != null && (changed ?? change.since) < activity.forgotten;
    found.set(path, activity && !isForgotten ? evidenceFor(activity, change) : NOBODY);
  }
  return found;
}

/** `vedit.outside` of git's config over the option. */
function ruleOf({ repo, userConfig, outsideBy }: Context): 'mine' | 'unclaimed' | 'by evidence' {
  const set = layered(repo.config, userConfig).get('vedit.outside');
  if (set === 'mine' || set === 'unclaimed') return set;
  return outsideBy ?? 'by evidence';
}

/** The ctime; `null` where there is no file, or none on a disk that agents write to. */
async function changedAt(context: Context, path: string): Promise<bigint | null> {
  const name = fromTrail(context, path);
  if (name === null || !context.repo.workDir || !context.store.separate) return null;
  try {
    return (await context.fs.lstat(`${context.root}/${name}`)).ctimeNs;
  } catch {
    return null;
  }
}
