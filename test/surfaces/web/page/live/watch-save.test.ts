/** `vedit watch --save`: one page that works without a server and a network, and offers nothing that acts. */

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGE_START } from '../../../../../src/surfaces/web/page.ts';
import { CHROMIUM, NO_BROWSER, openFile, startBrowser, textOf } from '../../../../helpers/browser.ts';
import { type Place, personRepo } from '../../../../helpers/person-repo.ts';
import { bin, vedit, veditJson } from '../../../../helpers/vedit.ts';

async function edited(): Promise<Place> {
  const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\n' });
  await vedit(repo, ['replace', 'a.txt', 'two', 'TWO', '--agent', 'fixer', '-m', 'louder']);
  return repo;
}

describe('watch --save', () => {
  it('writes the page, over its own last one too, and over nothing else', async () => {
    const repo = await edited();
    for (let n = 0; n < 2; n++)
      expect(await vedit(repo, ['watch', '--save', 'page.html'])).toEqual({
        code: 0,
        out: '',
        err: 'page.html: open it in a browser\n',
      });
    expect(repo.read('page.html').startsWith(PAGE_START)).toBe(true);
    const { data } = await veditJson(repo, ['watch', '--save', 'page.html']);
    expect(data).toEqual({ file: 'page.html', bytes: Buffer.byteLength(repo.read('page.html')) });
    mkdirSync(repo.path('folder'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [repo.path('pipe')]);
    for (const name of ['a.txt', 'folder', 'pipe', 'missing/page.html']) {
      const { code, err } = await vedit(repo, ['watch', '--save', name]);
      expect([name, code === 0, err.includes(name)]).toEqual([name, false, true]);
    }
    expect(repo.read('a.txt')).toBe('one\nTWO\nthree\n');
  });

  it.skipIf(CHROMIUM === undefined)(
    `made by the built program, shows all three views without a network${CHROMIUM ? '' : ` (${NO_BROWSER})`}`,
    async () => {
      const repo = await edited();
      expect((await bin(repo, ['watch', '--save', 'page.html'])).code).toBe(0);
      const browser = await startBrowser();
      try {
        const { page, problems } = await openFile(browser, repo.path('page.html'));
        expect(await textOf(page, '.review-hunk .plus-line .text')).toBe('TWO');
        expect(await textOf(page, '#live-state')).toMatch(/^As of \d/);
        for (const key of ['y', 'r', 'u', 'z', 'L']) await page.keyboard.press(key);
        expect(await page.locator('dialog[open], .hunk-acts, #acts, #older-entries:visible').count()).toBe(0);
        expect(await page.locator('.review-hunk').count()).toBe(1);
        await page.keyboard.press('2');
        expect(await textOf(page, '#details .reason')).toBe('louder');
        await page.keyboard.press('3');
        expect(await textOf(page, '.source .name')).toBe('Ada\nfixer\nAda');
        await page.keyboard.press('1');
        expect(await page.locator('.review-hunk').count()).toBe(1);
        expect(problems).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );
});
