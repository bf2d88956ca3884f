/** README.md and docs/ are true: tables are those of the registries, code runs, links lead somewhere. */

import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anchors, blocks, type Page, pages, TABLES, tablesIn, withTables } from './docs.ts';
import { type ModelServer, modelServer } from './model-server.ts';
import { ROOT } from './source.ts';

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
const scripts = all.filter(({ name, text }) => name !== 'README.md' && blocks(text, 'sh run').length > 0);

describe('README', () => {
  it('is short, and leads to every page', () => {
    const { text } = page('README.md');
    expect(text.split('\n').length).toBeLessThan(200);
    expect(all.map(({ name }) => name).filter(name => !text.includes(`](${name})`))).toEqual(['README.md']);
  });
});

describe('what comes first', () => {
  const { text } = page('README.md');

  it('is why, against what people have, with a picture that npm run picture makes', () => {
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.slice(0, 2)).toEqual(['Why', 'Start']);
    const why = text.slice(text.indexOf('## Why'), text.indexOf('## Start'));
    for (const one of ['rewind', 'checkpoints', 'aider', 'jj'])
      expect(why).toMatch(new RegExp(`^\\| .*${one}`, 'm'));
    expect(text.slice(0, text.indexOf('## Why'))).toMatch(/!\[[^\]]+\]\(docs\/images\/history\.png\)/);
  });

  it('says of every package that was ordered, and of every one that is installed, what it does', () => {
    const ordered = ['isomorphic-git', 'diff', 'zod', 'commander', 'memfs', 'vitest'];
    const installed = Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies);
    const made = text.slice(text.indexOf('## What it is made of'), text.indexOf('## Docs'));
    expect(ordered.filter(name => !made.includes(name))).toEqual([]);
    const rows = [...page('docs/packages.md').text.matchAll(/^\| (\S+) \|/gm)].map(([, name]) => name);
    expect([...ordered, ...installed].filter(name => !rows.includes(name))).toEqual([]);
  });
});

describe('tables', () => {
  const withMarks = all.filter(({ text }) => tablesIn(text).length > 0);

  it.each(withMarks.map(({ name }) => name))(
    'are those of the registries: %s (npx vitest run test/rules/docs.test.ts -u writes them)',
    async name => {
      const { file, text } = page(name);
      await expect(withTables(text)).toMatchFileSnapshot(file);
    },
  );

  it('stand in one place each', () => {
    expect(all.flatMap(({ text }) => tablesIn(text)).sort()).toEqual(Object.keys(TABLES).sort());
  });

  it('name every event', () => {
    const source = readFileSync(join(ROOT, 'src/workspace/calls/events.ts'), 'utf8');
    const kinds = [...source.matchAll(/kind: ([^;]+);/g)].flatMap(([, words]) => words!.match(/\w+/g)!);
    const { text } = page('docs/library.md');
    const rows = text
      .slice(text.indexOf('## Events'))
      .split('\n\n')
      .find(part => part.startsWith('|'));
    expect([...rows!.matchAll(/^\| `(\w+)`/gm)].map(([, kind]) => kind).sort()).toEqual(kinds.sort());
  });

  it('hold no measured figure that is not from a run of the bench', () => {
    expect(page('docs/measured.md').text).toMatch(
      /<!-- bench -->\n\n(?:Not measured yet\.|\*Measured .*\*\n\n\|)/,
    );
  });
});

describe('links', () => {
  it.each(all.map(({ name }) => name))('lead to files and headings that are there: %s', name => {
    const { file, text } = page(name);
    const targets = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target]) => target!);
    expect(targets.filter(target => !leadsSomewhere(file, target))).toEqual([]);
  });

  it.each(all.map(({ name }) => name))('are none to tests, which the package lacks: %s', name => {
    const { text } = page(name);
    expect([...text.matchAll(/\]\((\.\.\/)?test\/[^)]*\)/g)].map(([link]) => link)).toEqual([]);
  });
});

