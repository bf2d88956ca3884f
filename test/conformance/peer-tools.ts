/** Edit tools of others that are installed here for the tests, as the tasks call them: their own code, with no more around it than they need. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { betaAgentToolset20260401 } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { applyDiff } from '@openai/agents';
import { FilesystemBackend } from 'deepagents';
import type { Asked, Tool } from './edit-tasks.ts';

type Replace = Tool['replace'];

/** Edits one after the other, as a model that has no other call. */
const oneByOne =
  (replace: Replace): Tool['multi'] =>
  async edits => {
    const answers: Asked[] = [];
    for (const edit of edits) answers.push(await replace(...edit));
    return { ok: answers.every(({ ok }) => ok) };
  };

const asked = async (call: () => unknown): Promise<Asked> => {
  try {
    const answer = (await call()) as { error?: unknown } | undefined;
    return { ok: !answer?.error };
  } catch {
    return { ok: false };
  }
};

function deepagents(rootDir: string): Tool {
  const backend = new FilesystemBackend({ rootDir, virtualMode: true });
  const replace: Replace = (path, old, fresh) => asked(() => backend.edit(`/${path}`, old, fresh));
  return {
    view: path => backend.read(`/${path}`),
    replace,
    write: (path, text) => asked(() => backend.write(`/${path}`, text)),
    multi: oneByOne(replace),
  };
}

function anthropic(workdir: string): Tool {
  const tools = betaAgentToolset20260401({ workdir });
  const call = (name: string, input: object): Promise<Asked> =>
    asked(() => (tools.find(one => one.name === name) as { run(input: object): unknown }).run(input));
  const replace: Replace = (file_path, old_string, new_string) =>
    call('edit', { file_path, old_string, new_string });
  return {
    view: file_path => call('read', { file_path }),
    replace,
    write: (file_path, content) => call('write', { file_path, content }),
    multi: oneByOne(replace),
  };
}

/** It knows texts; the file is read and written for it, inside of the folder. */
function openaiAgents(root: string): Tool {
  const put = (path: string, text: (file: string) => string): Promise<Asked> =>
    asked(() => {
      if (normalize(path).startsWith('..')) throw new Error('outside');
      const file = join(root, path);
      writeFileSync(file, text(file));
    });
  const signed = (sign: string, text: string): string[] =>
    text === '' ? [] : text.split('\n').map(line => sign + line);
  const replace: Replace = (path, old, fresh) =>
    put(path, file =>
      applyDiff(
        readFileSync(file, 'utf8'),
        ['@@', ...signed('-', old), ...fresh.split('\n').map(line => `+${line}`)].join('\n'),
      ),
    );
  return {
    replace,
    write: (path, text) => put(path, () => applyDiff('', signed('+', text.trimEnd()).join('\n'), 'create')),
    multi: oneByOne(replace),
  };
}

/** By the name of their column in dev/from-other-tools.md. */
export const PEERS: Readonly<Record<string, (root: string) => Tool>> = {
  'deepagents `edit_file`': deepagents,
  'Anthropic SDK': anthropic,
  'openai-agents `applyDiff`': openaiAgents,
};
