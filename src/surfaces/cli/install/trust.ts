/** Whether a client will start what settings of a project name: a person says so once, and the client keeps that at home. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientName } from './clients.ts';
import type { Places } from './parts.ts';

type Place = Omit<Places, 'isUser'>;

const CLIENTS: Readonly<Partial<Record<ClientName, (place: Place) => Promise<boolean>>>> = {
  /** A hook is trusted by its hash; where one is, the others of that file were shown with it. */
  codex: async ({ root, home, env }) => {
    const text = await textOf(join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'));
    const table = text.split(/^(?=\[)/m).find(one => one.startsWith(`[projects.${JSON.stringify(root)}]`));
    return /^trust_level\s*=\s*"trusted"/m.test(table ?? '') && text.includes(`"${root}/.codex/hooks.json:`);
  },
  gemini: async ({ root, home }) =>
    /^TRUST_(FOLDER|PARENT)$/.test(
      String(objectIn(await textOf(join(home, '.gemini/trustedFolders.json')))[root]),
    ),
  'claude-code': async ({ root, home, env }) => {
    const file = join(env.CLAUDE_CONFIG_DIR ?? home, '.claude.json');
    const projects = Object(objectIn(await textOf(file)).projects) as Record<string, object>;
    const { hasTrustDialogAccepted } = Object(projects[root]) as { hasTrustDialogAccepted?: unknown };
    return hasTrustDialogAccepted === true;
  },
};

/** `null` for a client of which that is not known. */
export async function isTrusted(client: ClientName, place: Place): Promise<boolean | null> {
  return (await CLIENTS[client]?.(place)) ?? null;
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
