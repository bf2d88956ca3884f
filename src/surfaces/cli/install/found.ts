/** The clients that are on this machine: by their program on the PATH, or by what they keep in the home or the project. */

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CLIENT_NAMES, type ClientName } from './clients.ts';
import type { Places } from './parts.ts';

/** The program of each client, and what only it makes in a home. */
const SIGNS: Readonly<Record<ClientName, readonly [program: string, ...folders: string[]]>> = {
  'claude-code': ['claude', '.claude'],
  'claude-desktop': ['', '.config/Claude', 'Library/Application Support/Claude', 'AppData/Roaming/Claude'],
  cursor: ['cursor', '.cursor'],
  vscode: ['code', '.config/Code', 'Library/Application Support/Code', 'AppData/Roaming/Code'],
  codex: ['codex', '.codex'],
  gemini: ['gemini', '.gemini'],
  opencode: ['opencode', '.config/opencode'],
  copilot: ['copilot', '.copilot'],
  qwen: ['qwen', '.qwen'],
  cline: ['cline', '.cline'],
};

/** By name, with the sign. */
export function clientsHere({ home, env }: Pick<Places, 'home' | 'env'>): Map<ClientName, string> {
  const found = new Map<ClientName, string>();
  for (const name of CLIENT_NAMES) {
    const [program, ...folders] = SIGNS[name];
    const folder = folders.find(one => existsSync(join(home, one)));
    const path = program === '' ? null : onPath(program, env);
    const sign = path ?? (folder === undefined ? undefined : `~/${folder}`);
    if (sign !== undefined) found.set(name, sign);
  }
  return found;
}

/** The path of a program; `null` where there is none of that name. */
export function onPath(program: string, { PATH = '' }: NodeJS.ProcessEnv): string | null {
  const names = process.platform === 'win32' ? [`${program}.cmd`, `${program}.exe`] : [program];
  const files = PATH.split(delimiter).flatMap(folder =>
    folder === '' ? [] : names.map(name => join(folder, name)),
  );
  return files.find(file => existsSync(file)) ?? null;
}
