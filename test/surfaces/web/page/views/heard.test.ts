/** A review as a screen reader has it: roles, names and states, in the order in which they are read. */

import { expect, it } from 'vitest';
import { CHROMIUM } from '../../../../helpers/browser.ts';
import { personRepo } from '../../../../helpers/person-repo.ts';
import { looking, startWatch } from '../live/watching.ts';

const SOON = { timeout: 20_000 };
const look = looking();

it.skipIf(CHROMIUM === undefined)(
  'a hunk that is chosen, one accepted, one rejected, and the landing',
  async () => {
    const text = Array.from({ length: 60 }, (_, n) => `line ${n}\n`).join('');
    const repo = personRepo({ 'a.txt': text, 'b.txt': 'b\n' });
    repo.git('config', 'user.name', 'Ada');
    repo.git('config', 'user.email', 'ada@example.com');
    const session = (await repo.open()).session({ agent: 'fixer' });
    const edit = (path: string, old_str: string, new_str: string): Promise<unknown> =>
      session.edit('str_replace', { path, old_str, new_str, reason: `why ${old_str.trim()}` });
    for (const n of [10, 30, 50]) await edit('a.txt', `line ${n}\n`, `LINE ${n}\nmore\n`);
    await edit('b.txt', 'b\n', 'b\nc\n');
    const { page } = await look((await startWatch(repo)).address, {}, undefined, true);
    await page.locator('.review-hunk.chosen .plus-line').first().waitFor(SOON);
    await page.keyboard.press('y');
    await page.keyboard.press('r');
    await page.keyboard.type('too loud');
    await page.keyboard.press('Control+Enter');
    await page.locator('.answered.reject button').waitFor(SOON);
    await page.locator('#announce-hunk', { hasText: 'Hunk 1 of 2' }).waitFor({ state: 'attached', ...SOON });
    await page.locator('.file-line h3', { hasText: '+2 −1' }).waitFor(SOON);
    await expect(await page.locator('body').ariaSnapshot()).toMatchFileSnapshot('heard-review.txt');
    const chosen = page.locator('.review-hunk.chosen');
    expect(await chosen.getAttribute('aria-current')).toBe('true');
    expect(await chosen.evaluate(one => one === document.activeElement)).toBe(true);
    await page.keyboard.press('L');
    await page.locator('#ask-count').waitFor(SOON);
    await expect(await page.locator('#ask').ariaSnapshot()).toMatchFileSnapshot('heard-landing.txt');
  },
);