describe('files and functions that pages name', () => {
  /** Other pages name files of their readers, such as `src/auth.ts`. */
  const ofTheHouse = (name: string): RegExp =>
    ['docs/how-it-works.md', 'docs/extending.md'].includes(name)
      ? /(?<![\w/.-])(?:src|test|bin)\/[\w./-]*\w\/?/g
      : /(?<=`)test\/[\w./-]+(?=`)/g;

  it.each(all.map(({ name }) => name))('are there: %s', name => {
    const named = [...page(name).text.matchAll(ofTheHouse(name))].map(([path]) => path);
    expect(named.filter(path => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('are in the file that stands beside them', () => {
    const rows = page('docs/how-it-works.md').text.matchAll(/^\|.*\| (`[^|]+`) \| `(src\/[^|`]+)` \|$/gm);
    const missing = [...rows].flatMap(([, functions, path]) => {
      const source = readFileSync(join(ROOT, path!), 'utf8');
      const names = [...functions!.matchAll(/`(\w+)`/g)].map(([, one]) => one!);
      const lacks = names.filter(one => !new RegExp(`\\b${one}\\b`).test(source));
      return names.length > 0 ? lacks.map(one => `${one} in ${path}`) : [`no function for ${path}`];
    });
    const pairs = ['docs/how-it-works.md', 'docs/extending.md'].flatMap(name => [
      ...page(name).text.matchAll(/`(\w+)` (?:in|of) `((?:src|test)\/[^`<]+\.ts)`/g),
    ]);
    expect(pairs.length).toBeGreaterThan(10);
    const strange = pairs.filter(
      ([, one, path]) => !new RegExp(`\\b${one}\\b`).test(readFileSync(join(ROOT, path!), 'utf8')),
    );
    expect([...missing, ...strange.map(([words]) => words)]).toEqual([]);
  });
});

/** True where a link of a page leads to a file, and, if it has an anchor, to a heading in it. */
function leadsSomewhere(from: string, target: string): boolean {
  const [path, anchor] = target.split('#');
  const file = path ? join(dirname(from), path) : from;
  if (anchor === undefined) return existsSync(file);
  const to = all.find(({ name }) => name === relative(ROOT, file));
  return to !== undefined && anchors(to.text).includes(anchor);
}

describe('features of other tools', () => {
  const rows = page('docs/from-other-tools.md')
    .text.split('\n## ')[0]!
    .split('\n')
    .filter(line => line.startsWith('| '));
  const links = rows
    .slice(2)
    .map(row => / \| ([^|]+) \(`(test\/[^`]+)`\) \|$/.exec(row)?.slice(1) ?? [row, '']);

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

  it('in shell runs: README.md, one block after the other', async () => {
    await shell(scratch, blocks(page('README.md').text, 'sh run'));
    expect(existsSync(join(scratch, 'shop/.git'))).toBe(true);
  });

  it.each(scripts.map(({ name }) => name))('in shell runs, in the shop of README.md: %s', async name => {
    const folder = mkdtempSync(join(scratch, 'shop-of-'));
    cpSync(join(scratch, 'shop'), folder, { recursive: true });
    const { text } = page(name);
    const printed = await shell(folder, blocks(text, 'sh run'));
    const answer = printed.split('\n').findLast(line => line.startsWith('{"ok"'));
    const [shown] = blocks(text, 'json').map(block => JSON.parse(block));
    if (shown) expect(shapeOf(JSON.parse(answer!))).toEqual(shapeOf(shown));
  });

  /** Runs blocks as one script in a folder, and answers what they print. */
  async function shell(folder: string, texts: readonly string[]): Promise<string> {
    writeFileSync(join(scratch, 'script.sh'), `set -euo pipefail\n${texts.join('\n')}`);
    return output(scratch, 'bash', ['-c', 'cd "$0" && . "$1"', folder, join(scratch, 'script.sh')]);
  }

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
  'deepagents',
  'langchain',
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
