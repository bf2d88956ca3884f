/** Light and dark, narrow, empty, incomplete: the page in a real browser. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browsing, CHROMIUM, NO_BROWSER, textOf } from '../../helpers/browser.ts';
import { shop } from './sample-history.ts';
import { fileOf, timelineOf } from './timelines.ts';

describe.skipIf(CHROMIUM === undefined)(`the page${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const open = browsing();

  it('is as light or dark as the system', async () => {
    const ground = (page: Page): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await open(shop(), { colorScheme: 'light' });
    const dark = await open(shop(), { colorScheme: 'dark' });
    const bright = await ground(light);
    expect(bright).not.toBe(await ground(dark));
    await light.emulateMedia({ colorScheme: 'dark' });
    expect(await ground(light)).toBe(await ground(dark));
  });

  it('shows on a narrow screen one pane at a time, and nothing wider than the screen', async () => {
    const page = await open(shop(), { width: 360, height: 700 });
    const widest = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
    const panes = async (): Promise<boolean[]> => [
      await page.locator('#list').isVisible(),
      await page.locator('#panel').isVisible(),
    ];
    expect(await panes()).toEqual([true, false]);
    await page.locator('.row').nth(1).click();
    expect(await panes()).toEqual([false, true]);
    await page.getByRole('button', { name: 'Back to the list' }).click();
    expect(await panes()).toEqual([true, false]);
    expect(await widest()).toBe(360);
    await page.locator('.row').nth(2).click();
    for (const key of ['2', '3', '1']) {
      await page.keyboard.press(key);
      expect([key, await page.locator('#panel').isVisible(), await widest()]).toEqual([key, true, 360]);
      const overflow = await page.locator('#panel').evaluate(panel => panel.scrollWidth - panel.clientWidth);
      expect([key, overflow]).toEqual([key, 0]);
    }
  });

  it('says what is missing, and what cannot be shown', async () => {
    const files = [
      fileOf({ diff: null, path: 'large.txt' }),
      fileOf({ binary: true, path: 'picture.png', diff: 'Binary files differ\n' }),
      fileOf({ path: 'run.sh', diff: 'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n' }),
    ];
    const page = await open(timelineOf([{ files, other_files: 2 }], { more: true, left_out: 3 }));
    expect(await textOf(page, '#notice')).toBe('3 texts were too large and left out, mostly of older edits.');
    expect(await textOf(page, '.found')).toMatch(/^1 entry\s*the newest; there are older ones$/);
    expect(await page.locator('#body p').allInnerTexts()).toEqual([
      'This diff was left out to keep the page small.',
      'Binary content: no lines to show.',
      'Mode 100644 became 100755.',
      'and 2 other files',
    ]);
    await page.keyboard.press('3');
    expect(await textOf(page, '#body')).toMatch(/left out/);
  });

  it('is there for a history that has not begun', async () => {
    const page = await open(timelineOf([]));
    for (const key of ['j', '1', '3', 'ArrowLeft']) await page.keyboard.press(key);
    expect(await textOf(page, '#body')).toBe('Nothing was edited yet. The first edit will be here.');
  });
});
