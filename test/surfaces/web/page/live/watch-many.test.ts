/** The live page with much in it, in many tabs, on a small screen, and by mouse alone. */

import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, NO_BROWSER, textOf } from '../../../../helpers/browser.ts';
import { type Place, personRepo } from '../../../../helpers/person-repo.ts';
import { looking, startWatch, toLog, vedit } from './watching.ts';

function shop(): Place {
  const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  return repo;
}

const edit = (repo: Place, old: string, now: string, by = 'fixer', path = 'a.txt'): Promise<number> =>
  vedit(repo, 'replace', path, old, now, '--agent', by, '--session', `of-${by}`, '-m', `${by} says ${now}`);

/** So many edits of one file, as the engine's commits are. */
function longTrail(repo: Place, edits: number): void {
  const head = repo.git('rev-parse', 'HEAD');
  const parts: string[] = [];
  for (let n = 0; n < edits; n++) {
    const trail = n === 0 ? 'Vedit-Line: 2\n' : '';
    const trailers = `Vedit-Op: str_replace\nVedit-Path: a.txt\nVedit-Head: ${head}\n${trail}Vedit-Session: s${n % 5}\nVedit-Agent: agent ${n % 5}\n`;
    const message = `str_replace a.txt (+1 -1)\n\nnumber ${n}\n\n${trailers}`;
    const text = `one\ntwo\n${n}\n`;
    const who = `vedit <vedit@vedit.invalid> ${1_700_000_100 + n} +0000`;
    parts.push(
      `commit refs/vedit/main\nauthor ${who}\ncommitter ${who}\ndata ${message.length}\n${message}`,
      n === 0 ? `from ${head}\n` : '',
      `M 100644 inline a.txt\ndata ${text.length}\n${text}`,
    );
  }
  execFileSync('git', ['fast-import', '--quiet', '--done'], {
    cwd: repo.dir,
    input: `${parts.join('')}done\n`,
  });
  repo.write('a.txt', `one\ntwo\n${edits - 1}\n`);
}

