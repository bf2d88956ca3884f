/** Options of `vedit watch` that are about the machine: when it ends, and how the browser is opened; and what is rejected together. */

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CHROMIUM, NO_BROWSER, textOf } from '../../../../helpers/browser.ts';
import { type Place, personRepo } from '../../../../helpers/person-repo.ts';
import { vedit as inProcess } from '../../../../helpers/vedit.ts';
import { ask, serve } from '../../server/serving.ts';
import { looking, startWatch, vedit } from './watching.ts';

function shop(): Place {
  const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  return repo;
}

describe('--idle', () => {
  it('ends when nobody looked for so many minutes, and not before', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.restoreAllMocks().useRealTimers());
    const [set, clear] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')];
    const run = inProcess(shop(), ['watch', '--idle', '2', '--json']);
    const look = (): number => set.mock.calls.findIndex(([, delay]) => delay === 5_000);
    while (look() < 0) await sleep(20);
    const timer = set.mock.results[look()]!.value;
    vi.advanceTimersByTime(120_000);
    expect(clear).not.toHaveBeenCalledWith(timer);
    vi.advanceTimersByTime(10_000);
    expect(clear).toHaveBeenCalledWith(timer);
    expect((await run).code).toBe(0);
  });

  it('counts from the last question of a page', async () => {
    const { server, port, bearer } = await serve();
    await sleep(60);
    expect(server.idle).toBeGreaterThanOrEqual(50);
    const asked = Date.now();
    await ask(port, 'GET', '/api/open', { bearer });
    expect(server.idle).toBeLessThanOrEqual(Date.now() - asked);
  });
});

describe.skipIf(process.platform !== 'linux')('--open', () => {
  it('hands the address over in a file that only this user can read, and removes it', async () => {
    const repo = shop();
    const bin = repo.path('../bin');
    mkdirSync(bin, { recursive: true });
    const [seen, copy] = [join(bin, 'seen'), join(bin, 'copy')];
    // It stands for the program that opens the user's browser.
    writeFileSync(
      join(bin, 'xdg-open'),
      `#!/bin/sh\ncp "$1" '${copy}'\nprintf '%s %s %s' "$#" "$1" "$(stat -c %a "$1")" > '${seen}.new'\nmv '${seen}.new' '${seen}'\n`,
    );
    chmodSync(join(bin, 'xdg-open'), 0o755);
    const PATH = `${bin}:${process.env.PATH}`;
    const { address, child, said } = await startWatch(repo, { PATH }, '--open');
    await expect.poll(() => existsSync(seen), { timeout: 15_000 }).toBe(true);
    const [count, file, mode] = readFileSync(seen, 'utf8').split(' ');
    expect([count, mode]).toEqual(['1', '600']);
    const page = readFileSync(copy, 'utf8');
    const [, opened] = /url=(http:\/\/127\.0\.0\.1:\d+\/#ticket=[\w-]+)/.exec(page)!;
    expect(new URL(opened!).origin).toBe(new URL(address).origin);
    // Each address is good once: the printed one is still.
    expect(opened).not.toBe(address);
    expect(said()).not.toContain(opened);
    const ticket = opened!.split('=')[1]!;
    const port = Number(new URL(opened!).port);
    expect((await ask(port, 'POST', '/api/enter', { body: { ticket } })).status).toBe(200);
    child.kill('SIGINT');
    await expect.poll(() => child.exitCode, { timeout: 15_000 }).toBe(0);
    expect(existsSync(dirname(file!))).toBe(false);
  });
});

describe.skipIf(CHROMIUM === undefined)(`on the page${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const look = looking();

  it('what a person wrote into it is named when a hunk is rejected, and goes together with it when they say so', async () => {
    const repo = shop();
    await vedit(repo, 'replace', 'a.txt', 'two\nthree\n', '2\n3\n', '--agent', 'fixer', '-m', 'digits');
    repo.write('a.txt', repo.read('a.txt').replace('3\n', '3 says Ada\n'));
    const { page } = await look((await startWatch(repo)).address);
    await page.locator('.row').first().waitFor();
    await page.locator('#tab-review').click();
    await expect.poll(() => page.locator('.review-hunk').count(), { timeout: 15_000 }).toBe(1);
    expect(await textOf(page, '.review-hunk')).toContain('with text of a person');
    await page.keyboard.press('r');
    await page.locator('#ask-text').fill('words');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => textOf(page, '#answer-text'), { timeout: 15_000 }).toMatch(/^CONFLICT/);
    expect(repo.read('a.txt')).toContain('3 says Ada\n');
    await page.getByRole('button', { name: 'Reject them together' }).click();
    await expect.poll(() => repo.read('a.txt'), { timeout: 15_000 }).toBe('one\ntwo\nthree\nfour\nfive\n');
    await expect.poll(() => page.locator('.review-hunk').count(), { timeout: 15_000 }).toBe(0);
    // Nothing is lost: what the person wrote was recorded first.
    expect(repo.git('log', '-p', 'vedit/main')).toContain('+3 says Ada');
    const [reason] = repo.git('log', '-1', '--format=%b', 'vedit/main').split('\n');
    expect(reason).toBe('words');
  });

  it('a file that was moved is one hunk, and its halves go the same way', async () => {
    const repo = shop();
    const as = ['--agent', 'fixer', '-m', 'a better name'];
    await vedit(repo, 'mv', 'a.txt', 'better.txt', ...as);
    await vedit(repo, 'replace', 'better.txt', 'four', 'vier', ...as);
    const { page } = await look((await startWatch(repo)).address);
    await page.locator('.row').first().waitFor();
    await page.locator('#tab-review').click();
    await expect.poll(() => page.locator('.review-hunk').count(), { timeout: 15_000 }).toBe(1);
    const from = page.locator('.review-hunk', { hasText: 'renamed from a.txt, similarity ' });
    expect(await from.locator('.plus-line .text, .minus-line .text').allInnerTexts()).toEqual([
      'four',
      'vier',
    ]);
    await from.locator('h4').click();
    await page.keyboard.press('r');
    await page.locator('#ask-text').fill('the old name is fine');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => existsSync(repo.path('better.txt')), { timeout: 15_000 }).toBe(false);
    await expect.poll(() => existsSync(repo.path('a.txt')), { timeout: 15_000 }).toBe(true);
    expect(repo.read('a.txt')).toBe('one\ntwo\nthree\nfour\nfive\n');
    await expect.poll(() => page.locator('.review-hunk').count(), { timeout: 15_000 }).toBe(0);
    expect(repo.git('log', '-1', '--format=%s', 'vedit/main')).toBe('reject 2 files (+5 -5)');
    // One decision, and one step back.
    await page.keyboard.press('z');
    await expect.poll(() => existsSync(repo.path('better.txt')), { timeout: 15_000 }).toBe(true);
    await expect.poll(() => existsSync(repo.path('a.txt')), { timeout: 15_000 }).toBe(false);
  });
});
