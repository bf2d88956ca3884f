/**
 * The clients themselves, with the settings that `vedit install` writes: those that are on the PATH of this machine are
 * asked whether they find and start the server. None of them is a dependency: `npm install -g @openai/codex`,
 * `@google/gemini-cli`, `opencode-ai` or `@modelcontextprotocol/inspector` brings one.
 */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { BIN, personRepo, vedit } from '../../../helpers/vedit.ts';

interface RealClient {
  program: string;
  /** As `vedit install` knows it. */
  client: string;
  /** The question, and the answer of a client that has the server. */
  ask: readonly string[];
  says: RegExp;
  /** What a person does once: trusting the folder. */
  trust?: (box: Sandbox) => readonly [file: string, text: string];
}

const CLIENTS: readonly RealClient[] = [
  {
    program: 'codex',
    client: 'codex',
    ask: ['mcp', 'list'],
    says: /vedit\s+vedit\s+mcp\s.*enabled/,
    trust: box => ['.codex/config.toml', `[projects.${JSON.stringify(box.dir)}]\ntrust_level = "trusted"\n`],
  },
  {
    program: 'gemini',
    client: 'gemini',
    ask: ['mcp', 'list'],
    says: /vedit: vedit mcp \(stdio\) - Connected/,
    trust: box => ['.gemini/trustedFolders.json', JSON.stringify({ [box.dir]: 'TRUST_FOLDER' })],
  },
  { program: 'opencode', client: 'opencode', ask: ['mcp', 'list'], says: /vedit.*connected/ },
  {
    program: 'mcp-inspector',
    client: 'claude-code',
    ask: [
      ...['--cli', '--config', '.mcp.json', '--server', 'vedit', '--method', 'tools/call'],
      ...['--tool-name', 'str_replace', '--tool-arg', 'path=a.txt', 'old_str=one', 'new_str=ONE'],
    ],
    says: /str_replace done, commit/,
  },
];

const isHere = (program: string): boolean => spawnSync('which', [program]).status === 0;

/** A home of its own beside the repository, with vedit on the path. */
function environment(box: Sandbox): NodeJS.ProcessEnv {
  mkdirSync(box.path('../home/bin'), { recursive: true });
  const program = box.path('../home/bin/vedit');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(program, 0o755);
  const { PATH, TMPDIR } = process.env;
  return { PATH: `${box.path('../home/bin')}:${PATH}`, HOME: box.path('../home'), TMPDIR, NO_COLOR: '1' };
}

describe.each(CLIENTS)('$program', ({ program, client, ask, says, trust }) => {
  it('finds the server where vedit install put it', { timeout: 120_000 }, async ({ skip }) => {
    if (!isHere(program)) skip(`${program} is not installed here`);
    const box = personRepo();
    expect((await vedit(box, ['install', client, '--no-hooks'])).code).toBe(0);
    const env = environment(box);
    const [file, text] = trust?.(box) ?? [];
    if (file !== undefined) {
      mkdirSync(box.path('../home', file, '..'), { recursive: true });
      writeFileSync(box.path('../home', file), text!);
    }
    const { stdout, stderr } = spawnSync(program, [...ask], { cwd: box.dir, env, encoding: 'utf8' });
    expect(stdout + stderr).toMatch(says);
  });
});
