/** Events of agents in a repository, as hooks leave them; each at a moment of its own. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EventName, eventFileName } from '../../src/engine/origins/agent-events.ts';
import type { Sandbox } from './real-git.ts';

/** Longer than the clock of a file system needs for its next tick. */
export const aMoment = (): Promise<void> => new Promise(done => setTimeout(done, 12));

export interface Agent {
  tells(kind: EventName['kind'], id?: string, more?: Partial<EventName>): Promise<void>;
  /** Writes a file while nothing else happens. */
  writes(path: string, content: string): Promise<void>;
}

/** A session of Claude Code whose process is not known. */
export function agentAt(box: Sandbox, by: Partial<EventName> = {}): Agent {
  const folder = join(box.dir, '.git/vedit/agents');
  return {
    async tells(kind, id = '1', more = {}) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const tool = kind === 'before' || kind === 'background' ? 'Bash' : '';
      const event = { kind, agent: 'claude-code', session: 's', id, tool, client: '', ...by, ...more };
      await aMoment();
      writeFileSync(join(folder, eventFileName(event)), '', { flag: 'wx' });
      await aMoment();
    },
    async writes(path, content) {
      await aMoment();
      box.write(path, content);
      await aMoment();
    },
  };
}
