/**
 * Commits by the real git, so that the person's hooks run and their signature is on them: what `git commit --only` does, step
 * by step, of which none needs a lock. What the person staged takes no part, and the commits are nobody's yet: publish.ts
 * moves the branch.
 */

import type { Context } from '../../engine/context.ts';
import { NO_GIT, placeOf, refusedByGit } from '../../engine/use-git.ts';
import { syncObjects, writeObjects } from '../../git/objects/loose.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { writePath } from '../../git/objects/tree.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { type GitCall, quietGit, type RunGit } from '../../git/run-git.ts';
import type { PathContents } from '../contents.ts';
import type { LandPlan } from '../plan.ts';
import type { LandCommit } from '../plan-commits.ts';
import { LandingFolder } from './landing-folder.ts';

/** Is told which of how many commits was made, counted from 1. */
export type CommitMade = (count: number, of: number) => void;

export interface GitOptions {
  /** False leaves out the hooks that could refuse: pre-commit and commit-msg. */
  verify?: boolean | undefined;
  onCommit?: CommitMade | undefined;
  onOutput?: ((text: string) => void) | undefined;
}

/** Commits that no branch has yet. */
export interface MadeCommits {
  /** Oldest first; and the tree of the newest. */
  commits: string[];
  tree: string;
  /** The objects that the history does not have otherwise. */
  objects: EncodedObject[];
  /** Paths of which a hook made something else. */
  changedByHooks: string[];
  /** The hooks that ran; `null` where none did. */
  hooks: Hooks | null;
}

/** Makes durable what git writes, and leaves messages what they are, whatever the user's config says. */
const CONFIG: readonly string[] = ['-c', 'core.fsync=committed', '-c', 'i18n.commitEncoding=UTF-8'];

/** Makes the commits of a plan, each on top of the one before; hooks run where the branch is checked out. Throws GIT_REFUSED. */
export async function commitWithGit(
  context: Context,
  git: RunGit,
  plan: Pick<LandPlan, 'target' | 'commits' | 'objects'>,
  options: GitOptions,
): Promise<MadeCommits> {
  const { target, commits, objects } = plan;
  await storeObjects(context, objects);
  const folder = target.checkedOut ? await LandingFolder.make(context) : null;
  const committing = new Committing(context, git, folder, options);
  const made: Commit[] = [];
  try {
    for (const one of commits) {
      made.push(await committing.commit(made.at(-1) ?? target, one));
      options.onCommit?.(made.length, commits.length);
    }
  } finally {
    await folder?.remove();
  }
  return {
    commits: made.map(({ commit }) => commit),
    tree: made.at(-1)!.tree,
    objects: await ownObjects(context, plan, await committing.listNew(made.at(-1)!.commit, target.commit)),
    changedByHooks: [...new Set(made.flatMap(({ changed }) => changed))],
    hooks: folder && committing.hooks,
  };
}

/** Returns the objects of the commits that the trail does not hold. They go into the journal, since a gc may take what no ref leads to yet. */
async function ownObjects(
  { objects, codec }: Context,
  plan: Pick<LandPlan, 'commits' | 'objects'>,
  listed: readonly string[],
): Promise<EncodedObject[]> {
  const fresh = new Set(plan.objects.map(({ oid }) => oid));
  const landed = plan.commits.flatMap(({ changes }) => [...changes.values()]);
  const held = new Set(landed.flatMap(one => (one === null || fresh.has(one.oid) ? [] : one.oid)));
  const own = listed.filter(oid => !held.has(oid));
  return Promise.all(
    own.map(async oid => {
      const { type, content } = await objects.read(oid);
      return codec.encode(type, content, oid);
    }),
  );
}

/** A commit, its tree, and the paths of which a hook made something else. */
interface Commit {
  commit: string;
  tree: string;
  changed: string[];
}

/** Characters of a list of objects: a million and more of them. */
const MOST_LISTED = 64 * 1024 * 1024;

class Committing {
  readonly hooks: Hooks;
  readonly #context: Context;
  readonly #git: RunGit;
  readonly #cwd: string;
  readonly #folder: LandingFolder | null;
  readonly #verify: boolean;

