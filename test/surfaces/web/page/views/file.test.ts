/** A file line by line, with its steps, in a real browser. */

import { describe, expect, it } from 'vitest';
import {
  browsing,
  CHROMIUM,
  chosen,
  codeOf,
  diffOf,
  NO_BROWSER,
  textOf,
} from '../../../../helpers/browser.ts';
import { CART, shop } from '../../sample-history.ts';
import { fileOf, timelineOf } from '../../timelines.ts';

describe.skipIf(CHROMIUM === undefined)(`a file line by line${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const open = browsing();

  it('goes by buttons and keys from before its first edit, through its move, to its newest', async () => {
    const page = await open(shop());
    await page.getByRole('button', { name: 'Line by line' }).click();
    expect(await textOf(page, '#position')).toBe('edit 3 of 3');
    expect(await diffOf(page)).toEqual(['  let sum = 0;', '  let all = 0;']);
    await page.locator('#earlier').click();
    expect(await textOf(page, '#position')).toBe('edit 2 of 3');
    expect(await chosen(page)).toBe('src/lib/cart.js moved');
    await page.keyboard.press('h');
    expect(await chosen(page)).toContain('src/cart.js');
    expect(await diffOf(page)).toHaveLength(2);
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowLeft');
    expect(await textOf(page, '#position')).toBe('before its 3 edits');
    expect((await codeOf(page)).join('\n')).toBe(CART.trimEnd());
    for (let n = 0; n < 5; n++) await page.keyboard.press('ArrowRight');
    expect(await textOf(page, '#position')).toBe('edit 3 of 3');
    await page.locator('#shown-file').selectOption({ label: 'README.md' });
    expect(await textOf(page, '#position')).toBe('edit 4 of 4');
  });

  it('names the edit behind each line, also of an earlier step, and goes there', async () => {
    const page = await open(shop());
    await page.keyboard.press('3');
    const sources = (): Promise<string[]> =>
      page
        .locator('.blame .line')
        .evaluateAll(lines =>
          lines.map(line => line.querySelector('.source .name, .source.dim')?.textContent ?? ''),
        );
    expect(await sources()).toEqual([
      'before these edits',
      '',
      'fixer',
      'reviewer',
      'before these edits',
      '',
    ]);
    await page.keyboard.press('ArrowLeft');
    expect(await sources()).toEqual(['before these edits', '', 'reviewer', 'before these edits', '']);
    await page.locator('.blame button.source').click();
    expect(await page.locator('#tab-history').getAttribute('aria-selected')).toBe('true');
    expect(await chosen(page)).toContain('and 1 more file');
  });

  it('begins a long text near the change, and shows more of it in both directions', async () => {
    const lines = Array.from({ length: 9000 }, (_, at) => `line ${at}\n`);
    const text = lines.join('').replace('line 5000\n', 'changed\n');
    const diff = '@@ -5001 +5001 @@\n-line 5000\n+changed\n';
    const page = await open(timelineOf([{ files: [fileOf({ text, diff })] }]));
    await page.keyboard.press('3');
    expect(await page.locator('.plus-line').isVisible()).toBe(true);
    expect(await page.locator('#body .line').count()).toBe(2000);
    await page.getByRole('button', { name: 'Show those above: 4,950 lines left' }).click();
    expect(await page.locator('#body .line').count()).toBe(4000);
    await page.getByRole('button', { name: 'Show more: 2,051 lines left' }).click();
    expect(await page.locator('#body .line').count()).toBe(6000);
  });
});
