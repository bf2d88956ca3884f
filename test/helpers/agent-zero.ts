/** The example for Agent Zero, on the engine of src: see `alias` in vitest.config.ts. */

import type { ToolResult } from '../../src/tools/run.ts';
import type { Session } from '../../src/workspace/session.ts';

export interface AgentZeroResponse {
  message: string;
  additional: Record<string, unknown>;
  result: ToolResult;
}

interface AgentZeroTool {
  name: string;
  prompt: string;
  execute(args: unknown, toolName?: string): Promise<AgentZeroResponse>;
}

const example = await import('../../examples/agent-zero.mjs' as string);

export const textEditor: (session: Session, options?: object) => AgentZeroTool = example.textEditor;
export const agentZeroPrompt: (options?: object) => string = example.prompt;
