/** All facts of other projects' tools, and how many of each are answered as theirs are. */

import { AGENT_ZERO } from './agent-zero/index.ts';
import { AIDER } from './aider.ts';
import type { UpstreamCase, UpstreamStory } from './case.ts';
import { CODEX } from './codex/index.ts';
import { GEMINI_CLI } from './gemini-cli.ts';
import { GIT_APPLY } from './git-apply/index.ts';
import { MCP_FILESYSTEM } from './mcp-filesystem.ts';
import { MEMORY_TOOL } from './memory-tool.ts';
import { OPENAI_AGENTS } from './openai-agents.ts';
import { OPENCODE } from './opencode.ts';
import { OPENHANDS } from './openhands.ts';

export const PLANNED: readonly UpstreamCase[] = [
  ...AGENT_ZERO,
  ...AIDER,
  ...CODEX,
  ...GEMINI_CLI,
  ...GIT_APPLY,
  ...OPENAI_AGENTS,
  ...OPENCODE,
];
export const STORIES: readonly UpstreamStory[] = [...MCP_FILESYSTEM, ...MEMORY_TOOL, ...OPENHANDS];

interface Count {
  from: string;
  facts: number;
  agree: number;
  differ: number;
}

function counted(from: string, all: ReadonlyArray<{ instead?: unknown }>): Count {
  const differ = all.filter(({ instead }) => instead !== undefined).length;
  return { from, facts: all.length, agree: all.length - differ, differ };
}

const ALL = [...PLANNED, ...STORIES];

/** By tool, and of all. */
export const COUNTS: readonly Count[] = [
  ...[...new Set(ALL.map(({ from }) => from))].sort().map(from =>
    counted(
      from,
      ALL.filter(one => one.from === from),
    ),
  ),
  counted('all', ALL),
];
