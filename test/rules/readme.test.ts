/** README.md is true: its tables are those of the registries, its code runs, its links lead somewhere. */

import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, modelServer } from './model-server.ts';
import { blocks, README, readme, withTables } from './readme.ts';
import { ROOT } from './source.ts';

const page = readme();

/** Some say of `session` only that it is that of the first example. */
const SESSION = `import { initRepository, openWorkspace } from 'versioned-edit';
await initRepository({ root: process.cwd() });
const workspace = await openWorkspace({ root: process.cwd() });
const session = workspace.session({ agent: 'fixer' });
`;

const programs = [...blocks(page, 'ts'), ...blocks(page, 'ts session').map(text => SESSION + text)];

describe('tables', () => {
  it('are those of the registries (npx vitest run test/rules/readme.test.ts -u writes them)', async () => {
    await expect(withTables(page)).toMatchFileSnapshot(README);
  });

  it('name every event', () => {
    const source = readFileSync(join(ROOT, 'src/workspace/events.ts'), 'utf8');
    const kinds = [...source.matchAll(/kind: ([^;]+);/g)].flatMap(([, words]) => words!.match(/\w+/g)!);
    const rows = page
      .slice(page.indexOf('## Events'))
      .split('\n\n')
      .find(text => text.startsWith('|'));
    expect([...rows!.matchAll(/^\| `(\w+)`/gm)].map(([, kind]) => kind).sort()).toEqual(kinds.sort());
  });

  it('hold no measured figure that is not from a run of the bench', () => {
    expect(page).toMatch(/<!-- bench -->\n\n(?:Not measured yet\.|\*Measured .*\*\n\n\|)/);
  });
});

describe('links', () => {
  it('lead to files that are there', () => {
    const targets = [...page.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, target]) => target!);
    expect(targets.filter(target => !existsSync(join(ROOT, target)))).toEqual([]);
  });
});

describe('features of other tools', () => {
  const section = page.slice(page.indexOf('## From other tools'), page.indexOf('## Limits'));
  const rows = section.split('\n').filter(line => line.startsWith('| '));
  const links = rows
    .slice(2)
    .map(row => /\[([^\]]+)\]\((test\/[^)]+)\) \|$/.exec(row)?.slice(1) ?? [row, '']);

  it('are rows of a table', () => expect(links.length).toBeGreaterThan(20));

  it.each(links)('are shown by a test that is there: %s', (title, file) => {
    const source = readFileSync(join(ROOT, file!), 'utf8');
    expect(source).toMatch(new RegExp(`\\bit(\\.each\\([\\s\\S]*?\\))?\\(\\s*'${escaped(title!)}'`));
  });
});

describe('code', () => {
  const scratch = makeScratch();
  let model: ModelServer;
  beforeAll(async () => {
    model = await modelServer();
  });
  afterAll(() => {
    model.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  it('in TypeScript fits the types', async () => {
    programs.forEach((text, index) => {
      writeFileSync(join(scratch, `block-${index}.ts`), text);
    });
    writeFileSync(join(scratch, 'tsconfig.json'), tsconfig());
    expect(await output(scratch, join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json'])).toBe('');
  });

  it.each(programs.map((text, index) => [index + 1, text] as const))(
    'in TypeScript runs: block %i',
    async (index, text) => {
      const folder = join(scratch, `run-${index}`);
      mkdirSync(folder);
      writeFileSync(join(folder, 'block.mjs'), transformSync(text, { loader: 'ts' }).code);
      expect(await output(folder, process.execPath, ['block.mjs'], model.env)).toMatch(expectedOf(text));
    },
  );

  it('in shell runs, one block after the other', async () => {
    const all = blocks(page, 'sh run');
    expect(all.length).toBeGreaterThan(1);
    writeFileSync(join(scratch, 'script.sh'), `set -euo pipefail\n${all.join('\n')}`);
    const printed = await output(scratch, 'bash', ['script.sh']);
    const answers = printed.split('\n').filter(line => line.startsWith('{'));
    const [shown] = blocks(page, 'json').map(text => JSON.parse(text));
    expect(shapeOf(JSON.parse(answers.at(-1)!))).toEqual(shapeOf(shown));
  });

  it('is of these kinds', () => {
    const kinds = new Set([...page.matchAll(/^```(.+)$/gm)].map(([, info]) => info));
    expect([...kinds].sort()).toEqual(['json', 'sh', 'sh run', 'text', 'ts', 'ts session']);
  });
});

const PACKAGES = [
  '@ai-sdk',
  '@anthropic-ai',
  '@langchain',
  '@modelcontextprotocol',
  '@openai',
  'ai',
  'deepagents',
  'langchain',
];

/** A folder where `versioned-edit` and the SDKs of the examples can be imported and `vedit` is a command. */
function makeScratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-readme-'));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules/versioned-edit'));
  for (const name of PACKAGES)
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  for (const name of ['vedit', 'git-vedit']) {
    const command = join(folder, 'node_modules/.bin', name);
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/bin/vedit.js' "$@"\n`, {
      mode: 0o755,
    });
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

function tsconfig(): string {
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  return JSON.stringify({ compilerOptions, include: ['*.ts'] });
}

/** The keys and kinds of plain JSON, without its texts. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? 'text' : value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}

/** What a comment `// prints: ...` at the end of a block promises. */
function expectedOf(text: string): RegExp {
  const [, words] = /^\/\/ prints: (.+)$/m.exec(text) ?? [];
  return new RegExp(escaped(words ?? ''));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** What a program prints; its complaint when it fails. */
async function output(
  cwd: string,
  program: string,
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<string> {
  const path = `${join(cwd, 'node_modules/.bin')}:${process.env.PATH}`;
  const quiet = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const env = { ...process.env, PATH: path, ...quiet, ...more };
  try {
    const running = promisify(execFile)(program, args, { cwd, env });
    running.child.stdin!.end();
    return (await running).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
}
