/** Ways through the page: Back, the search by keyboard, copying; and what the list shows of a row. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { EditStatus } from '../../../src/index.ts';
import { browsing, CHROMIUM, chosen, diffOf, NO_BROWSER, whatOf } from '../../helpers/browser.ts';
import { shop } from './sample-history.ts';
import { fileOf, timelineOf } from './timelines.ts';

const LONG = 'src/surfaces/commandline/completion/a-folder-with-a-long-name/cart-of-the-shop.js';
const WIDTHS = [400, 1400];
const LANDED: EditStatus = {
  now: 'landed',
  by: null,
  landed_in: '5e6f7a8'.repeat(6).slice(0, 40),
  lines: {},
};

describe.skipIf(CHROMIUM === undefined)(`the page${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const open = browsing();
  const hash = (page: Page): string => new URL(page.url()).hash;

  it.each(WIDTHS)('goes back to what was seen, at %i pixels', async width => {
    const timeline = await shop();
    const page = await open(timeline, { width });
    const id = (at: number): string => `#${timeline.entries[at]!.commit.slice(0, 12)}`;
    await page.locator('.row').nth(1).click();
    if (width === 400) await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.locator('.row').nth(3).click();
    await page.keyboard.press('3');
    expect(hash(page)).toBe(`${id(3)}/file`);
    await page.goBack();
    expect([hash(page), await chosen(page)]).toEqual([id(3), (await whatOf(page))[3]]);
    await page.goBack();
    if (width === 400) {
      expect(await page.locator('#list').isVisible()).toBe(true);
      await page.goBack();
    }
    expect(hash(page)).toBe(id(1));
    expect(await page.locator('#panel').isVisible()).toBe(true);
    await page.goBack();
    expect(hash(page)).toBe('');
    expect(await page.locator('#list').isVisible()).toBe(true);
    await page.goForward();
    expect(hash(page)).toBe(id(1));
  });

  it('goes back past what was only walked through', async () => {
    const timeline = await shop();
    const page = await open(timeline);
    await page.locator('.row').nth(2).click();
    for (const key of ['j', 'j', 'k', 'ArrowLeft']) await page.keyboard.press(key);
    await page.goBack();
    expect(hash(page)).toBe('');
  });

  it.each(WIDTHS)('is searched by keyboard alone, at %i pixels', async width => {
    const page = await open(shop(), { width });
    await page.keyboard.press('/');
    await page.keyboard.type('shop');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('only-words');
    const rows = await whatOf(page);
    expect(await chosen(page)).toBe(rows[1]);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('only-words');
    expect(await page.locator('#panel').isVisible()).toBe(true);
    expect(await chosen(page)).toBe(rows[1]);
    expect(await diffOf(page)).not.toEqual([]);
  });

  it('copies ids, commands and diffs', async () => {
    const timeline = await shop();
    const page = await open(timeline);
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('.row').nth(2).click();
    const id = timeline.entries[2]!.commit.slice(0, 12);
    for (const [name, text] of [
      [`Copy ${id}`, id],
      [`Copy vedit revert ${id}`, `vedit revert ${id}`],
      [
        'Copy the diff of README.md',
        timeline.entries[2]!.files.find(file => file.path === 'README.md')!.diff,
      ],
    ] as const) {
      const button = page.getByRole('button', { name, exact: true });
      await button.click();
      await expect.poll(() => button.textContent()).toBe('Copied');
      expect(await copied()).toBe(text);
    }
  });

  it.each(WIDTHS)('cuts the folder of a long name and not the name, at %i pixels', async width => {
    const longer = `a-name-that-${'goes-on-'.repeat(12)}to-its-end.js`;
    const entries = [{ files: [fileOf({ path: LONG })] }, { files: [fileOf({ path: longer })] }];
    const page = await open(timelineOf(entries), { width });
    const isCut = (selector: string): Promise<boolean> =>
      page
        .locator(`.row ${selector}`)
        .first()
        .evaluate(node => node.scrollWidth > node.clientWidth);
    expect([await isCut('.folder'), await isCut('.base')]).toEqual([true, false]);
    expect(await page.locator('.row .base').first().textContent()).toBe('cart-of-the-shop.js');
    expect(await page.locator('#only-file option').nth(1).textContent()).toMatch(
      /^….*cart-of-the-shop\.js \(1\)$/,
    );
    expect(await page.locator('.row .what').first().getAttribute('title')).toBe(LONG);
    const [row, end] = [page.locator('.row').nth(1), page.locator('.row .tail')];
    const right = async (one: typeof row): Promise<number> =>
      one.evaluate(node => node.getBoundingClientRect().right);
    expect(await end.textContent()).toBe('its-end.js');
    expect(await right(end)).toBeLessThan(await right(row));
  });

  it('marks in the list what has landed', async () => {
    const page = await open(timelineOf([{ files: [fileOf({})] }, { status: LANDED, files: [fileOf({})] }]));
    expect(await page.locator('.row').nth(0).locator('.landed').count()).toBe(0);
    expect(await page.locator('.row').nth(1).locator('.landed').textContent()).toBe('landed');
  });
});
