/** A press acts on what is seen: whatever is pressed, at whatever pace, exactly the hunks are decided that were on the screen. */

import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, NO_BROWSER, textOf } from '../../../../helpers/browser.ts';
import { type Place, personRepo } from '../../../../helpers/person-repo.ts';
import { looking, startWatch, vedit } from './watching.ts';

const FILES = 14;
const SOON = { timeout: 20_000 };

function shop(): Place {
  const lines = (name: string): string =>
    Array.from({ length: 40 }, (_, n) => `${name} line ${n}\n`).join('');
  const files = Array.from({ length: FILES }, (_, n) => [`f${n}.txt`, lines(`f${n}`)] as const);
  const repo = personRepo(Object.fromEntries(files));
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  return repo;
}

/** Two hunks in each file. */
async function agentsWork(repo: Place): Promise<void> {
  const session = (await repo.open()).session({ id: 's1', agent: 'fixer' });
  for (let n = 0; n < FILES; n++)
    for (const at of [3, 30])
      await session.edit('str_replace', {
        path: `f${n}.txt`,
        old_str: `f${n} line ${at}\n`,
        new_str: `f${n} LINE ${at}\n`,
        reason: `f${n} at ${at}`,
      });
}

/**
 * Notes, before the page hears of it, what each press is about: of `y` the hunk that is chosen, where its changed lines are on
 * the screen, of a rejection what its window shows; and what is sent.
 */
async function spy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted: { seen: Array<[act: string, text: string | null]>; sent: unknown[] } = {
      seen: [],
      sent: [],
    };
    Object.assign(globalThis, { noted });
    const linesIn = (element: Element | null): string | null =>
      element && [...element.querySelectorAll('.plus-line .text')].map(one => one.textContent).join('\n');
    const onScreen = (): string | null => {
      const hunk = document.querySelector('.review-hunk.chosen');
      const panel = document.getElementById('panel');
      const rows = hunk?.querySelectorAll('.plus-line, .minus-line') ?? [];
      if (!hunk || !panel || rows.length === 0 || document.querySelector('dialog[open]')) return null;
      const { top, bottom } = panel.getBoundingClientRect();
      const head = panel.querySelector('.file-line')!.getBoundingClientRect().height;
      const isSeen = [...rows].every(row => {
        const box = row.getBoundingClientRect();
        return box.top >= top + head - 5 && box.bottom <= bottom + 5;
      });
      return isSeen ? linesIn(hunk) : null;
    };
    addEventListener(
      'keydown',
      event => {
        const window = document.querySelector('#ask[open]');
        if (event.key === 'y' && !window) noted.seen.push(['accept', onScreen()]);
        if (event.key === 'Enter' && event.ctrlKey && window?.textContent?.startsWith('Reject'))
          noted.seen.push(['reject', linesIn(window.querySelector('.about'))]);
      },
      { capture: true },
    );
    const real = globalThis.fetch;
    globalThis.fetch = (path, init) => {
      if (String(path) === '/api/act') noted.sent.push(JSON.parse(String(init!.body)));
      return real(path, init);
    };
  });
}

interface Noted {
  seen: Array<[string, string | null]>;
  sent: Array<{ act: string; hunks?: Hunk[]; hunk?: Hunk; reason?: string }>;
}
interface Hunk {
  after: { lines: string[] };
}

/** What was decided and sent, as `accept f0 LINE 3`. */
async function decided(page: Page): Promise<{ seen: string[]; sent: string[] }> {
  const { seen, sent } = await page.evaluate(() => (globalThis as unknown as { noted: Noted }).noted);
  const ofSent = ({ act, hunks, hunk }: Noted['sent'][number]): string =>
    `${act} ${(hunks?.[0] ?? hunk)!.after.lines.join('\n')}`;
  return {
    seen: seen.flatMap(([act, text]) => (text === null ? [] : [`${act} ${text}`])),
    sent: sent.filter(({ act }) => act === 'accept' || act === 'reject').map(ofSent),
  };
}

/** The number of open hunks, as the page says it. */
const left = async (page: Page): Promise<number> => Number((await textOf(page, '#count')).split(' ')[0]);

const press = fc.oneof(
  { weight: 5, arbitrary: fc.constant('y') },
  { weight: 3, arbitrary: fc.constant('r') },
  { weight: 4, arbitrary: fc.constantFrom('j', 'k', 'G', 'g', 'N', 'P', 'n') },
  { weight: 3, arbitrary: fc.constantFrom('1', '2', 'wheel', 'Escape', ' ', 'z') },
);
/** More by the variable PRESSES. */
const PRESSES = Number(process.env.PRESSES ?? 60);
const pace = fc.constantFrom(0, 0, 0, 5, 40, 300);

