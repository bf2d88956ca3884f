/** A file line by line, with its steps, in a real browser. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, chosen, codeOf, diffOf, NO_BROWSER, textOf } from '../../../../helpers/browser.ts';
import { type Place, personRepo } from '../../../../helpers/person-repo.ts';
import { CART, shopRepo } from '../../sample-history.ts';
import { serve } from '../../server/serving.ts';
import { looking, toLog } from '../live/watching.ts';

describe.skipIf(CHROMIUM === undefined)(`a file line by line${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const look = looking();
  const open = async (repo: Place): Promise<Page> => {
    const { server } = await serve({}, repo);
    const { page } = await look(server.address());
    await toLog(page);
    return page;
  };

  it('goes by buttons and keys from its first edit, through its move, to its newest', async () => {
    const page = await open(await shopRepo());
    const diff = (): Promise<string[]> => diffOf(page);
    await page.getByRole('button', { name: 'Line by line' }).click();
    expect(await textOf(page, '#position')).toBe('edit 3 of 3');
    await expect.poll(diff, { timeout: 10_000 }).toEqual(['  let sum = 0;', '  let all = 0;']);
    await page.locator('#earlier').click();
    expect(await textOf(page, '#position')).toBe('edit 2 of 3');
    expect(await chosen(page)).toBe('src/lib/cart.js moved');
    await page.keyboard.press('h');
    expect(await chosen(page)).toContain('src/cart.js');
    await expect.poll(diff, { timeout: 10_000 }).toHaveLength(2);
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowLeft');
    expect(await textOf(page, '#position')).toBe('edit 1 of 3');
    const code = async (): Promise<string> => (await codeOf(page)).join('\n');
    await expect.poll(code, { timeout: 10_000 }).toContain(CART.split('\n')[0]!);
    for (let n = 0; n < 5; n++) await page.keyboard.press('ArrowRight');
    expect(await textOf(page, '#position')).toBe('edit 3 of 3');
    await page.locator('#shown-file').selectOption({ label: 'README.md' });
    expect(await textOf(page, '#position')).toBe('edit 4 of 4');
  });

  it('names the edit behind each line, also of an earlier step, and goes there', async () => {
    const page = await open(await shopRepo());
    await page.keyboard.press('3');
    const sources = (): Promise<string[]> =>
      page
        .locator('.blame .line')
        .evaluateAll(lines => lines.map(line => line.querySelector('.source .name')?.textContent ?? ''));
    await expect.poll(sources, { timeout: 10_000 }).toEqual(['Ada', '', 'fixer', 'reviewer', 'Ada', '']);
    await page.keyboard.press('h');
    await expect.poll(sources, { timeout: 10_000 }).toEqual(['Ada', '', 'reviewer', 'Ada', '']);
    await page.locator('.blame button.source').click();
    expect(await page.locator('#tab-history').getAttribute('aria-selected')).toBe('true');
    expect(await chosen(page)).toContain('and 1 more file');
  });

  it('begins a long text near the change, and draws the rest in both directions when it comes near', async () => {
    const lines = Array.from({ length: 9000 }, (_, at) => `line ${at}\n`);
    const repo = personRepo({ 'a.txt': lines.join('') });
    const session = (await repo.open()).session({ id: 'one', agent: 'fixer' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'line 5000\n', new_str: 'changed\n' });
    const page = await open(repo);
    await page.keyboard.press('3');
    await page.locator('.plus-line').waitFor();
    const drawn = (): Promise<number> => page.locator('#body .line').count();
    expect(await drawn()).toBeLessThan(400);
    const numbers = (): Promise<string[]> =>
      page
        .locator('#body .line')
        .evaluateAll(all => all.map(one => one.querySelectorAll('.number')[0]!.getAttribute('data-number')!));
    for (const place of [0, 1]) {
      await page.locator('#panel').evaluate((panel, at) => panel.scrollTo(0, at * panel.scrollHeight), place);
      await expect
        .poll(async () => (await numbers()).at(-place), { timeout: 10_000 })
        .toBe(place === 0 ? '1' : '9000');
    }
  });
});
