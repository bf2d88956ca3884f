/** The code in README.md, docs/ and dev/ runs, fits the types, and prints what it says. */

import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
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
import { ROOT } from '../helpers/source.ts';
import { blocks, escaped, type Page, pages } from './docs.ts';
import { type ModelServer, modelServer } from './model-server.ts';

const all = pages();
const page = (name: string): Page => all.find(one => one.name === name)!;

/** Some say of `session` only that it is that of the library's example. */
const SESSION = `import { initRepository, openWorkspace } from 'versioned-edit';
await initRepository({ root: process.cwd() });
const workspace = await openWorkspace({ root: process.cwd() });
const session = workspace.session({ agent: 'fixer' });
`;

const programs = all.flatMap(({ name, text }) =>
  [...blocks(text, 'ts'), ...blocks(text, 'ts session').map(block => SESSION + block)].map(
    (block, index) => [`${name} ${index + 1}`, block] as const,
  ),
);
const README = page('README.md').text;
const scripts = all.filter(({ name, text }) => name !== 'README.md' && blocks(text, 'sh run').length > 0);

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
    programs.forEach(([, text], index) => {
      writeFileSync(join(scratch, `block-${index}.ts`), text);
    });
    writeFileSync(join(scratch, 'tsconfig.json'), tsconfig());
    expect(await output(scratch, join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json'])).toBe('');
  });

  it.each(programs)('in TypeScript runs: %s', async (name, text) => {
    const folder = mkdtempSync(join(scratch, 'run-'));
    writeFileSync(join(folder, 'block.mjs'), transformSync(text, { loader: 'ts' }).code);
    expect(await output(folder, process.execPath, ['block.mjs'], model.env), name).toMatch(expectedOf(text));
  });

  it('in shell runs, and prints what stands below it: README.md', async () => {
    await follow(scratch, README);
    expect(existsSync(join(scratch, 'shop/.git'))).toBe(true);
  });

  it.each(scripts.map(({ name }) => name))('in shell runs, in the shop of README.md: %s', async name => {
    const folder = mkdtempSync(join(scratch, 'shop-of-'));
    cpSync(join(scratch, 'shop'), folder, { recursive: true });
    const { text } = page(name);
    const answer = (await follow(folder, text)).split('\n').findLast(line => line.startsWith('{"ok"'));
    const [shown] = blocks(text, 'json').map(block => JSON.parse(block));
    if (shown) expect(shapeOf(JSON.parse(answer!))).toEqual(shapeOf(shown));
  });

  it('sets vedit up: README.md', async () => {
    const [ci, install, main, tests] = blocks(README, 'sh')[0]!
      .split('\n')
      .map(line => line.split(/ +# /)[0]!);
    expect([ci, tests]).toEqual(['npm ci', 'npm test']);
    expect(readFileSync(join(ROOT, '.ci/run'), 'utf8')).toContain('npm ci && npm test');
    // The build is there, and others read it meanwhile.
    const env = {
      npm_config_prefix: join(scratch, 'prefix'),
      npm_config_ignore_scripts: 'true',
      npm_config_prefer_offline: 'true',
    };
    await output(ROOT, 'bash', ['-c', install!], env);
    const { bin, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    rmSync(join(ROOT, `versioned-edit-${version}.tgz`));
    expect(readdirSync(join(scratch, 'prefix/bin')).sort()).toEqual(Object.keys(bin).sort());
    expect(await output(scratch, 'bash', ['-c', `prefix/bin/${main}`])).toContain('done: commit');
  });

  /** Runs the blocks of a page as one script in a folder: each prints what stands below it. Answers all of it. */
  async function follow(folder: string, text: string): Promise<string> {
    const told = [...text.matchAll(/^```sh run\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```$)?/gm)];
    const texts = told.map(([, script]) => `${script}echo '=== end'`);
    writeFileSync(join(scratch, 'script.sh'), `exec 2>&1\nset -eu\n${texts.join('\n')}`);
    const all = await output(scratch, 'bash', [
      '-c',
      'cd "$0" && . "$1"',
      folder,
      join(scratch, 'script.sh'),
    ]);
    const printed = all.split('=== end\n');
    for (const [n, [, , said]] of told.entries())
      if (said !== undefined) expect(timeless(printed[n]!)).toBe(timeless(said));
    return all;
  }

  it('says in some places what it prints', () => {
    expect(programs.filter(([, text]) => text.includes('// prints: '))).not.toEqual([]);
    expect(scripts.filter(({ text }) => blocks(text, 'json').length > 0)).not.toEqual([]);
    expect(all.filter(({ text }) => blocks(text, 'text').length > 0).length).toBeGreaterThan(2);
  });

  it('is of these kinds', () => {
    const kinds = new Set(
      all.flatMap(({ text }) => [...text.matchAll(/^```(.+)$/gm)].map(([, info]) => info)),
    );
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
  'langchain',
  'node-sqlite3-wasm',
  'zod',
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

/** Without ids, times and sizes. */
function timeless(printed: string): string {
  return printed
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d [-+]\d{4})?/g, 'TIME')
    .replace(/\d+ seconds? ago|just now/g, 'AGO')
    .replace(/\b[0-9a-f]{7,40}\b/g, 'ID')
    .replace(/\d+ loose objects.*/g, 'OBJECTS')
    .trimEnd();
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
