/** Tool calls as an agent makes them: JSON in, JSON out. */

import { expect } from 'vitest';
import { runTool, type Session, type ToolResult } from '../../src/index.ts';
import { tools } from '../../src/tools/index.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

export interface Calls extends Place {
  session: (id?: string) => Promise<Session>;
  call: (name: string, input: unknown) => Promise<ToolResult>;
  /** The data of a call that must be done. */
  done: (name: string, input: unknown) => Promise<Record<string, unknown>>;
  /** The code of a call that must be refused. */
  refused: (name: string, input: unknown) => Promise<string>;
}

/** A person's repository with `a.txt` (five lines) and `b.txt`, and one agent who calls tools. */
export async function calls(): Promise<Calls> {
  const repo = personRepo({ 'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': 'b\n' });
  const agent = await repo.session('agent');
  const call = (name: string, input: unknown): Promise<ToolResult> =>
    runTool(agent, name, JSON.parse(JSON.stringify(input)));
  return {
    ...repo,
    call,
    done: async (name, input) => {
      const result = await call(name, input);
      expect(result).toMatchObject({ ok: true, message: expect.stringMatching(/./) });
      return JSON.parse(JSON.stringify(result.data));
    },
    refused: async (name, input) => {
      const result = await call(name, input);
      expect(result.ok).toBe(false);
      return result.ok ? '' : result.code;
    },
  };
}

/** What every tool owes: a flat strict schema, an example that fits it, unknown fields refused by name. */
export async function keepsTheContract(name: string, readOnly: boolean): Promise<void> {
  const tool = tools.find(one => one.name === name)!;
  expect(tool.readOnly).toBe(readOnly);
  expect(tool.input.safeParse(tool.example).success).toBe(true);
  const box = await calls();
  const session = await box.session('s');
  const result = await runTool(session, name, { ...tool.example, colour: 'red' });
  expect(result).toMatchObject({
    ok: false,
    code: 'INVALID_INPUT',
    message: expect.stringContaining('colour'),
  });
}

/** The change that most tools need something to work on. */
export const EDIT = { path: 'a.txt', old_str: '2', new_str: 'two', reason: 'words' };
