/**
 * Finds who the user is, as git knows it: environment, then the repository's config, then the user's and the system's;
 * and which of their own settings change what git would record. Includes are not followed.
 */

import { readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Person } from '../../engine/editor.ts';
import { NOBODYS } from '../../engine/editor-name.ts';
import { EditError } from '../../errors.ts';
import type { Config } from '../../workspace/opening/locate.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface User {
  /** `undefined` when name or address are not known. */
  person: Person | undefined;
  /** Absolute paths of ignore files beside those of the repository. */
  excludesFiles: string[];
  /** Absolute paths of attribute files, the most important first. */
  attributesFiles: string[];
  /** Settings of the terminal; programs are those of the user's or the system's config: the repository's start none. */
  shown: Pick<Terminal, 'quotePath' | 'singleKey' | 'logDate' | 'corePager' | 'coreEditor' | 'diffFilter'>;
  /** The text of the system's config and the user's. */
  userConfig: string;
  /** Absolute paths of the policies that they name; see WorkspaceOptions. */
  policyFiles: string[];
  /** As git, root trusts the user who called sudo. */
  trustOwners: number[];
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
export function readUser(env: NodeJS.ProcessEnv, { config, root, parse }: UserSources): User {
  const files = configFiles(env, parse);
  const read = configPaths(env);
  // One text after another, so that later files win, as in git-config(1), "FILES".
  const userConfig = files.flatMap(({ path, text }) => (read.includes(path) ? text : [])).join('\n');
  const own = parse(userConfig);
  const value = (key: string): string | undefined => config.get(key) ?? own.get(key);
  const isSet = (key: string): boolean => (config.get(key) === undefined ? own : config).bool(key, true);
  const name = identityText(env.GIT_AUTHOR_NAME || value('user.name'));
  const email = identityText(env.GIT_AUTHOR_EMAIL || value('user.email') || env.EMAIL);
  const named = (key: string, otherwise: string): string[] => {
    const path = value(key) ?? join(configHome(env), 'git', otherwise);
    return path === '' ? [] : [fromHome(env, path, root)];
  };
  const systemAttributes = env.GIT_ATTR_NOSYSTEM ? [] : ['/etc/gitattributes'];
  return {
    person: name && email ? { name, email } : undefined,
    excludesFiles: named('core.excludesfile', 'ignore'),
    attributesFiles: [...named('core.attributesfile', 'attributes'), ...systemAttributes],
    shown: {
      quotePath: isSet('core.quotepath'),
      singleKey: isSet('interactive.singlekey'),
      logDate: value('log.date'),
      corePager: own.get('core.pager'),
      coreEditor: own.get('core.editor'),
      diffFilter: own.get('interactive.difffilter'),
    },
    userConfig,
    // Every file names its own, and no environment hides that of the system.
    policyFiles: files.flatMap(({ path, config: one }) => {
      const policy = one.get('vedit.policy');
      return policy ? [fromHome(env, policy, dirname(path))] : [];
    }),
    trustOwners: /^\d+$/.test(env.SUDO_UID ?? '') && process.geteuid?.() === 0 ? [Number(env.SUDO_UID)] : [],
  };
}

/** As git writes a name, which takes any from its config: without what would end it; and without control characters. */
function identityText(given = ''): string {
  return given.replace(/[<>\p{C}]/gu, '').trim();
}

/** A config file of the user's or the system's. */
interface ConfigFile {
  path: string;
  text: string;
  config: Config;
}

/** Those that there are, the system's first, whatever the environment says. Throws CORRUPT. */
function configFiles(env: NodeJS.ProcessEnv, parse: UserSources['parse']): ConfigFile[] {
  return [...new Set([SYSTEM, ...configPaths(env)])].flatMap(path => {
    const text = textOf(path);
    if (text === null) return [];
    try {
      return [{ path, text, config: parse(text) }];
    } catch (error) {
      const line = error instanceof EditError ? error.data.line : null;
      const message = `git's config file ${path} cannot be read at line ${line}; correct it with git config --global --edit`;
      throw new EditError('CORRUPT', message, { line }, { cause: error });
    }
  });
}

/** Read at once: a trip to the thread pool takes longer than a few short files. Throws CORRUPT for a folder, as git fails on it. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') return null;
    const message = `git's config file ${path} is a folder; move it away`;
    throw new EditError('CORRUPT', message, { line: null }, { cause: error });
  }
}

const SYSTEM = '/etc/gitconfig';

function configPaths(env: NodeJS.ProcessEnv): string[] {
  const system = env.GIT_CONFIG_NOSYSTEM ? [] : [env.GIT_CONFIG_SYSTEM ?? SYSTEM];
  const users = [join(configHome(env), 'git', 'config'), join(home(env), '.gitconfig')];
  const named = env.GIT_CONFIG_GLOBAL;
  return [...system, ...(named === undefined ? users : [named])].filter(path => isAbsolute(path));
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

/** The login name, where git's config names nobody. The address belongs to nobody. */
export function unknownPerson(env: NodeJS.ProcessEnv): Person {
  const name = env.USER || env.LOGNAME || userInfo().username;
  return { name, email: `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}${NOBODYS}` };
}