  constructor(
    context: Context,
    git: RunGit,
    folder: LandingFolder | null,
    { verify = true, onOutput }: GitOptions,
  ) {
    this.#context = context;
    this.#git = git;
    this.#cwd = placeOf(context);
    this.#folder = folder;
    this.#verify = verify;
    this.hooks = new Hooks(git, this.#cwd, onOutput);
  }

  async commit(
    parent: Pick<LandPlan['target'], 'commit' | 'tree'>,
    { changes, message, time }: LandCommit,
  ): Promise<Commit> {
    const env = time === null ? {} : { GIT_AUTHOR_DATE: `@${time} +0000` };
    const planned = await storeTree(this.#context, parent.tree, changes);
    const passed = this.#folder
      ? await this.#throughHooks(this.#folder, planned, message, env)
      : { tree: planned, message };
    const options = [...(await this.#sign()), ...(parent.commit === null ? [] : ['-p', parent.commit])];
    const args = [...CONFIG, 'commit-tree', ...options, passed.tree];
    const commit = await this.#run({ args, input: passed.message, env, started: () => {} });
    const changed = await diffTrees(this.#context.objects, planned, passed.tree);
    return { commit, tree: passed.tree, changed: changed.map(({ path }) => path) };
  }

  /** Lists the objects that a commit leads to and an older one does not. */
  async listNew(commit: string, before: string | null): Promise<string[]> {
    const range = before === null ? [commit] : [commit, `^${before}`];
    const args = ['--no-replace-objects', 'rev-list', '--objects', ...range];
    const listed = await this.#ask({ args, limit: MOST_LISTED });
    // A name may follow.
    return listed.split('\n').map(line => line.slice(0, 40));
  }

  /** The index is the hooks' own, and so is the message. */
  async #throughHooks(
    folder: LandingFolder,
    planned: string,
    message: string,
    given: Readonly<Record<string, string>>,
  ): Promise<{ tree: string; message: string }> {
    const env = { ...given, GIT_INDEX_FILE: folder.index, GIT_EDITOR: ':' };
    await folder.copyIndex();
    await this.#ask({ args: ['read-tree', '--reset', planned], env });
    if (this.#verify) await this.hooks.run('pre-commit', { env });
    const tree = await this.#ask({ args: [...CONFIG, 'write-tree'], env });
    const file = await folder.writeMessage(message);
    await this.hooks.run('prepare-commit-msg', { args: [file, 'message'], env });
    if (this.#verify) await this.hooks.run('commit-msg', { args: [file], env });
    const words = cleanedUp(await folder.readMessage());
    if (words !== '') return { tree, message: words };
    throw refusedByGit({ code: 1, stdout: '', stderr: 'Aborting commit due to empty commit message.' });
  }

  /** Returns `-S` where `commit.gpgSign` is set: commit-tree itself does not look at that setting. */
  async #sign(): Promise<string[]> {
    const look = quietGit(this.#git);
    const asked = await look({ args: ['config', '--type=bool', '--get', 'commit.gpgSign'], cwd: this.#cwd });
    return asked?.stdout.trim() === 'true' ? ['-S'] : [];
  }

  #ask(call: Omit<GitCall, 'cwd'>): Promise<string> {
    return this.#run(call, quietGit(this.#git));
  }

  async #run(call: Omit<GitCall, 'cwd'>, git: RunGit = this.#git): Promise<string> {
    const result = (await git({ ...call, cwd: this.#cwd })) ?? NO_GIT;
    if (result.code !== 0) throw refusedByGit(result);
    return result.stdout.trim();
  }
}

/** Cleans a message up as `--cleanup=whitespace` of git commit does: no blanks at the ends of lines, no empty lines at the ends or two in a row. */
export function cleanedUp(message: string): string {
  const lines = message.split('\n').map(line => line.replace(/\s+$/, ''));
  const text = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
  return text === '' ? '' : `${text}\n`;
}

/** Returns the tree with these changes, its objects written. */
async function storeTree(context: Context, tree: string | null, changes: PathContents): Promise<string> {
  const written = await writePath(context.objects, tree, changes);
  for (const object of written.objects) context.objects.remember(object);
  await storeObjects(context, written.objects);
  return written.tree;
}

/** Writes objects durably, so that git finds them. */
async function storeObjects(context: Context, objects: readonly EncodedObject[]): Promise<void> {
  await syncObjects(context.fs, await writeObjects(context.loose, objects));
}

type CommitHook = 'pre-commit' | 'prepare-commit-msg' | 'commit-msg' | 'post-commit';

interface HookCall {
  /** The arguments of the hook. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

class Hooks {
  readonly #git: RunGit;
  readonly #cwd: string;
  readonly #output: ((text: string) => void) | undefined;
  #knows: Promise<boolean> | null = null;

  /** Runs hooks in `cwd`; `output` is told what they print, as it comes. */
  constructor(git: RunGit, cwd: string, output: ((text: string) => void) | undefined) {
    this.#git = git;
    this.#cwd = cwd;
    this.#output = output;
  }

  /** Throws GIT_REFUSED where the hook is there and says no. */
  async run(hook: CommitHook, { args = [], env = {} }: HookCall = {}): Promise<void> {
    const call = await this.#command(hook, args);
    const output = this.#output && { output: this.#output };
    const result = await this.#git({ args: call, cwd: this.#cwd, env, ...output, started: () => {} });
    if (result?.code !== 0) throw refusedByGit(result ?? NO_GIT);
  }

  async #command(hook: CommitHook, args: readonly string[]): Promise<readonly string[]> {
    this.#knows ??= this.#ask(['version']).then(words => {
      const [, major, minor] = /(\d+)\.(\d+)/.exec(words) ?? [];
      return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 36);
    });
    if (await this.#knows) return ['hook', 'run', '--ignore-missing', hook, '--', ...args];
    const file = shellWord(await this.#ask(['rev-parse', '--git-path', `hooks/${hook}`]));
    return ['-c', `alias.vedit-hook=!test ! -x ${file} || ${file}`, 'vedit-hook', ...args];
  }

  /** Asks git itself: where hooks lie is told by the config that is set aside for all other calls. */
  async #ask(args: readonly string[]): Promise<string> {
    const result = await (args[0] === 'version' ? quietGit(this.#git) : this.#git)({ args, cwd: this.#cwd });
    return result?.stdout.trim() ?? '';
  }
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
