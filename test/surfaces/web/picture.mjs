/**
 * Makes the pictures of docs/page.md: the live page of three agents at work and a person, each view wide and narrow, light and
 * dark, from the built engine with a clock of its own, in a browser without a window (`npm run picture`). `--to <folder>`
 * puts them elsewhere.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { openWorkspace } from 'versioned-edit';
import { ADA, SHOP } from '../../../dist/surfaces/cli/demo/story.js';
import { WatchServer } from '../../../dist/surfaces/web/server/server.js';

const given = process.argv.indexOf('--to');
const IMAGES = given > 0 ? process.argv[given + 1] : join(import.meta.dirname, '../../../docs/images');
const WHO = { GIT_AUTHOR_NAME: ADA.name, GIT_AUTHOR_EMAIL: ADA.email };
const WHEN = '2026-11-20T09:00:00Z';
const COMMITTER = { GIT_COMMITTER_NAME: ADA.name, GIT_COMMITTER_EMAIL: ADA.email, GIT_COMMITTER_DATE: WHEN };
const GIT = { ...process.env, ...WHO, GIT_AUTHOR_DATE: WHEN, ...COMMITTER };
const LOOP = '  let total = 0;\n  for (const item of items) total += item.price;\n';
const WIDTHS = {
  1440: { width: 1440, height: 900 },
  1024: { width: 1024, height: 768 },
  390: { width: 390, height: 844 },
};

/** A shop with one commit of a person. */
function makeShop(root) {
  for (const [path, text] of Object.entries(SHOP)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...args) => execFileSync('git', args, { cwd: root, env: GIT });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'A small shop');
}

/** What three agents do. */
async function work(workspace) {
  const fixer = workspace.session({ agent: 'claude-code', model: 'opus', id: 'fix-checkout' });
  const writer = workspace.session({ agent: 'codex', model: 'gpt', id: 'say-so' });
  const third = workspace.session({ agent: 'gemini', id: 'ship-it' });
  const replace = (session, path, old_str, new_str, reason) =>
    session.edit('str_replace', { path, old_str, new_str, reason });
  const added = '  return subtotal(items) * (1';
  await replace(
    fixer,
    'src/cart.js',
    `${LOOP}  return total * (1`,
    added,
    'checkout adds up as subtotal does',
  );
  await replace(writer, 'README.md', 'forgets how many', 'knows how many', 'true after the fix');
  await replace(fixer, 'src/cart.js', 'item.price;', 'item.price * item.quantity;', 'count how many of each');
  const said = '/** What the items cost before tax. */\nexport function subtotal';
  await replace(writer, 'src/cart.js', 'export function subtotal', said, 'say what it is');
  const rate = /\d[\d.]*/.exec(SHOP['src/tax.js'])[0];
  await replace(fixer, 'src/tax.js', rate, '0.19', 'the tax of another country');
  await fixer.undo({ reason: 'the shop is where it was' });
  const ship = `import { subtotal } from './cart.js';

/** Free from a hundred on. */
export function shipping(items) {
  const sum = subtotal(items);
  if (sum >= 100) return 0;
  return items.length > 3 ? 9.9 : 4.9;
}
`;
  await third.edit('create', { path: 'src/shipping.js', file_text: ship, reason: 'what it costs to send' });
  await replace(third, 'src/shipping.js', '>= 100', '>= 80', 'eighty is enough');
}

/** Each view by name: how to come to it, and which element shows that it is there. */
const VIEWS = {
  review: async page => {
    await page.keyboard.press('1');
    await page.locator('.review-hunk').first().waitFor();
    await page.keyboard.press('j');
  },
  log: async (page, isNarrow) => {
    await page.keyboard.press('2');
    if (isNarrow) await page.locator('#to-list').click();
    else await page.locator('.row', { hasText: 'count how many' }).click();
  },
  file: async page => {
    await page.keyboard.press('2');
    await page.keyboard.press('3');
    await page.locator('.blame').waitFor();
  },
  land: async page => {
    await page.keyboard.press('1');
    await page.keyboard.press('L');
    await page.locator('#ask input[value=all]').check();
    await page.locator('#ask-count').waitFor();
  },
};

async function pictures(browser, server) {
  for (const [width, viewport] of Object.entries(WIDTHS))
    for (const colorScheme of ['light', 'dark']) {
      const view = { locale: 'en-GB', timezoneId: 'UTC', viewport, colorScheme };
      const page = await browser.newPage(view);
      await page.goto(server.address());
      await page.locator('.review-hunk').first().waitFor();
      for (const [name, come] of Object.entries(VIEWS)) {
        await come(page, width === '390');
        await page.waitForTimeout(400);
        await page.screenshot({ path: join(IMAGES, `${name}-${width}-${colorScheme}.png`) });
      }
      await page.close();
    }
}

const folder = mkdtempSync(join(tmpdir(), 'vedit-picture-'));
const programs = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const executablePath = programs.find(path => path && existsSync(path));
const browser = await chromium.launch({ executablePath, args });
try {
  const root = join(folder, 'shop');
  mkdirSync(root);
  mkdirSync(IMAGES, { recursive: true });
  makeShop(root);
  let minutes = 0;
  const now = () => new Date(Date.UTC(2026, 10, 20, 9, (minutes += 3)));
  const workspace = await openWorkspace({ root, user: ADA, now });
  await work(workspace);
  const viewer = await openWorkspace({ root, user: ADA, now: () => new Date(Date.UTC(2026, 10, 20, 9, 50)) });
  const server = new WatchServer({ workspace: viewer, person: ADA });
  await server.listen();
  await pictures(browser, server);
  await server.close();
  await viewer.close();
  await workspace.close();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