describe.skipIf(CHROMIUM === undefined)(`presses${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const look = looking();

  const begin = async (): Promise<{ page: Page; repo: Place; blank: Page }> => {
    const repo = shop();
    await agentsWork(repo);
    const { address } = await startWatch(repo);
    const { page: blank } = await look(new URL(address).origin);
    const page = await blank.context().newPage();
    await spy(page);
    await page.goto(address);
    await expect.poll(() => left(page), SOON).toBe(2 * FILES);
    await page.locator('.review-hunk.chosen .plus-line').waitFor();
    return { page, repo, blank };
  };

  /** All that was sent is done. */
  const settled = async (page: Page, repo: Place, sent: readonly string[]): Promise<void> => {
    const workspace = await repo.open();
    const open = async (): Promise<number> => (await workspace.review()).data.hunks.length;
    await expect.poll(open, SOON).toBe(2 * FILES - sent.length);
    expect(await page.locator('#answer.refused').count()).toBe(0);
  };

  /** Presses a key; a reason is typed at once, whatever became of the press. */
  const pressed = async (page: Page, key: string): Promise<void> => {
    if (key === 'wheel') {
      await page.mouse.move(800, 400);
      await page.mouse.wheel(0, 900);
    } else await page.keyboard.press(key);
    if (key !== 'r' || (await page.locator('#ask').count()) === 0) return;
    await page.keyboard.type('no, any');
    await page.keyboard.press('Control+Enter');
  };

  it(
    'decide exactly what was on the screen, in any sequence at any pace, beside an agent that edits',
    async () => {
      const { page, repo } = await begin();
      const agent = (await repo.open()).session({ id: 's2', agent: 'writer' });
      const sequence = fc.sample(fc.tuple(press, pace, fc.nat({ max: 39 })), { numRuns: PRESSES, seed: 32 });
      let [isOver, done] = [false, 0];
      /** Goes on in lines that are open to review, and in others. */
      const edits = (async () => {
        for (let n = 0; !isOver; n++) {
          const [, , line] = sequence[n % sequence.length]!;
          const path = `f${n % FILES}.txt`;
          const at = n % 2 === 0 ? [4, 31][n % 3 === 0 ? 0 : 1]! : line + 1;
          const old_str = `${repo.read(path).split('\n')[at - 1]}\n`;
          const input = { path, old_str, new_str: `written ${n}\n` };
          done += await agent.edit('str_replace', input).then(
            () => 1,
            () => 0,
          );
          await sleep(150);
        }
      })();
      for (const [key, wait] of sequence) {
        await pressed(page, key);
        await sleep(wait);
      }
      isOver = true;
      await edits;
      expect(done).toBeGreaterThan(PRESSES / 20);
      const { seen } = await decided(page);
      await expect.poll(async () => (await decided(page)).sent.length, SOON).toBe(seen.length);
      expect((await decided(page)).sent).toEqual(seen);
    },
    60_000 + 2_000 * PRESSES,
  );

  it('ten quick ones make ten decisions', async () => {
    const { page, repo } = await begin();
    await Promise.all(Array.from({ length: 10 }, () => page.keyboard.press('y')));
    const { seen } = await decided(page);
    expect(seen.length).toBeGreaterThan(4);
    await expect.poll(async () => (await decided(page)).sent, SOON).toEqual(seen);
    const { sent } = await decided(page);
    await settled(page, repo, sent);
    expect(await textOf(page, '#progress')).toContain(`${sent.length} of ${2 * FILES}`);
  });

  it('of a after x and x after a are each about their own hunk, and a reason that is put off is kept', async () => {
    const { page, repo } = await begin();
    await page.keyboard.press('y');
    await page.keyboard.press('r');
    await page.keyboard.type('this one stays');
    expect(await textOf(page, '#ask')).toContain('f0 LINE 30');
    // The next key counts: the first hunk after it is chosen, and rejected with its own reason.
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    expect(await textOf(page, '#ask')).toContain('f1 LINE 3');
    expect(await page.locator('#ask-text').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('k');
    await page.keyboard.press('r');
    expect(await page.locator('#ask-text').inputValue()).toBe('this one stays');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(async () => (await decided(page)).sent, SOON)
      .toEqual(['accept f0 LINE 3', 'reject f0 LINE 30']);
    await settled(page, repo, ['', '']);
    expect(repo.git('log', '-1', '--format=%b', 'refs/vedit/main')).toContain('this one stays');
  });

  it('for a hunk that is off the screen only show it, and one whose answer is refused comes back', async () => {
    const { page, repo } = await begin();
    await page.locator('#panel').evaluate(panel => panel.scrollTo(0, panel.scrollHeight));
    await page.keyboard.press('y');
    expect((await decided(page)).sent).toEqual([]);
    await expect.poll(() => page.locator('.review-hunk.chosen').isVisible()).toBe(true);
    await page.keyboard.press('2');
    await page.keyboard.press('1');
    expect((await decided(page)).sent).toEqual([]);
    expect(await page.locator('#tab-review').getAttribute('aria-selected')).toBe('true');
    // The file goes on in the same line: what was read is no more, and the answer says so.
    await page.keyboard.press('r');
    await page.keyboard.type('too loud');
    await vedit(repo, 'replace', 'f0.txt', 'f0 LINE 3\n', 'f0 LINE 3!\n', '--agent', 'writer');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => textOf(page, '#answer-text'), SOON).toMatch(/^CONFLICT/);
    await expect.poll(() => left(page), SOON).toBe(2 * FILES);
  });

  it('count before the history is there, and stay where they are when it comes', async () => {
    const repo = shop();
    await agentsWork(repo);
    const { address } = await startWatch(repo);
    const { page: blank } = await look(new URL(address).origin);
    const page = await blank.context().newPage();
    await spy(page);
    let release = (): void => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    await page.route('**/api/history*', async route => {
      await held;
      await route.continue();
    });
    await page.goto(address);
    await page.locator('.review-hunk.chosen .plus-line').waitFor();
    await page.keyboard.press('y');
    await expect.poll(async () => (await decided(page)).sent, SOON).toEqual(['accept f0 LINE 3']);
    await page.locator('#panel').evaluate(panel => panel.scrollTo(0, 500));
    await sleep(300);
    const hunk = page.locator('.review-hunk[aria-label^="f1.txt"]').last();
    const before = await topOf(hunk);
    release();
    await sleep(300);
    expect(Math.abs((await topOf(hunk)) - before)).toBeLessThan(2);
    expect(await left(page)).toBe(2 * FILES - 1);
    await page.locator('#tab-history').click();
    await expect.poll(() => textOf(page, '#details .reason'), SOON).toBe(`f${FILES - 1} at 30`);
  });

  it('that are answered late move nothing that is read meanwhile', async () => {
    const { page } = await begin();
    let release = (): void => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    await page.route('**/api/act', async route => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('y');
    await page.locator('#panel').evaluate(panel => panel.scrollTo(0, 500));
    await sleep(300);
    const hunk = page.locator('.review-hunk[aria-label^="f1.txt"]').last();
    const before = await topOf(hunk);
    release();
    await expect.poll(() => textOf(page, '#progress'), SOON).toContain(`1 of ${2 * FILES}`);
    expect(Math.abs((await topOf(hunk)) - before)).toBeLessThan(2);
  });

  it('of a mouse meet what is under it, also when a hunk comes above', async () => {
    const { page, repo } = await begin();
    for (const [file, at] of [
      ['f0.txt', 30],
      ['f6.txt', 30],
    ] as const) {
      const hunk = page.locator(`.review-hunk[aria-label*="${file}, line ${at + 1}"]`);
      const button = hunk.locator('.accept');
      while ((await hunk.count()) === 0) {
        await page.locator('#panel').evaluate(panel => panel.scrollBy(0, 300));
        await sleep(100);
      }
      await button.hover();
      const before = await topOf(button);
      const hunks = await left(page);
      await vedit(repo, 'replace', file, `line ${at - 13}\n`, `LINE ${at - 13}\n`, '--agent', 'writer');
      await expect.poll(() => left(page), SOON).toBe(hunks + 1);
      await sleep(200);
      expect(Math.abs((await topOf(button)) - before)).toBeLessThan(2);
      await page.mouse.down();
      await page.mouse.up();
      await expect
        .poll(async () => (await decided(page)).sent.at(-1), SOON)
        .toBe(`accept ${file.slice(0, -4)} LINE ${at}`);
    }
  });

  it('at the end of a review land what was accepted', async () => {
    const { page, repo } = await begin();
    await page.keyboard.press('G');
    await page.locator('.review-hunk.chosen .further summary').click();
    await page.locator('.further button', { hasText: 'all above' }).click();
    await page.locator('.summary .main').click();
    expect(await page.locator('#ask input:checked').inputValue()).toBe('accepted');
    await page.locator('#ask-text').fill('Louder');
    await page.locator('#ask .main').click();
    await expect.poll(() => repo.git('log', '-1', '--format=%s'), SOON).toBe('Louder');
    expect(repo.git('show', 'HEAD:f0.txt')).toContain('f0 LINE 30');
  });
});

const topOf = async (one: Locator): Promise<number> => (await one.boundingBox())!.y;
