/** A path where no file is: the refusal says what was meant, or where to look, with a folder that is there. */

import { shownName } from '../../c-quote.ts';
import { isAboutNothing } from '../../edits/edit.ts';
import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import { folderOf } from '../../git/paths.ts';
import { isBelow } from '../../history/changed-paths.ts';
import { readEntry, walkTrail } from '../../history/walk.ts';
import { listedSome } from '../../text/words.ts';
import { fieldName, ifTool, Look, pathName, shortId } from '../../wording.ts';
import { type Context, fromTrail, toTrail } from '../context.ts';
import {
  namesAmong,
  namesOnce,
  type PathSuggestion,
  suggestFile,
  suggestNewFile,
} from './path-suggestion.ts';
import { fileIn, type Snapshot } from './snapshot.ts';

/** The way to a path where no file is: how far it leads, and what was meant. */
export interface Way {
  /** The nearest folder above the path that is there; '.' is the root. */
  folder: string;
  /** The file that was meant, most likely; `null` when no name is close. */
  suggestion: string | null;
  /** The suggestion, or what the folder holds, in a sentence; '' where nothing is known of either. */
  what: string;
  /** That, and what to do next, in whole sentences. */
  advice: string;
}

/**
 * Finds the way to a path where no file is: in the tree `then` of an old commit, else among the files as they are.
 * `mayMake`: whoever looks for the file may want to create it.
 */
export async function wayTo(
  snapshot: Snapshot,
  path: string,
  then: string | null = null,
  mayMake = true,
): Promise<Way> {
  let inTheWay: string | null = null;
  let folder = folderOf(path);
  while (folder !== '') {
    const found = await kindOf(snapshot, folder, then);
    if (found === 'folder') break;
    if (found === 'file') inTheWay = folder;
    folder = folderOf(folder);
  }
  const where = folder === '' ? '.' : folder;
  const names = namesOnce(snapshot, then);
  const meant = await suggestFile(path, names);
  const what = meantWords(meant) || holdsWords(folder, await names(folder));
  const why = inTheWay === null ? '' : `${pathName(inTheWay)} is a file, so nothing is below it. `;
  const orMake = inTheWay === null && mayMake ? ifTool('create', tool => `, or use ${tool} to make it`) : '';
  const lookThere =
    then === null
      ? ` ${Look('folder')} ${pathName(where)} to see which files there are${orMake}.`
      : ` ${Look('folder')} ${pathName(where)} with the same ${fieldName('at')} to see which files there were.`;
  const isSaid = meant.file !== null || (!mayMake && what !== '');
  const advice = `${why}${what}${isSaid ? '' : lookThere}`.trim();
  return { folder: where, suggestion: meant.file, what, advice };
}

function meantWords({ file, several }: PathSuggestion): string {
  if (file !== null) return `Did you mean ${pathName(shownName(file))}?`;
  const words = several.map(path => pathName(shownName(path)));
  return words.length > 0 ? `Files that end so: ${words.join(', ')}.` : '';
}

/** Completes the refusal of an edit that found no file, or a folder in its place; returns any other error as it is. */
export async function withWay(snapshot: Snapshot, error: unknown): Promise<unknown> {
  if (!(error instanceof EditError) || typeof error.data.path !== 'string') return error;
  const { code, data } = error;
  const message = EditError.wording(error);
  const { path, folder: supposed } = data;
  if (code === 'IS_DIRECTORY') {
    const folder = await snapshot.resolveFolder(path as string);
    const holds = holdsWords(folder, await namesOnce(snapshot, null)(folder));
    return holds === '' ? error : new EditError(code, `${message} ${holds}`, data, { cause: error });
  }
  if (code !== 'FILE_NOT_FOUND' || supposed === undefined) return error;
  const real = await snapshot.resolve(path as string);
  const present = await snapshot.file(real).catch(() => undefined);
  if (present) {
    const words = `${message} It is there now, but not in what this edit builds on: its base, or what the edits before it in the call leave.`;
    return new EditError(code, words, data, { cause: error });
  }
  const isGone = present === null;
  if (isGone && (await snapshot.recorded(real))?.mode.startsWith('100')) {
    const words = `${message} It was deleted, not through vedit; history has it.${ifTool('restore', tool => ` To bring it back use ${tool}.`)}`;
    return new EditError(code, words, { ...data, deleted_outside: true }, { cause: error });
  }
  const { folder, suggestion, advice } = await wayTo(snapshot, real, null, !isAboutNothing(error));
  return new EditError(code, `${message} ${advice}`, { ...data, folder, suggestion }, { cause: error });
}

/** Refusals of a path as such, where the rest of it may name a file of the workspace. */
const OUTSIDE: ReadonlySet<unknown> = new Set([
  'absolute',
  'url',
  'drive',
  'home',
  'dot component',
  'separator',
]);

