/**
 * Makes the pictures of docs/page.md: the live page of two agents at work and a person, from the built engine with a clock of its
 * own, in a browser without a window (`npm run picture`).
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { openWorkspace } from 'versioned-edit';
import { ADA, SHOP } from '../../../dist/surfaces/cli/demo/repository.js';
import { WatchServer } from '../../../dist/surfaces/web/server/server.js';

const IMAGES = join(import.meta.dirname, '../../../docs/images');
const WHO = { GIT_AUTHOR_NAME: ADA.name, GIT_AUTHOR_EMAIL: ADA.email };
const GIT = { ...process.env, ...WHO, GIT_COMMITTER_NAME: ADA.name, GIT_COMMITTER_EMAIL: ADA.email };
const LOOP = '  let total = 0;\n  for (const item of items) total += item.price;\n';

/** A shop with one commit of a person. */
function makeShop(root) {
  for (const [path, text] of Object.entries(SHOP)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...args) => execFileSync('git', args, { cwd: root, env: GIT });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'A small shop', '--date', '2026-11-20T09:00:00Z');
}

/** What the agents do before the page is opened, and while it is. */
function agents(workspace) {
  const fixer = workspace.session({ agent: 'fixer', model: 'm1', id: 'fix-checkout' });
  const writer = workspace.session({ agent: 'writer', model: 'm2', id: 'say-so' });
  const replace = (session, path, old_str, new_str, reason) =>
    session.edit('str_replace', { path, old_str, new_str, reason });
  return {
    before: async () => {
      const added = '  return subtotal(items) * (1';
      await replace(
        fixer,
        'src/cart.js',
        `${LOOP}  return total * (1`,
        added,
        'checkout adds up as subtotal does',
      );
      await replace(writer, 'README.md', 'forgets how many', 'knows how many', 'true after the fix');
    },
    meanwhile: async () => {
      const counted = 'item.price * item.quantity;';
      await replace(fixer, 'src/cart.js', 'item.price;', counted, 'count how many of each');
      const said = '/** What the items cost before tax. */\nexport function subtotal';
      await replace(writer, 'src/cart.js', 'export function subtotal', said, 'say what it is');
      await replace(
        fixer,
        'src/tax.js',
        /\d[\d.]*/.exec(SHOP['src/tax.js'])[0],
        '0.19',
        'the tax of another country',
      );
    },
  };
}

async function pictures(browser, server, meanwhile) {
  const view = { locale: 'en-GB', timezoneId: 'UTC' };
  const open = async options => {
    const page = await browser.newPage({ ...view, ...options });
    await page.goto(server.address());
    await page.locator('.row').first().waitFor();
    return page;
  };
  const wide = await open({ viewport: { width: 1280, height: 720 }, colorScheme: 'light' });
  const narrow = await open({ viewport: { width: 400, height: 760 }, colorScheme: 'dark' });
  await meanwhile();
  await wide.locator('.row', { hasText: 'another country' }).waitFor();
  await wide.waitForTimeout(1500);
  await wide.screenshot({ path: join(IMAGES, 'watch.png') });
  await wide.keyboard.press('v');
  await wide.keyboard.press('j');
  await wide.waitForTimeout(800);
  await wide.screenshot({ path: join(IMAGES, 'review.png') });
  await narrow.locator('.row', { hasText: 'another country' }).click();
  await narrow.waitForTimeout(800);
  await narrow.screenshot({ path: join(IMAGES, 'watch-narrow.png') });
}

const folder = mkdtempSync(join(tmpdir(), 'vedit-picture-'));
const programs = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({
  executablePath: programs.find(path => path && existsSync(path)),
  args,
});
try {
  const root = join(folder, 'shop');
  mkdirSync(root);
  makeShop(root);
  let minutes = 0;
  const now = () => new Date(Date.UTC(2026, 10, 20, 9, (minutes += 3)));
  const workspace = await openWorkspace({ root, user: ADA, now });
  const { before, meanwhile } = agents(workspace);
  await before();
  const viewer = await openWorkspace({ root, user: ADA, now: () => new Date(Date.UTC(2026, 10, 20, 9, 30)) });
  const session = viewer.session({ person: ADA, id: ADA.email });
  const server = new WatchServer({ workspace: viewer, session, person: ADA });
  await server.listen();
  await pictures(browser, server, meanwhile);
  await server.close();
  await viewer.close();
  await workspace.close();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
