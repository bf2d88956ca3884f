/** `vedit watch` as a process of its own, and the live page in a browser. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { startBrowser } from '../../../../helpers/browser.ts';
import type { Sandbox } from '../../../../helpers/real-git.ts';
import { BIN, cleanEnv } from '../../../../helpers/vedit.ts';

export interface Watched {
  address: string;
  child: ChildProcess;
  /** What it wrote. */
  said(): string;
}

/** Ends with the test. What is no text is for its environment. */
export async function startWatch(
  repo: Sandbox,
  ...given: Array<string | NodeJS.ProcessEnv>
): Promise<Watched> {
  const args = given.filter(one => typeof one === 'string');
  const env = Object.assign({}, ...given.filter(one => typeof one !== 'string'));
  const child = spawn(process.execPath, [BIN, '-C', repo.dir, 'watch', '--json', ...args], {
    env: cleanEnv(repo, env),
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => said.push(String(chunk)));
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    // A second one ends it at once, in the middle of ending.
    if (!child.killed) child.kill('SIGINT');
    await ended;
    expect(child.exitCode).toBe(0);
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { address: JSON.parse(line).data.address, child, said: () => said.join('') };
}

/** A command by somebody else, as a process of its own. */
export async function vedit(repo: Sandbox, ...args: string[]): Promise<number> {
  const child = spawn(process.execPath, [BIN, '-C', repo.dir, ...args], {
    env: cleanEnv(repo),
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  return code;
}

export interface Looking {
  page: Page;
  /** Messages of the console and errors; a test takes out those that it means. */
  problems: string[];
}

/** Shows the list of edits and the newest one, where the page opened on what is to review. */
export async function toLog(page: Page | Frame): Promise<void> {
  const opened = page.locator(
    '#notice:not([hidden]), .review-hunk, .summary, #details:not([hidden]), #body > .lead',
  );
  await opened.first().waitFor({ state: 'attached' });
  if ((await page.locator('#tab-review[aria-selected=true]').count()) > 0)
    await page.locator('#tab-history').click();
  if (await page.locator('#to-list').isVisible()) await page.locator('#to-list').click();
}

/**
 * For a group of tests: one browser, and pages in it in which nothing may go wrong. They show the list of edits; with
 * `stays`, what they opened on.
 */
export function looking(): (
  address: string,
  view?: object,
  context?: BrowserContext,
  stays?: boolean,
) => Promise<Looking> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  return async (address, view = {}, given, stays = false) => {
    const context =
      given ??
      (await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...view }));
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', message => problems.push(`console ${message.type()}: ${message.text()}`));
    page.on('pageerror', error => problems.push(`error: ${error.message}`));
    page.on('request', asked => {
      if (new URL(asked.url()).origin !== new URL(address).origin && !asked.url().startsWith('data:'))
        problems.push(`request: ${asked.url()}`);
    });
    await page.goto(address);
    if (!stays) await toLog(page);
    onTestFinished(async () => {
      await context.close();
      expect(problems).toEqual([]);
    });
    return { page, problems };
  };
}

/** The chosen row's text. */
export async function chosenRow(page: Page): Promise<string> {
  return (await page.locator('.row[aria-selected=true]').allInnerTexts()).join('\n');
}

/** The files of the hunks that are open and drawn, one for each. */
export const openFiles = (page: Page): Promise<string[]> =>
  page
    .locator('.review-hunk')
    .evaluateAll(all => all.map(one => one.getAttribute('aria-label')!.replace(/, lines? [\d-]+$/, '')));
