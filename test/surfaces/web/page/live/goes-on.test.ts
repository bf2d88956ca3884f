/** A review goes on from what the reader did: the next hunk is chosen, what was taken back is, and their own answers are no news. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, NO_BROWSER, textOf } from '../../../../helpers/browser.ts';
import { type Place, personRepo } from '../../../../helpers/person-repo.ts';
import { looking, startWatch } from './watching.ts';

const SOON = { timeout: 20_000 };
const LINES = Array.from({ length: 40 }, (_, n) => `line ${n}\n`);

type Edit = (path: string, at: number, now: string) => Promise<unknown>;

/** A person's files, and an agent that edits them. */
async function scene(): Promise<{ repo: Place; edit: Edit; move: (path: string, to: string) => unknown }> {
  const text = LINES.join('');
  const repo = personRepo({ 'a.txt': text, 'b.txt': text, 'c.txt': text });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  const session = (await repo.open()).session({ agent: 'fixer' });
  return {
    repo,
    edit: (path, at, new_str) => session.edit('str_replace', { path, old_str: LINES[at]!, new_str }),
    move: (path, to) => session.edit('move', { path, new_path: to }),
  };
}

describe.skipIf(CHROMIUM === undefined)(`a review goes on${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const look = looking();
  const open = async (repo: Place, view = {}): Promise<Page> => {
    const { page } = await look((await startWatch(repo)).address, view, undefined, true);
    await page.locator('.review-hunk.chosen .line').first().waitFor(SOON);
    return page;
  };
  const chosen = (page: Page): Promise<string | null> =>
    page.locator('.review-hunk.chosen').getAttribute('aria-label');
  const count = (page: Page): Promise<string> => textOf(page, '#count');

  it('from a file that was moved, which is one hunk, with what changed in it', async () => {
    const { repo, edit, move } = await scene();
    await edit('a.txt', 5, 'LINE 5\nmore\n');
    await move('a.txt', 'a-new.txt');
    await edit('b.txt', 5, 'LINE 5\n');
    const page = await open(repo);
    expect(await count(page)).toBe('2 hunks');
    const heads = await page.locator('.file-line h3').allInnerTexts();
    expect(heads.map(one => one.replace(/\s+/g, ' '))).toEqual(['a-new.txt +2 −1', 'b.txt +1 −1']);
    await page.keyboard.press('y');
    await expect.poll(() => count(page), SOON).toBe('1 hunks');
    expect(await textOf(page, '.answered')).toMatch(/^accepted renamed from a\.txt, similarity \d+%/);
    expect(await chosen(page)).toBe('b.txt, line 6');
    expect((await (await repo.open()).review()).data.hunks.map(({ path }) => path)).toEqual(['b.txt']);
  });

  it('from a piece to the next one, and from lines to what is left: nobody changed that', async () => {
    const { repo, edit } = await scene();
    await edit('a.txt', 5, 'line 5\none\ntwo\n\nthree\nfour\n');
    await edit('b.txt', 5, 'LINE 5\n');
    const page = await open(repo);
    await page.keyboard.press('s');
    await expect.poll(() => count(page)).toBe('3 hunks');
    // Three lines that both texts have, and three that came: none of the other piece.
    expect(await page.locator('.chosen .line').count()).toBe(6);
    await page.keyboard.press('y');
    await expect.poll(() => count(page), SOON).toBe('2 hunks');
    await expect.poll(() => page.locator('.plus-line .text').allInnerTexts(), SOON).toContain('three');
    expect(await chosen(page)).toBe('a.txt, lines 10-11');
    await page.locator('.review-hunk.chosen .plus-line .number').last().click();
    await page.keyboard.press('y');
    const left = (): Promise<string[]> => page.locator('.chosen .plus-line .text').allInnerTexts();
    await expect.poll(left, SOON).toEqual(['three']);
    expect(await page.locator('.changed').count()).toBe(0);
    expect(await chosen(page)).toBe('a.txt, line 10');
  });

  it('from what was taken back, by whatever number it is listed again', async () => {
    const { repo, edit } = await scene();
    for (const at of [5, 20]) await edit('a.txt', at, `LINE ${at}\n`);
    const page = await open(repo);
    await page.keyboard.press('y');
    await expect.poll(() => textOf(page, '.answered'), SOON).toContain('Undo');
    await edit('b.txt', 5, 'LINE 5\n');
    await expect.poll(() => count(page), SOON).toBe('2 hunks');
    await page.keyboard.press('z');
    await expect.poll(() => count(page), SOON).toBe('3 hunks');
    await expect.poll(() => chosen(page), SOON).toBe('a.txt, line 6');
    await page.keyboard.press('Escape');
    expect(await page.locator('#answer').count()).toBe(0);
  });

  it('where it is narrowed to, with the first that fits', async () => {
    const { repo, edit } = await scene();
    for (const path of ['a.txt', 'b.txt', 'c.txt']) await edit(path, 5, `LINE of ${path}\n`);
    await edit('c.txt', 20, '  line  20\n');
    const page = await open(repo);
    await page.keyboard.press('/');
    await page.keyboard.type('of c.txt');
    await expect.poll(() => count(page), SOON).toBe('1 of 4 hunks');
    await expect.poll(() => chosen(page), SOON).toBe('c.txt, line 6');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('only-words');
    await page.keyboard.press('y');
    await expect.poll(() => textOf(page, '.lead'), SOON).toBe('No hunk fits.');
    await page.locator('#show-all').click();
    await expect.poll(() => count(page), SOON).toBe('3 hunks');
  });

  it('on a narrow screen from the list of files to the one that is pressed, and back', async () => {
    const { repo, edit } = await scene();
    for (const path of ['a.txt', 'b.txt']) await edit(path, 5, 'LINE 5\n');
    const page = await open(repo, { viewport: { width: 390, height: 700 } });
    await page.locator('#to-list').click();
    await page.locator('.review-file').nth(1).click();
    await page.locator('.review-hunk.chosen').waitFor({ state: 'visible' });
    expect(await chosen(page)).toBe('b.txt, line 6');
    await page.goBack();
    await page.locator('.review-file').first().waitFor({ state: 'visible' });
  });

  it.each([
    ['2', 'history', /^#[0-9a-f]{12}$/],
    ['3', 'file', /^#[0-9a-f]{12}\/file$/],
  ])('to the newest edit by %s, its %s, and back in one step', async (key, view, address) => {
    const { repo, edit } = await scene();
    await edit('a.txt', 5, 'LINE 5\n');
    const page = await open(repo);
    await page.keyboard.press(key);
    await expect.poll(() => new URL(page.url()).hash, SOON).toMatch(address);
    expect(await page.locator(`#tab-${view}`).getAttribute('aria-selected')).toBe('true');
    await page.goBack();
    await page.locator('.review-hunk.chosen').waitFor({ state: 'visible' });
  });

  it('from the help, which begins at its beginning', async () => {
    const { repo, edit } = await scene();
    await edit('a.txt', 5, 'LINE 5\n');
    const page = await open(repo, { viewport: { width: 900, height: 400 } });
    await page.keyboard.press('?');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('help-title');
    expect(await page.locator('#help').evaluate(one => one.scrollTop)).toBe(0);
    await page.keyboard.press('?');
    expect(await page.locator('#help').isVisible()).toBe(false);
  });
});
