/** A reviewer finds his way through what two agents did, in a real browser without a network. */

import { describe, expect, it } from 'vitest';
import { browsing, CHROMIUM, chosen, diffOf, NO_BROWSER, textOf, whatOf } from '../../helpers/browser.ts';
import { git } from '../../helpers/landing.ts';
import { personRepo } from '../../helpers/person-repo.ts';
import { looking } from './page/live/watching.ts';
import { shop } from './sample-history.ts';
import { serve } from './server/serving.ts';

describe.skipIf(CHROMIUM === undefined)(`a reviewer${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const open = browsing();
  const look = looking();

  it('tells at once what happened, who did it and where', async () => {
    const page = await open(shop());
    expect(await page.title()).toBe('shop · vedit/main · vedit');
    expect(await page.locator('#only-group option').allInnerTexts()).toEqual([
      'Everybody',
      'fixer, one (4)',
      'reviewer, two (1)',
      'not through vedit (1)',
    ]);
    expect(await page.locator('#only-file option').allInnerTexts()).toEqual([
      'All files',
      'src/lib/cart.js (3)',
      'README.md (4)',
    ]);
    expect(await page.locator('.row').count()).toBe(6);
    expect(await page.locator('.row.undone .path').allInnerTexts()).toEqual(['README.md']);
  });

  it('says what has landed where, and names the person behind lines that a sync brought', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\n' });
    const workspace = await repo.open();
    const session = workspace.session({ id: 's1', agent: 'fixer' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    const { commit } = (await workspace.land({ git })).data;
    repo.write('a.txt', repo.read('a.txt').replace('two', 'by Ada'));
    repo.git('commit', '-qam', 'Ada at work');
    await session.edit('str_replace', { path: 'a.txt', old_str: 'three', new_str: 'THREE' });
    const { page } = await look((await serve({}, repo)).server.address());
    expect(await page.locator('.row .landed').count()).toBe(1);
    await page.locator('.row').nth(2).click();
    expect(await textOf(page, '#details')).toContain(commit!.slice(0, 12));
    await page.locator('.row').first().click();
    await page.keyboard.press('3');
    const sources = async (): Promise<string[]> => {
      const texts = await page.locator('.blame .source:not(:empty)').allInnerTexts();
      return texts.map(text => text.replace(/^.*\d:\d\d(?: [AP]M)? /, ''));
    };
    await expect
      .poll(sources, { timeout: 10_000 })
      .toEqual([expect.stringMatching(/^fixer /), 'Ada Ada at work', expect.stringMatching(/^fixer /)]);
  });

  it('shows of a clicked entry the reason, who, the diff, and what it has to do with others', async () => {
    const page = await open(shop());
    await page.locator('.row').nth(2).click();
    expect(await textOf(page, '#details')).toMatch(
      /2 files edited[\s\S]*Count how many of each\.\s+Ticket 114\.[\s\S]*reviewer/,
    );
    expect(await diffOf(page)).toEqual([
      '  for (const item of items) sum += item.price;',
      '  for (const item of items) sum += item.price * item.count;',
      '# My shop',
      '# A shop',
    ]);
    expect(await page.locator('#body mark').allInnerTexts()).toEqual([' * item.count', 'My', 'A']);
    await page.locator('.row').nth(3).click();
    expect(await textOf(page, '.relations')).toBe('takes back No first person. (README.md)');
    await page.locator('.relations button').click();
    expect(await textOf(page, '.relations')).toBe('taken back by undo README.md (+1 -1)');
    expect(await whatOf(page, '.row.related')).toEqual(['README.md undone']);
  });

  it('is stepped through by keyboard', async () => {
    const page = await open(shop());
    expect(await chosen(page)).toBe('src/lib/cart.js edited');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    expect(await chosen(page)).toContain('src/cart.js and 1 more file');
    await page.keyboard.press('k');
    expect(await chosen(page)).toBe('src/lib/cart.js moved');
    await page.keyboard.press('G');
    expect(await chosen(page)).toBe('README.md changed outside');
    await page.keyboard.press('ArrowRight');
    expect(await chosen(page)).toBe('README.md edited');
    await page.keyboard.press('Tab');
    await page.keyboard.press('?');
    expect(await page.locator('#help kbd').allInnerTexts()).toEqual(expect.arrayContaining(['j', '↓', '?']));
    await page.keyboard.press('Escape');
    expect(await page.locator('#help').isVisible()).toBe(false);
    expect(await page.locator('#list').getAttribute('aria-activedescendant')).toBe(
      await page.locator('.row[aria-selected=true]').getAttribute('id'),
    );
  });

  it('is narrowed to a file, a session, words, and opened again', async () => {
    const page = await open(shop());
    await page.locator('#only-file').selectOption({ label: 'src/lib/cart.js (3)' });
    expect(await whatOf(page)).toEqual([
      'src/lib/cart.js edited',
      'src/lib/cart.js moved',
      expect.stringContaining('src/cart.js'),
    ]);
    await page.locator('#only-group').selectOption('1');
    expect(await textOf(page, '#count')).toBe('1 of 6 entries');
    await page.keyboard.press('Escape');
    expect(await page.locator('.row').count()).toBe(6);
    await page.keyboard.press('/');
    await page.keyboard.type('ticket');
    expect(await textOf(page, '#count')).toBe('1 of 6 entries');
    await page.locator('#show-all').click();
    expect(await textOf(page, '#count')).toBe('6 entries');
    await page.locator('#only-words').fill('no such words');
    expect(await textOf(page, '#list')).toContain('No edit fits');
  });

  it('keeps in its address what is looked at', async () => {
    const timeline = await shop();
    const commit = timeline.entries[2]!.commit;
    const page = await open(timeline, {}, `#${commit.slice(0, 12)}/file`);
    expect(await page.locator('#tab-file').getAttribute('aria-selected')).toBe('true');
    expect(await chosen(page)).toContain('and 1 more file');
    await page.keyboard.press('j');
    await page.keyboard.press('2');
    expect(new URL(page.url()).hash).toBe(`#${timeline.entries[3]!.commit.slice(0, 12)}`);
    await page.keyboard.press('1');
    expect(new URL(page.url()).hash).toBe('#review');
  });
});
