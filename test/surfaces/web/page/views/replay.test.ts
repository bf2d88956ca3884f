/** Replay and blame in a real browser. */

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

describe.skipIf(CHROMIUM === undefined)(`replay and blame${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const open = browsing();

  it('replays a file with the slider, from before its first edit, through its move', async () => {
    const page = await open(shop());
    await page.getByRole('button', { name: 'Replay src/lib/cart.js' }).click();
    expect(await textOf(page, '#position')).toBe('edit 3 of 3');
    expect(await diffOf(page)).toEqual(['  let sum = 0;', '  let all = 0;']);
    const box = (await page.locator('#slider').boundingBox())!;
    await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 2, box.y + box.height / 2, { steps: 5 });
    expect(await textOf(page, '#position')).toBe('before its 3 edits');
    expect((await codeOf(page)).join('\n')).toBe(CART.trimEnd());
    await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    expect(await page.locator('#slider').getAttribute('aria-valuetext')).toContain('edit 1 of 3');
    expect(await chosen(page)).toContain('src/cart.js');
    expect(await diffOf(page)).toHaveLength(2);
    await page.locator('#body .line').first().click();
    await page.keyboard.press('ArrowLeft');
    expect(await textOf(page, '#position')).toBe('before its 3 edits');
    await page.locator('#slider').press('ArrowRight');
    await page.locator('#slider').press('ArrowRight');
    expect(await textOf(page, '#position')).toBe('edit 2 of 3');
    expect(await chosen(page)).toBe('src/lib/cart.js moved');
  });

  it('plays to the end by itself', async () => {
    const page = await open(shop());
    await page.locator('.row').first().click();
    await page.keyboard.press('p');
    expect(await textOf(page, '#play')).toBe('Pause');
    await page.locator('#play', { hasText: 'Play' }).waitFor();
    expect(await textOf(page, '#position')).toBe('edit 3 of 3');
  });

  it('blames each line on the edit behind it, and goes there', async () => {
    const page = await open(shop());
    await page.locator('.row').first().click();
    await page.keyboard.press('b');
    const sources = await page
      .locator('.blame .line')
      .evaluateAll(lines =>
        lines.map(line => line.querySelector('.source .name, .source.dim')?.textContent ?? ''),
      );
    expect(sources).toEqual(['before these edits', 'fixer', 'reviewer', 'before these edits', '']);
    await page.locator('.blame button.source').nth(1).click();
    expect(await page.locator('#tab-changes').getAttribute('aria-selected')).toBe('true');
    expect(await chosen(page)).toContain('and 1 more file');
    await page.locator('#tab-blame').click();
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('#tab-replay').getAttribute('aria-selected')).toBe('true');
  });

  it('shows long texts in portions, and folds what is far from a change', async () => {
    const lines = Array.from({ length: 5000 }, (_, at) => `line ${at}\n`);
    const text = lines.join('').replace('line 2500\n', 'changed\n');
    const diff = '@@ -2501 +2501 @@\n-line 2500\n+changed\n';
    const page = await open(timelineOf([{ files: [fileOf({ text, diff })] }]));
    await page.keyboard.press('r');
    const folded = page.getByRole('button', { name: /unchanged lines/ });
    expect(await folded.allInnerTexts()).toEqual(['⋯ 2,400 unchanged lines', '⋯ 2,399 unchanged lines']);
    await folded.first().click();
    expect(await page.locator('#body .line').count()).toBe(2000 + 202);
    await page.keyboard.press('b');
    expect(await page.locator('#body .line').count()).toBe(2000);
    await page.getByRole('button', { name: 'Show more: 3,000 lines left' }).click();
    expect(await page.locator('#body .line').count()).toBe(4000);
  });
});
