/** Opening a repository: it is found and checked, and the store and the rules of git are put together. */

import type { Context } from '../../engine/context.ts';
import { purgedHere } from '../../engine/revision.ts';
import { hasLostPower, journaledObject } from '../../engine/transaction/journal/interrupted.ts';
import { ifRefused } from '../../errors.ts';
import { sharedFs, sharedMode } from '../../fs/shared-fs.ts';
import { parseConfig } from '../../git/repository/config.ts';
import { checkOwner, preflight } from '../../git/repository/preflight.ts';
import { locate, type Repository } from '../../git/repository/repository.ts';
import { inheritsHome } from '../../history/head.ts';
import type { SignEvery } from '../../signing/sign.ts';
import { isForWorkTree } from '../../stores/disk/staged-file.ts';
import { makeContext } from './make-context.ts';
import type { Platform } from './platform.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** Opens the context of a workspace; errors as those of openWorkspace. */
export async function openContext(platform: Platform, options: WorkspaceOptions): Promise<Context> {
  const found = await locate(platform.fs, options.root);
  const { userConfig: text, trustOwners: owners = [] } = options;
  const userConfig = text === undefined ? null : parseConfig(text);
  await checkOwner(found, { euid: platform.euid, owners, userConfig });
  const repo = withShared(found);
  await preflight(repo);
  const context = await makeContext(options, { ...platform, fs: repo.fs }, repo, userConfig);
  context.objects.unsettled = oid => journaledObject(context, oid);
  repo.inheritsHome = await inheritsHome(repo, context.objects, context.folder);
  await purgedHere(context);
  await repairAfterPowerCut(context);
  context.signing = signingOf(context);
  return context;
}

/** Makes what signs by itself: it is loaded with the first commit, where the user's config asks for it: most ask for none. */
function signingOf(context: Context): Context['signing'] {
  const every = Number(context.userConfig?.get('vedit.signevery') ?? 0);
  if (!(every >= 1)) return null;
  let loaded: Promise<SignEvery> | null = null;
  const load = (): Promise<SignEvery> =>
    (loaded ??= import('../../signing/sign.ts').then(one => new one.SignEvery(context, every)));
  return { made: () => void load().then(one => one.made()), close: async () => (await loaded)?.close() };
}

/** Returns the repository whose new files and folders are for those whom core.sharedRepository names. */
function withShared(repo: Repository): Repository {
  const shared = sharedMode(repo.config);
  const folders = [...new Set([repo.commonDir, repo.gitDir])];
  return { ...repo, fs: sharedFs(repo.fs, { shared, folders, isForWorkTree }) };
}

/** Repairs after a power cut. A repository that cannot be written is read as it is, and so is one whose journal is damaged: every edit will say so. */
async function repairAfterPowerCut(context: Context): Promise<void> {
  if (!(await hasLostPower(context).catch(ifRefused(false, 'CORRUPT')))) return;
  const { repairNow } = await import('../../engine/change/change.ts');
  await repairNow(context).catch(() => {});
}