describe.skipIf(CHROMIUM === undefined)(`vedit watch${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const look = looking();

  it('shows the newest of ten thousand edits at once, a new one on top, and older ones when asked', async () => {
    const repo = shop();
    longTrail(repo, 10_000);
    const { page } = await look((await startWatch(repo)).address);
    const rows = page.locator('.row');
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(100);
    expect(await textOf(page, '.found')).toMatch(/^100 entries\s*the newest; there are older ones$/);
    await edit(repo, 'two', '2');
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(100);
    await expect
      .poll(() => rows.first().locator('.why').textContent(), { timeout: 10_000 })
      .toBe('fixer says 2');
    await page.locator('#older-entries').click();
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(200);
    await page.locator('#older-entries').click();
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(400);
    await edit(repo, 'one', '1', 'writer');
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(401);
    await page.keyboard.press('End');
    expect(await textOf(page, '#details .reason')).toBe('number 9601');
    for (const count of ['800 entries', '1,600 entries']) {
      await page.locator('#older-entries').click();
      await expect.poll(() => textOf(page, '#count'), { timeout: 20_000 }).toBe(count);
    }
    // Of so many only those that are seen have elements; what is read stays where it is when another one comes.
    const seen = (): Promise<Array<[string, number]>> =>
      page.locator('#list').evaluate(list => {
        const { top, bottom } = list.getBoundingClientRect();
        return [...list.querySelectorAll<HTMLElement>('.row')]
          .map((row): [string, number] => [row.dataset.commit!, row.getBoundingClientRect().top])
          .filter(([, at]) => at > top + 40 && at < bottom - 80);
      });
    await page.locator('#list').evaluate(list => list.scrollTo(0, list.scrollHeight / 2));
    await sleep(200);
    const before = await seen();
    expect(before.length).toBeGreaterThan(3);
    expect(await rows.count()).toBeLessThan(200);
    await edit(repo, '2\n', 'two again\n', 'writer');
    await expect.poll(() => textOf(page, '#count'), { timeout: 20_000 }).toBe('1,601 entries');
    await sleep(200);
    expect(await seen()).toEqual(before);
  });

  it('follows in ten tabs of one browser, of which hidden ones let go', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    const { page } = await look((await startWatch(repo)).address);
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    const tabs: Page[] = [page];
    for (let n = 1; n < 10; n++) {
      await page.bringToFront();
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        page.evaluate(() => document.getElementById('another-tab')!.click()),
      ]);
      // As a browser with a window says of all but the one in front.
      const hidden = tabs.at(-1)!;
      await hidden.evaluate(() => {
        Object.defineProperty(document, 'hidden', { value: true, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      });
      tabs.push(tab!);
      await toLog(tab!);
      await expect.poll(() => tab!.locator('.row').count()).toBe(1);
    }
    await edit(repo, 'two', '2', 'writer');
    await expect.poll(() => tabs.at(-1)!.locator('.row').count()).toBe(2);
    expect(await tabs[3]!.locator('.row').count()).toBe(1);
    for (const tab of tabs.slice(0, -1)) {
      await tab.evaluate(() => {
        Object.defineProperty(document, 'hidden', { value: false, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      });
    }
    // All are seen at once, as in windows side by side: more than a browser has connections.
    for (const tab of tabs) await expect.poll(() => tab.locator('.row').count()).toBe(2);
    await edit(repo, 'three', '3', 'writer');
    for (const tab of tabs) await expect.poll(() => tab.locator('.row').count()).toBe(3);
  });

  it('fits 400 pixels, light and dark, and every control has a name', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    const { address } = await startWatch(repo);
    const { page } = await look(address, { viewport: { width: 400, height: 700 }, colorScheme: 'dark' });
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    await page.locator('.row').click();
    for (const key of ['2', '1', '3']) {
      await page.keyboard.press(key);
      await sleep(200);
      expect([key, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([key, 400]);
    }
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, textarea, [role]')]
        .filter(one => one.matches('button, input, select, [role=tab], [role=listbox], [role=toolbar]'))
        .filter(one => {
          const label =
            one.getAttribute('aria-label') ?? one.closest('label')?.textContent ?? one.textContent;
          return label?.trim() === '' && one.getAttribute('title') === null && !(one as HTMLElement).hidden;
        })
        .map(one => one.id),
    );
    expect(nameless).toEqual([]);
  });

  it('accepts, rejects, undoes, lands and takes back by mouse while two agents work', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    const { page } = await look((await startWatch(repo)).address);
    await Promise.all([edit(repo, 'three', '3', 'writer'), edit(repo, 'b\n', 'B\n', 'fixer', 'b.txt')]);
    await expect.poll(() => page.locator('.row').count()).toBe(3);
    await page.locator('#tab-review').click();
    await expect.poll(() => page.locator('.review-hunk').count()).toBe(3);
    await page.locator('.review-hunk[aria-label^="b.txt"]').locator('h4').click();
    await page.locator('#act-accept').click();
    await expect.poll(() => page.locator('.review-hunk').count()).toBe(2);
    await page.locator('.review-hunk', { hasText: 'writer' }).locator('h4').click();
    await page.locator('#act-reject').click();
    await page.locator('#ask-text').fill('words, not digits');
    await page.locator('#ask .main').click();
    await expect.poll(() => repo.read('a.txt')).toBe('1\ntwo\nthree\n');
    await page.locator('#tab-history').click();
    await edit(repo, 'two', '2', 'writer');
    await expect.poll(() => page.locator('.row', { hasText: 'writer says 2' }).count()).toBe(1);
    await page.locator('#act-undo').click();
    await expect.poll(() => textOf(page, '#ask-question')).toContain('writer says 2');
    await page.locator('#ask .main').click();
    await expect.poll(() => repo.read('a.txt')).toBe('1\ntwo\nthree\n');
    await page.locator('#act-back').click();
    await expect.poll(() => repo.read('a.txt')).toBe('1\n2\nthree\n');
    await page.locator('#act-land').click();
    await page.locator('#ask input[value=all]').check();
    await page.locator('#ask-text').fill('Digits');
    await page.locator('#ask .main').click();
    await expect.poll(() => repo.git('log', '-1', '--format=%s')).toBe('Digits');
    expect(repo.git('show', 'HEAD:a.txt')).toBe('1\n2\nthree');
  });

  it('only shows where it was started so', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    const { page } = await look((await startWatch(repo, '--read-only')).address);
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    expect(await page.locator('#acts').isVisible()).toBe(false);
    for (const key of ['u', 'z', 'L']) await page.keyboard.press(key);
    await sleep(300);
    expect(repo.read('a.txt')).toBe('1\ntwo\nthree\n');
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });
});
