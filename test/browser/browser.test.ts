/** The published package in a page: bundled without any setting, it needs nothing of Node, and edits in memory. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, NO_BROWSER, startBrowser } from '../helpers/browser.ts';
import { BUNDLERS, type Bundle, published } from '../helpers/published.ts';
import { sandbox } from '../helpers/real-git.ts';

const package_ = published();
afterAll(() => package_.remove());

const bundles = new Map<string, Promise<Bundle>>();

/** The story, bundled once by each. */
function bundleOf(name: string): Promise<Bundle> {
  const known = bundles.get(name);
  if (known) return known;
  copyFileSync(join(import.meta.dirname, 'story.js'), join(package_.folder, 'story.js'));
  const made = BUNDLERS[name]!(package_.folder, 'story.js');
  bundles.set(name, made);
  return made;
}

interface Story {
  code: string;
  log: string[];
  text: string;
  events: string[];
  tools: number;
  disk: string;
  packed: { by: string; loose: number; view: string; faults: unknown[]; commits: number };
  files: Record<string, string>;
}

function checkStory({ files, ...story }: Story): void {
  expect(story).toEqual({
    code: 'AMBIGUOUS',
    log: [
      'redo nothing left',
      'undo nothing left',
      'undo nothing left',
      'unified_diff taken back',
      'str_replace open',
      'create open',
    ],
    text: 'one\ntwo\ntwo\nfour\n',
    events: ['edit', 'edit', 'refusal', 'edit', 'undo', 'undo', 'edit'],
    tools: expect.any(Number),
    disk: expect.stringMatching(
      /^INVALID_INPUT There is no disk in a browser\. Give the option fs: memoryFs\(\)/,
    ),
    packed: { by: null, loose: 172, view: expect.stringContaining('     1\t7\n'), faults: [], commits: 46 },
  });
  const box = sandbox();
  for (const [path, base64] of Object.entries(files)) box.write(path, Buffer.from(base64, 'base64'));
  expect(box.git('fsck', '--strict')).toBe('');
  expect(box.git('status', '--porcelain')).toBe('');
  expect(box.git('log', '--format=%s', '-n1', '--', 'list.txt')).toBe('redo list.txt (+1 -1)');
}

/** A module of node, by name or put in its place by a bundler, or one of ours that would use it. */
/** A package that package.json leaves out of browsers (iconv-lite) is `__vite-browser-external` without a name. */
function isOfNode(path: string): boolean {
  return builtinModules.includes(path) || /^node:|browser-external:|git\/native\//.test(path);
}

describe.each(Object.keys(BUNDLERS))('bundled by %s', name => {
  it('holds no module of node', async () => {
    const { modules } = await bundleOf(name);
    expect(modules.some(path => path.endsWith('dist/lib/git/portable/browser.js'))).toBe(true);
    expect(modules.filter(isOfNode)).toEqual([]);
  });

  it('holds the messages of zod in no other language than English', async () => {
    const { files } = await bundleOf(name);
    expect([...files.values()].filter(text => text.includes('Ongeldige invoer'))).toEqual([]);
    expect([...files.values()].some(text => text.includes('Invalid input'))).toBe(true);
  });

  it('loads isomorphic-git later, when there is a pack', async () => {
    const { files, entry } = await bundleOf(name);
    const atOnce = loadedAtOnce(files, entry);
    const [has, lacks] = [true, false].map(now =>
      [...files].filter(
        ([file, text]) =>
          atOnce.has(file) === now && text.includes('An internal error caused this command to fail.'),
      ),
    );
    expect([has!.length, lacks!.length > 0]).toEqual([0, true]);
  });
});

/** Those that serve or start programs are for Node. */
const NODE_ONLY = new Set(['.', './mcp', './testing', './package.json']);

it('each adapter can be bundled for a page', async () => {
  const { exports } = JSON.parse(
    readFileSync(join(package_.folder, 'node_modules/versioned-edit/package.json'), 'utf8'),
  );
  const names = Object.keys(exports).filter(name => !NODE_ONLY.has(name));
  const text = names.map((name, n) => `export * as a${n} from 'versioned-edit${name.slice(1)}';\n`).join('');
  writeFileSync(join(package_.folder, 'adapters.js'), text);
  const { modules } = await BUNDLERS.esbuild!(package_.folder, 'adapters.js');
  expect(names.length).toBeGreaterThan(4);
  expect(modules.filter(isOfNode)).toEqual([]);
});

/** The file and those that it imports at once. */
function loadedAtOnce(files: ReadonlyMap<string, string>, entry: string): Set<string> {
  const found = new Set([entry]);
  for (const file of found) {
    for (const [, name] of files.get(file)!.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+)["']/g)) {
      const path = join(dirname(file), name!);
      if (files.has(path)) found.add(path);
    }
  }
  return found;
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Vite's own code for the pages that it makes wants a document. */
it.each(['esbuild', 'rolldown'])(
  'bundled by %s, works where there is neither Buffer nor process',
  async name => {
    const { files, entry } = await bundleOf(name);
    const folder = sandbox().dir;
    for (const [file, text] of [['package.json', '{ "type": "module" }'], ...files])
      write(folder, file!, text!);
    const script = `const { stdout } = process;
    for (const name of ['Buffer', 'process', 'setImmediate']) delete globalThis[name];
    await import('./${entry}');
    stdout.write(JSON.stringify(await globalThis.story));`;
    write(folder, 'run.js', script);
    const printed = execFileSync(process.execPath, ['run.js'], { cwd: folder, encoding: 'utf8' });
    checkStory(JSON.parse(printed));
  },
);

describe.skipIf(CHROMIUM === undefined)(`in a browser${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it.each(Object.keys(BUNDLERS))('edits, undoes and shows the log, bundled by %s', async name => {
    const { page, problems } = await openPage(browser, await bundleOf(name));
    const story = await page.evaluate(() => (globalThis as unknown as { story: Promise<Story> }).story);
    checkStory(story);
    expect(await page.locator('ol li').allInnerTexts()).toEqual(story.log);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

const ORIGIN = 'http://localhost';

/** A page of the bundle and nothing else; what is asked for beside it, and what goes wrong, is a problem. */
async function openPage(
  browser: Browser,
  { files, entry }: Bundle,
): Promise<{ page: Page; problems: string[] }> {
  const page = await (await browser.newContext()).newPage();
  const problems: string[] = [];
  page.on('console', message => problems.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  await page.route('**', route => {
    const path = new URL(route.request().url()).pathname.slice(1);
    const html = `<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/${entry}"></script>`;
    if (path === '') return route.fulfill({ contentType: 'text/html', body: html });
    const body = files.get(path);
    if (body !== undefined) return route.fulfill({ contentType: 'text/javascript', body });
    problems.push(`request: ${route.request().url()}`);
    return route.abort();
  });
  await page.goto(`${ORIGIN}/`);
  await page.waitForFunction(() => 'story' in globalThis);
  return { page, problems };
}
