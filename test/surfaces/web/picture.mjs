/**
 * Makes docs/images/history.png, the picture of the page of the history in docs/page.md: a small history of two agents and a
 * person by the built engine, with a clock of its own, seen in a browser without a window (`npm run picture`).
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { openWorkspace } from 'versioned-edit';
import { systemGit } from '../../../dist/git/native/system-git.js';
import { ADA, SHOP } from '../../../dist/surfaces/cli/demo/repository.js';
import { htmlPage } from '../../../dist/surfaces/web/page.js';

const PICTURE = join(import.meta.dirname, '../../../docs/images/history.png');
const WHO = { GIT_AUTHOR_NAME: ADA.name, GIT_AUTHOR_EMAIL: ADA.email };
const GIT = { ...process.env, ...WHO, GIT_COMMITTER_NAME: ADA.name, GIT_COMMITTER_EMAIL: ADA.email };

const FILES = { ...SHOP, 'test/cart.test.js': "import { checkout } from '../src/cart.js';\n" };

const LOOP = '  let total = 0;\n  for (const item of items) total += item.price;\n';

/** Makes the history and answers its timeline. */
async function story(root) {
  const write = (path, text) => writeFileSync(join(root, path), text);
  const git = (...args) => execFileSync('git', args, { cwd: root, env: GIT });
  for (const folder of ['src', 'test']) mkdirSync(join(root, folder));
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'A small shop', '--date', '2026-11-20T09:00:00Z');
  let minutes = 0;
  const now = () => new Date(Date.UTC(2026, 10, 20, 9, (minutes += 3)));
  const workspace = await openWorkspace({ root, user: ADA, now });
  const fixer = workspace.session({ agent: 'fixer', model: 'm1', id: 'fix-checkout' });
  const writer = workspace.session({ agent: 'writer', model: 'm2', id: 'say-so' });
  const replace = (session, path, old_str, new_str, reason) =>
    session.edit('str_replace', { path, old_str, new_str, reason });
  await replace(
    fixer,
    'src/cart.js',
    `${LOOP}  return total * (1`,
    '  return subtotal(items) * (1',
    'checkout adds up as subtotal does',
  );
  await replace(writer, 'README.md', 'forgets how many', 'knows how many', 'true after the fix');
  await replace(fixer, 'src/cart.js', 'item.price;', 'item.price * item.quantity;', 'count how many of each');
  await workspace.land({ message: 'Count how many of each', git: await systemGit(GIT) });
  write('src/tax.js', 'export const taxRate = 0.25;\n');
  await replace(
    writer,
    'src/cart.js',
    'export function subtotal',
    '/** What the items cost before tax. */\nexport function subtotal',
    'say what it is',
  );
  await replace(fixer, 'src/tax.js', '0.25', '0.19', 'the tax of another country');
  await fixer.undo();
  await fixer.edit('move', {
    path: 'src/cart.js',
    new_path: 'src/checkout/cart.js',
    reason: 'with what belongs to it',
  });
  const cart = {
    edit: 'str_replace',
    path: 'src/checkout/cart.js',
    old_str: "'./tax.js'",
    new_str: "'../tax.js'",
  };
  const test = {
    edit: 'str_replace',
    path: 'test/cart.test.js',
    old_str: '../src/cart.js',
    new_str: '../src/checkout/cart.js',
  };
  await fixer.change([cart, test], { reason: 'imports follow the move' });
  const timeline = await fixer.timeline();
  await workspace.close();
  return { ...timeline, name: 'shop' };
}

async function picture(file) {
  const programs = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
  const executablePath = programs.find(path => path && existsSync(path));
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args });
  const viewport = { width: 1280, height: 720 };
  const page = await browser.newPage({ viewport, locale: 'en-GB', timezoneId: 'UTC', colorScheme: 'light' });
  await page.goto(pathToFileURL(file).href);
  await page.locator('.row', { hasText: 'count how many of each' }).first().click();
  await page.screenshot({ path: PICTURE });
  await browser.close();
}

const folder = mkdtempSync(join(tmpdir(), 'vedit-picture-'));
try {
  const root = join(folder, 'shop');
  mkdirSync(root);
  const file = join(folder, 'history.html');
  writeFileSync(file, await htmlPage(await story(root)));
  mkdirSync(join(PICTURE, '..'), { recursive: true });
  await picture(file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
