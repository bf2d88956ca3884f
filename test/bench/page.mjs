/** How long the live page takes to open, and an edit to be on it, in a browser without a window. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { openWorkspace } from '../../dist/lib/index.js';
import { WatchServer } from '../../dist/surfaces/web/server/server.js';
import { addHistory } from './history.mjs';
import { Files, makeRepository } from './repository.mjs';

const ADA = { name: 'Ada', email: 'ada@example.com' };
const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
const FILES = 100;

/**
 * @returns {Promise<{ long: number, small: number[], large: number[], hunk: number[], delay: number[], edit: number[], all: number, block: number } | null>}
 * milliseconds: until anything is there, of pages of 100 and of `long` edits; until the first hunk of `long` edits; from the answer of an edit to its row; of an
 * edit; until the last half of `long` edits is read; the longest for which the page did nothing else meanwhile. `null` where
 * there is no browser
 */
export async function measurePage(folder, { runs, quick }) {
  const executablePath = BROWSERS.find(path => path && existsSync(path));
  if (!executablePath) return null;
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args });
  const times = Math.max(3, Math.round(runs / 4));
  const long = quick ? 1_000 : 10_000;
  const small = await serving(join(folder, 'page-small'), 100);
  const large = await serving(join(folder, 'page-large'), long);
  const result = {
    long,
    small: await repeated(times, () => opening(browser, small.server)),
    large: await repeated(times, () => opening(browser, large.server)),
    hunk: await repeated(times, () => opening(browser, large.server, '.review-hunk')),
    ...(await delays(browser, small, times)),
    ...(await growing(browser, large)),
  };
  for (const one of [small, large]) await one.close();
  await browser.close();
  return result;
}

async function serving(root, edits) {
  makeRepository(root, FILES);
  addHistory(root, FILES, edits, { loose: false });
  const workspace = await openWorkspace({ root, user: ADA });
  const server = new WatchServer({ workspace, person: ADA });
  await server.listen();
  const close = async () => {
    await server.close();
    await workspace.close();
  };
  return { root, workspace, server, close };
}

/** `first`: what is waited for; without, the first edit or hunk. */
async function opening(browser, server, first = '.row, .review-hunk') {
  const page = await browser.newPage();
  const start = performance.now();
  await page.goto(server.address());
  await page.locator(first).first().waitFor();
  const time = performance.now() - start;
  await page.close();
  return time;
}

/** The edits are made by this process, and come to the page by way of the repository. */
async function delays(browser, { root, workspace, server }, times) {
  const page = await browser.newPage();
  await page.goto(server.address());
  await page.locator('.row, .review-hunk').first().waitFor();
  await page.locator('#tab-history').click();
  await page.locator('.row').first().waitFor();
  const session = workspace.session({ agent: 'bench' });
  const list = new Files(root, FILES);
  const delay = [];
  const edit = [];
  for (let n = 0; n < times; n++) {
    const start = performance.now();
    const { commit } = (await session.edit('str_replace', list.nextEdit())).data;
    const end = performance.now();
    await page.locator(`.row[data-commit="${commit}"]`).waitFor();
    delay.push(performance.now() - end);
    edit.push(end - start);
    await page.waitForTimeout(500);
  }
  await page.close();
  return { delay, edit };
}

/** Reads older entries until all are there. */
async function growing(browser, { server }) {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    globalThis.block = 0;
    const note = list => {
      for (const { duration } of list.getEntries()) globalThis.block = Math.max(globalThis.block, duration);
    };
    new PerformanceObserver(note).observe({ type: 'longtask' });
  });
  await page.goto(server.address());
  await page.locator('.row, .review-hunk').first().waitFor();
  await page.locator('#tab-history').click();
  await page.locator('.row').first().waitFor();
  const count = page.locator('#count');
  let all = 0;
  for (const older = page.locator('#older-entries'); await older.isVisible(); ) {
    const before = await count.textContent();
    const start = performance.now();
    await older.click();
    while ((await count.textContent()) === before) await page.waitForTimeout(20);
    all = performance.now() - start;
  }
  const block = await page.evaluate(() => globalThis.block);
  await page.close();
  return { all, block };
}

async function repeated(times, measure) {
  const measured = [];
  for (let n = 0; n < times; n++) measured.push(await measure());
  return measured;
}
