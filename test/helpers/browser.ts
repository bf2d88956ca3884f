/** A real browser without a window. Where none is installed, the tests that need one are skipped and say so; in CI they fail. */

import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Timeline } from '../../src/queries/timeline.ts';
import { savedPage } from '../../src/surfaces/web/page.ts';
import { sandbox } from './real-git.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/** The browser's program, or `undefined`. The variable CHROMIUM names another one. */
export const CHROMIUM: string | undefined = findChromium();

export const NO_BROWSER = 'skipped: no Chromium on this machine; install it, or set CHROMIUM to its program';

// Where tests run by themselves nobody reads what was skipped.
if (CHROMIUM === undefined && process.env.CI) throw new Error(NO_BROWSER);

function findChromium(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...PLACES];
  const programs = folders.flatMap(folder => NAMES.map(name => join(folder, name)));
  const applications = PLACES.filter(place => /[^/]\.exe$|\.app\//.test(place));
  return [process.env.CHROMIUM, ...programs, ...applications].find(path => path && existsSync(path));
}

export function startBrowser(): Promise<Browser> {
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ];
  const args = [
    ...quiet,
    '--disable-gpu',
    '--disable-quic',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  return chromium.launch({ executablePath: CHROMIUM!, args });
}

export interface Opened {
  page: Page;
  /** Console errors and warnings, uncaught errors, dialogs, and everything that was loaded beside the page itself. */
  problems: string[];
}

export interface View {
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
}

/** Opens a file in a browser that has no network. */
export async function openFile(browser: Browser, file: string, view: View = {}, hash = ''): Promise<Opened> {
  const { width = 1280, height = 800, colorScheme = 'light' } = view;
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width, height },
    colorScheme,
    offline: true,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const url = pathToFileURL(file).href;
  page.on('console', message => problems.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  page.on('dialog', dialog => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', () => problems.push('popup'));
  page.on('request', request => {
    if (request.url().split('#')[0] !== url && !request.url().startsWith('data:'))
      problems.push(`request: ${request.url()}`);
  });
  await page.goto(url + hash);
  return { page, problems };
}

/**
 * For a group of tests: starts one browser, and answers a function that opens the page of a timeline in it. When the
 * test ends the page is closed, and nothing may have gone wrong in it.
 */
export function browsing(): (
  timeline: Timeline | Promise<Timeline>,
  view?: View,
  hash?: string,
) => Promise<Page> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  return async (timeline, view, hash) => {
    const file = join(sandbox().dir, 'history.html');
    writeFileSync(file, savedPage(answersOf(await timeline)));
    const { page, problems } = await openFile(browser, file, view, hash);
    await page.locator('#details').waitFor({ state: 'attached' });
    onTestFinished(async () => {
      await page.context().close();
      expect(problems).toEqual([]);
    });
    return page;
  };
}

/** Answers of a saved page with nothing to review. */
export function answersOf(timeline: Timeline): Record<string, object> {
  return {
    history: { ok: true, timeline, me: '' },
    open: { ok: true, trail: '', commit: null, hunks: [], unclaimed: null },
    outside: { ok: true, outside: [] },
  };
}

/** What the rows are about, as the list says it. */
export function whatOf(page: Page, rows: string = '.row'): Promise<string[]> {
  return page.locator(`${rows} .what`).allTextContents();
}

/** What can be seen of all elements that fit. */
export async function textOf(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).allInnerTexts()).join('\n');
}

/** The chosen entry as the list shows it. */
export async function chosen(page: Page): Promise<string> {
  return (await whatOf(page, '.row[aria-selected=true]')).join('\n');
}

/** Added and removed lines. */
export function diffOf(page: Page): Promise<string[]> {
  return page.locator('#body .plus-line .text, #body .minus-line .text').allInnerTexts();
}

/** All lines. */
export function codeOf(page: Page): Promise<string[]> {
  return page.locator('#body .line .text').allInnerTexts();
}