/** Names in the refusal of a path out of the workspace the file in it that was meant; returns any other error as it is. */
export async function withInside(snapshot: () => Promise<Snapshot>, error: unknown): Promise<unknown> {
  if (!(error instanceof EditError) || error.code !== 'OUTSIDE_WORKSPACE') return error;
  const { path, rule, suggestion: known } = error.data;
  if (typeof path !== 'string' || known !== undefined || !OUTSIDE.has(rule)) return error;
  const now = await snapshot();
  const names = namesOnce(now, null);
  const meant = await suggestFile(path, names);
  const suggestion = meant.file ?? (await suggestNewFile(path, names));
  const words = meant.several.length > 0 ? meantWords(meant) : meantWords({ file: suggestion, several: [] });
  const tree = await workTreeOf(now.context, path);
  if ((words === '' && tree === null) || suggestion === path) return error;
  const where = tree === null ? '' : `It is in another work tree, ${tree}; open a workspace there.`;
  const message = [EditError.wording(error), where, words].filter(Boolean).join(' ');
  return new EditError(error.code, message, { ...error.data, suggestion }, { cause: error });
}

/** Finds the work tree that an absolute path leads into; `null`: into none. */
async function workTreeOf({ fs, repo }: Context, path: string): Promise<string | null> {
  if (!path.startsWith('/') || fs.volatile || !repo.workDir) return null;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const isTop = await fs.lstat(`${path.slice(0, at)}/.git`).catch(() => null);
    if (isTop) return path.slice(0, at);
  }
  return null;
}

/** The most commits of the trail that are searched for one that has a file. */
const SEARCH = 500;

/** Creates the refusal for a file that a commit does not have, with the newest commit that has it, or what was meant. */
export async function notHeld(snapshot: Snapshot, path: string, commit: string): Promise<EditError> {
  const { context, trail } = snapshot;
  const words = `${shortId(commit)} has no file ${pathName(path)}.`;
  const data = { path, commit };
  for await (const { commit: id, tree } of walkTrail(context.objects, trail.parent, LOOK)) {
    if (!(await lookup(context.objects, tree, toTrail(context, path)))) continue;
    const message = `${words} The newest commit that has it is ${shortId(id)}. To remove the file, delete it.`;
    return new EditError('FILE_NOT_FOUND', message, { ...data, held_by: id });
  }
  const { tree } = await readEntry(context.objects, commit);
  const { folder, suggestion, what } = await wayTo(snapshot, path, tree);
  const list = ifTool('log', tool => `${tool} lists the edits with their paths.`);
  const message = [words, what, list].filter(Boolean).join(' ');
  return new EditError('FILE_NOT_FOUND', message, { ...data, folder, suggestion });
}

const LOOK = { ownOnly: false, limit: SEARCH };

/** Throws FILE_NOT_FOUND, with what was meant, for a path of which there is neither a file nor a folder now. */
export async function checkPathThere(snapshot: Snapshot, path: string): Promise<void> {
  if (path === '' || path === '.' || (await kindOf(snapshot, path, null)) !== 'nothing') return;
  const { what, suggestion, folder } = await wayTo(snapshot, path);
  throw new EditError(
    'FILE_NOT_FOUND',
    `There is no ${shownName(path)}, neither among the files nor in this history. ${what}`.trimEnd(),
    { path, suggestion, folder },
  );
}

/**
 * Throws FILE_NOT_FOUND, with the path on the trail that was meant, for a path (as the trail records it) of which no
 * edit is and where neither a file nor a folder is now.
 */
export async function checkPathOnTrail(snapshot: Snapshot, path: string): Promise<void> {
  const { context, trail } = snapshot;
  const edited = new Set<string>();
  for await (const { meta } of walkTrail(context.objects, trail.tip && trail.parent, LOOK))
    for (const one of meta?.paths ?? []) edited.add(one);
  if ([...edited].some(one => isBelow(one, path))) return;
  const own = fromTrail(context, path);
  if (own === null || (await kindOf(snapshot, own, null)) !== 'nothing') return;
  const meant = await suggestFile(path, namesAmong(edited));
  const list = ifTool('log', tool => `${tool} lists the edits with their paths.`);
  const message = `No edit of this history is of ${pathName(own)}, and there is no such file. ${meantWords(meant) || list}`;
  throw new EditError('FILE_NOT_FOUND', message.trim(), { path: own, suggestion: meant.file });
}

async function kindOf(
  snapshot: Snapshot,
  path: string,
  then: string | null,
): Promise<'file' | 'folder' | 'nothing'> {
  try {
    const file = then === null ? await snapshot.file(path) : await fileIn(snapshot.context, then, path);
    return file === null ? 'nothing' : 'file';
  } catch (error) {
    return error instanceof EditError && error.code === 'IS_DIRECTORY' ? 'folder' : 'file';
  }
}

/** Says what a folder holds, as a sentence; '' where that is not known. */
function holdsWords(folder: string, names: readonly string[] | null): string {
  if (names === null) return '';
  const what = names.length === 0 ? 'no files' : listedSome(names.map(shownName));
  return `${folder === '' ? 'The workspace' : pathName(shownName(folder))} holds ${what}.`;
}
