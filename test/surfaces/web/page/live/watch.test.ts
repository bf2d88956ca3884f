/** The live page in a real browser: what agents do comes as they do it, nothing that is read moves, and a person answers. */

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { agentAt } from '../../../../helpers/agent-events.ts';
import { CHROMIUM, NO_BROWSER, textOf } from '../../../../helpers/browser.ts';
import { type Place, personRepo } from '../../../../helpers/person-repo.ts';
import { chosenRow, looking, openFiles, startWatch, vedit } from './watching.ts';

const LINES = Array.from({ length: 80 }, (_, n) => `line ${n}`).join('\n');

function shop(): Place {
  const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\n', 'long.txt': `${LINES}\n` });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  return repo;
}

const edit = (repo: Place, old: string, now: string, by = 'fixer', path = 'a.txt'): Promise<number> =>
  vedit(repo, 'replace', path, old, now, '--agent', by, '--session', `of-${by}`, '-m', `${by} says ${now}`);

const rows = (page: Page): Promise<string[]> => page.locator('.row .why').allInnerTexts();

describe.skipIf(CHROMIUM === undefined)(`vedit watch${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const look = looking();

  it('shows edits of other processes as they are made, who works, and says so aloud', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    const { page } = await look((await startWatch(repo)).address);
    await expect.poll(() => rows(page)).toEqual(['fixer says 1']);
    expect(page.url()).not.toContain('ticket');
    await Promise.all([
      edit(repo, 'two', '2', 'writer'),
      edit(repo, 'line 7\n', 'line seven\n', 'fixer', 'long.txt'),
    ]);
    await expect.poll(() => rows(page).then(list => list.length)).toBe(3);
    expect((await rows(page)).slice(0, 2).sort()).toEqual(
      ['fixer says line seven\n', 'writer says 2'].map(one => one.trim()),
    );
    await expect
      .poll(() =>
        page
          .locator('.worker strong')
          .allInnerTexts()
          .then(all => all.sort()),
      )
      .toEqual(['fixer', 'writer']);
    await expect.poll(() => page.locator('#announce').textContent()).toMatch(/writer|fixer/);
    expect(await textOf(page, '#live-state')).toBe('Live');
    // The newest stays open where nobody reads another one.
    expect(await chosenRow(page)).toContain(await rows(page).then(([first]) => first!));
  });

  it('leaves what is read where it is, and the focus', async () => {
    const repo = shop();
    for (let n = 0; n < 25; n++) await edit(repo, `line ${3 * n}\n`, `LINE ${3 * n}\n`, 'fixer', 'long.txt');
    const { page } = await look((await startWatch(repo)).address, { viewport: { width: 1280, height: 500 } });
    await expect.poll(() => page.locator('.row').count()).toBe(25);
    await page.locator('.row').nth(12).click();
    await page.locator('#panel').evaluate(panel => panel.scrollTo(0, 60));
    await page.locator('#only-words').focus();
    const seen = (): Promise<unknown> =>
      page.evaluate(() => {
        const place = (selector: string): number =>
          Math.round(document.querySelector(selector)!.getBoundingClientRect().top);
        return [
          document.activeElement!.id,
          place('.row[aria-selected=true]'),
          place('#body'),
          place('#body .plus-line'),
        ];
      });
    const before = await seen();
    const chosen = await chosenRow(page);
    await edit(repo, 'one', '1', 'writer');
    await vedit(repo, 'revert', '~13', '--agent', 'writer', '--session', 'of-writer');
    await expect.poll(() => page.locator('.row').count()).toBe(27);
    await sleep(600);
    expect(await seen()).toEqual(before);
    expect((await chosenRow(page)).replace('taken back\n', '').replace('taken back', '')).toContain(
      chosen.split('\n')[1]!,
    );
  });

  it('takes an edit out, undoes, takes the own action back, and restores, by keyboard alone', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    await edit(repo, 'three', '3');
    const { page } = await look((await startWatch(repo)).address);
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    await page.keyboard.press('j');
    await page.keyboard.press('u');
    await expect.poll(() => repo.read('a.txt')).toBe('one\ntwo\n3\n');
    await expect.poll(() => textOf(page, '#answer-text')).toMatch(/^vedit revert done/);
    await page.keyboard.press('z');
    await expect.poll(() => repo.read('a.txt')).toBe('1\ntwo\n3\n');
    await expect.poll(() => page.locator('.row').count()).toBe(4);
    expect(repo.git('log', '-1', '--format=%an', 'refs/vedit/main')).toBe('Ada');
  });

  it('shows where a conflict is and who holds it, and takes that out first', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    await edit(repo, '1', 'first', 'writer');
    const { page } = await look((await startWatch(repo)).address);
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    await page.locator('.row').nth(1).click();
    await page.locator('#act-revert').click();
    await expect.poll(() => textOf(page, '#answer-text')).toMatch(/^CONFLICT /);
    expect(repo.read('a.txt')).toBe('first\ntwo\nthree\n');
    expect(await textOf(page, '#answer .hunk')).toContain('a.txt, line 1');
    await page.locator('.ways li', { hasText: 'held by writer' }).getByText('Take that out first').click();
    await expect.poll(() => repo.read('a.txt')).toBe('1\ntwo\nthree\n');
    await page.locator('.row').last().click();
    await page.locator('#act-revert').click();
    await expect.poll(() => repo.read('a.txt')).toBe('one\ntwo\nthree\n');
  });

  it('reviews hunk by hunk, by keyboard: accepts, rejects with a reason, and takes that back', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    await edit(repo, 'line 3\n', 'LINE 3\n', 'writer', 'long.txt');
    await edit(repo, 'line 60\n', 'LINE 60\n', 'writer', 'long.txt');
    const { page } = await look((await startWatch(repo)).address);
    await expect.poll(() => page.locator('.row').count()).toBe(3);
    const heads = (): Promise<string[]> => openFiles(page);
    await page.keyboard.press('1');
    await expect.poll(heads).toEqual(['a.txt', 'long.txt', 'long.txt']);
    await page.keyboard.press('y');
    await expect.poll(heads).toEqual(['long.txt', 'long.txt']);
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.keyboard.type('sixty stays small');
    await page.keyboard.press('Control+Enter');
    await expect.poll(heads).toEqual(['long.txt']);
    // It left at the press.
    await expect.poll(() => repo.read('long.txt')).toContain('line 60\n');
    expect(repo.read('long.txt')).toContain('LINE 3\n');
    expect(repo.git('log', '-1', '--format=%b', 'refs/vedit/main')).toContain('sixty stays small');
    await page.keyboard.press('z');
    await expect.poll(heads).toEqual(['long.txt', 'long.txt']);
    expect(repo.read('long.txt')).toContain('LINE 60\n');
    await page.keyboard.press('z');
    await expect.poll(heads).toEqual(['a.txt', 'long.txt', 'long.txt']);
    // The same by mouse; an agent edits meanwhile, and the hunks that are there stay where they are.
    await edit(repo, 'two', '2', 'writer');
    await expect.poll(() => textOf(page, '.review-hunk')).toContain('writer says 2');
    await page.locator('.review-hunk').nth(1).click();
    await page.locator('#act-accept').click();
    await expect.poll(heads).toEqual(['a.txt', 'long.txt']);
  });

  it('lands what is selected with the message, by keyboard, and says what a hook says', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    await edit(repo, 'line 3\n', 'LINE 3\n', 'writer', 'long.txt');
    const { page } = await look((await startWatch(repo)).address);
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    await page.keyboard.press('j');
    await page.keyboard.press('L');
    await page.getByText('the chosen edit alone').click();
    await page.locator('#ask-text').fill('Count in digits');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => repo.git('log', '-1', '--format=%s %an')).toBe('Count in digits Ada');
    expect(repo.git('show', '--stat', '--format=', 'HEAD')).not.toContain('long.txt');
    await expect.poll(() => page.locator('.row .landed').count()).toBe(1);
    repo.write('.git/hooks/pre-commit', '#!/bin/sh\necho "not on a Sunday" >&2\nexit 1\n');
    repo.git('config', 'core.hooksPath', repo.path('.git/hooks'));
    const { chmodSync } = await import('node:fs');
    chmodSync(repo.path('.git/hooks/pre-commit'), 0o755);
    await page.keyboard.press('L');
    await page.locator('#ask input[value=all]').check();
    await page.locator('#ask-text').fill('Again');
    await page.locator('#ask .main').click();
    await expect.poll(() => textOf(page, '#answer-text')).toMatch(/GIT_REFUSED[\s\S]*not on a Sunday/);
    expect(repo.git('log', '-1', '--format=%s')).toBe('Count in digits');
  });

  it('shows what is not recorded yet, and what came since the reader last looked', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    const { address } = await startWatch(repo);
    const { page } = await look(address);
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    const hide = (hidden: boolean): Promise<void> =>
      page.evaluate(value => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await hide(true);
    repo.write('a.txt', `${readFileSync(repo.path('a.txt'), 'utf8')}by hand\n`);
    await edit(repo, 'line 3\n', 'LINE 3\n', 'writer', 'long.txt');
    await sleep(400);
    expect(await page.locator('.row').count()).toBe(1);
    await hide(false);
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    await expect.poll(() => textOf(page, '#new-count')).toBe('1 new since you last looked');
    expect(await page.locator('.looked').count()).toBe(1);
    await expect.poll(() => textOf(page, '#unrecorded')).toBe('1 file differs, not recorded yet');
  });

  it('goes on when the server comes back, and says while it is away', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    const { address, child } = await startWatch(repo);
    const { page, problems } = await look(address);
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    child.kill('SIGINT');
    await expect.poll(() => textOf(page, '#live-state'), { timeout: 10_000 }).toMatch(/^Not connected/);
    const failures = problems.splice(0);
    expect(
      failures.every(one =>
        /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|net::/.test(one),
      ),
    ).toBe(true);
    await page.close();
    problems.splice(0);
  });

  it('shows text that nobody claims as one line at the end of the review, and one key claims all of it', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    const codex = agentAt(repo, { agent: 'codex' });
    await codex.tells('prompt');
    await codex.writes('a.txt', '1\ntwo\nTHREE\n');
    await codex.writes('long.txt', repo.read('long.txt').replace('line 7\n', 'LINE 7\n'));
    await edit(repo, 'line 70\n', 'LINE 70\n', 'fixer', 'long.txt');
    const { page } = await look((await startWatch(repo)).address);
    await expect.poll(() => page.locator('.row').count()).toBeGreaterThan(1);
    await page.locator('#tab-review').click();
    const folded = page.locator('details.unclaimed');
    await expect
      .poll(() => folded.locator('summary').allInnerTexts())
      .toEqual(['2 places in 2 files, while codex ran']);
    expect(await page.locator('#body > :last-child .unclaimed').count()).toBe(1);
    expect(await folded.locator('.code').first().isVisible()).toBe(false);
    await folded.locator('summary').click();
    await expect.poll(() => folded.locator('.code').count()).toBe(2);
    const hunks = await page.locator('.review-hunk').count();
    await page.locator('h2.lead').click();
    await page.keyboard.press('m');
    await expect.poll(() => folded.count()).toBe(0);
    expect(await page.locator('.review-hunk').count()).toBe(hunks);
    expect((await (await repo.open()).review()).data.unclaimed).toBe(null);
    await page.keyboard.press('z');
    await expect.poll(() => folded.count()).toBe(1);
    await folded.locator('summary').click();
    await folded.getByRole('button', { name: 'All of it is mine' }).click();
    await expect.poll(() => folded.count()).toBe(0);
  });

  it('obeys no single keys where they are switched off', async () => {
    const repo = shop();
    await edit(repo, 'one', '1');
    const { page } = await look((await startWatch(repo)).address);
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    await page.locator('#help-button').click();
    await page.getByLabel('keys of one letter').uncheck();
    await page.locator('#help-close').click();
    for (const key of ['u', 'z', 'L', '3', 'r', 'y']) await page.keyboard.press(key);
    await sleep(300);
    expect(repo.read('a.txt')).toBe('1\ntwo\nthree\n');
    expect(await page.locator('#tab-history').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });
});
