/**
 * Who the user is, as git knows it: environment, then the repository's config, then the user's and the system's.
 * Only `user.name`, `user.email` and `core.excludesFile` are looked at; includes are not followed.
 */

import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { EditError } from '../../errors.ts';
import type { Person } from '../../workspace/context.ts';
import type { Config } from '../../workspace/locate.ts';

export interface User {
  /** `undefined` when name or address are not known. */
  person: Person | undefined;
  /** Absolute paths of ignore files beside those of the repository. */
  excludesFiles: string[];
}

export interface UserSources {
  /** The repository's own config. */
  config: Config;
  /** The folder that relative paths in it start from. */
  root: string;
  /** Reads the text of config files, later ones over earlier ones. */
  parse(...texts: string[]): Config;
}

/** Throws CORRUPT when a file of the user's or the system's cannot be read. */
export async function readUser(env: NodeJS.ProcessEnv, { config, root, parse }: UserSources): Promise<User> {
  const own = await readConfigs(env, parse);
  const value = (key: string): string | undefined => config.get(key) ?? own.get(key);
  const name = env.GIT_AUTHOR_NAME || value('user.name');
  const email = env.GIT_AUTHOR_EMAIL || value('user.email') || env.EMAIL;
  const excludes = value('core.excludesfile') ?? join(configHome(env), 'git', 'ignore');
  return {
    person: name && email ? { name, email } : undefined,
    excludesFiles: excludes === '' ? [] : [fromHome(env, excludes, root)],
  };
}

/** Later files win, as in git-config(1), "FILES". */
async function readConfigs(env: NodeJS.ProcessEnv, parse: UserSources['parse']): Promise<Config> {
  const texts: string[] = [];
  for (const path of configPaths(env)) {
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text !== null) texts.push(checked(path, text, parse));
  }
  return parse(...texts);
}

function configPaths(env: NodeJS.ProcessEnv): string[] {
  const system = env.GIT_CONFIG_NOSYSTEM ? [] : [env.GIT_CONFIG_SYSTEM ?? '/etc/gitconfig'];
  const named = env.GIT_CONFIG_GLOBAL;
  const own =
    named !== undefined ? [named] : [join(configHome(env), 'git', 'config'), join(home(env), '.gitconfig')];
  return [...system, ...own].filter(path => isAbsolute(path));
}

function checked(path: string, text: string, parse: UserSources['parse']): string {
  try {
    parse(text);
    return text;
  } catch (error) {
    const line = error instanceof EditError ? error.data.line : null;
    throw new EditError(
      'CORRUPT',
      `git's config file ${path} cannot be read at line ${line}; correct it with git config --global --edit`,
      { line },
      { cause: error },
    );
  }
}

function configHome(env: NodeJS.ProcessEnv): string {
  return env.XDG_CONFIG_HOME || join(home(env), '.config');
}

function home(env: NodeJS.ProcessEnv): string {
  return env.HOME || homedir();
}

function fromHome(env: NodeJS.ProcessEnv, path: string, top: string): string {
  return path.startsWith('~/') ? join(home(env), path.slice(2)) : resolve(top, path);
}
