/** A person reviews on the page: what they see is what they answer, and what was answered stays in its place. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, NO_BROWSER, textOf } from '../../../../helpers/browser.ts';
import { type Place, personRepo } from '../../../../helpers/person-repo.ts';
import { looking, openFiles, startWatch, toLog, vedit } from './watching.ts';

const FILES = ['a.ts', 'b.ts', 'c.ts'];
const AT = [5, 40, 70];
const SOON = { timeout: 20_000 };
const lineOf = (path: string, n: number): string => `const ${path[0]}${n} = ${n};\n`;

function shop(more: Record<string, string> = {}): Place {
  const text = (path: string): string => Array.from({ length: 80 }, (_, n) => lineOf(path, n)).join('');
  const repo = personRepo({ ...Object.fromEntries(FILES.map(path => [path, text(path)])), ...more });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  return repo;
}

type Edit = (path: string, n: number, now: string, agent?: string) => Promise<unknown>;

/** Agents at work: three hunks in each file. */
async function edited(repo: Place, files: readonly string[] = FILES): Promise<Edit> {
  const workspace = await repo.open();
  const edit: Edit = async (path, n, now, agent = 'fixer') => {
    const session = workspace.session({ id: `of-${agent}`, agent });
    const old_str = `${repo.read(path).split('\n')[n]}\n`;
    await session.edit('str_replace', { path, old_str, new_str: now, reason: `${agent} on ${n}` });
  };
  for (const path of files) for (const n of AT) await edit(path, n, `let ${path[0]}${n} = 0;\n`);
  return edit;
}

const chosen = (page: Page): Promise<string | null> =>
  page.locator('.review-hunk.chosen').getAttribute('aria-label');

describe.skipIf(CHROMIUM === undefined)(`a review on the page${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const look = looking();
  const open = async (repo: Place): Promise<Page> => {
    const { page } = await look((await startWatch(repo)).address, {}, undefined, true);
    await page.locator('.review-hunk.chosen .plus-line').first().waitFor(SOON);
    return page;
  };

  it('keeps a hunk where it is while an agent goes on in it, and what is typed is a reason', async () => {
    const repo = shop();
    const edit = await edited(repo);
    const page = await open(repo);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const [name, top] = [await chosen(page), (await page.locator('.review-hunk.chosen').boundingBox())!.y];
    await edit('a.ts', 70, 'let a70 = 71;\n');
    await page.getByText('changed while you read').waitFor(SOON);
    expect(await chosen(page)).toBe(name);
    expect((await page.locator('.review-hunk.chosen').boundingBox())!.y).toBeCloseTo(top, 0);
    await page.keyboard.press('r');
    await page.keyboard.type('yes, and no');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => repo.read('a.ts'), SOON).toContain(lineOf('a.ts', 70));
    expect(repo.git('log', '-1', '--format=%b', 'refs/vedit/main')).toContain('yes, and no');
    expect(repo.git('for-each-ref', 'refs/vedit-review')).toBe('');
  });

  it('tells in a window that the hunk is gone, so that no word becomes keys', async () => {
    const repo = shop();
    await edited(repo);
    const page = await open(repo);
    const lines = { start_line: 6, end_line: 6 };
    await (await repo.open()).accept({ path: 'a.ts', lines });
    const refs = repo.git('for-each-ref', 'refs/vedit-review');
    await expect.poll(() => textOf(page, '#count'), SOON).toBe('8 hunks');
    await page.keyboard.press('r');
    await page.keyboard.type('yes');
    expect(await textOf(page, '#ask')).toContain('is there no more');
    await page.keyboard.press('Escape');
    expect(repo.git('for-each-ref', 'refs/vedit-review')).toBe(refs);
    await page.keyboard.press('j');
    expect(await chosen(page)).toBe('a.ts, line 41');
  });

  it('accepts a long hunk once all of it was seen, and shows a long line around what was changed', async () => {
    const long = `${'x'.repeat(9_000)}OLD${'y'.repeat(9_000)}\n`;
    const repo = shop({ 'z.txt': long });
    const session = (await repo.open()).session({ agent: 'writer' });
    const many = Array.from({ length: 90 }, (_, n) => `new ${n} ${'and long '.repeat(400)}\n`).join('');
    await session.edit('create', { path: 'a-new.txt', file_text: many });
    await session.edit('create', { path: 'z.txt', file_text: long.replace('OLD', 'NEW'), overwrite: true });
    const page = await open(repo);
    await page.locator('#act-accept').click();
    expect(await textOf(page, '#count')).toBe('2 hunks');
    await page.keyboard.press('y');
    expect(await textOf(page, '#count')).toBe('2 hunks');
    for (let n = 0; n < 6 && (await textOf(page, '#count')) === '2 hunks'; n++)
      await page.keyboard.press('y');
    expect(await textOf(page, '.answered')).toContain('accepted');
    await expect.poll(() => textOf(page, '.review-hunk.chosen mark'), SOON).toBe('OLD\nNEW');
  });

  it('draws for a key a part of the next hunk, however long that is', async () => {
    const repo = shop();
    const session = (await repo.open()).session({ agent: 'writer' });
    const many = Array.from({ length: 2000 }, (_, n) => `new ${n}\n`).join('');
    for (const path of ['d.txt', 'e.txt', 'f.txt']) await session.edit('create', { path, file_text: many });
    const page = await open(repo);
    await page.evaluate(() => {
      Object.assign(globalThis, { drawn: 0 });
      const count = (nodes: NodeList): number =>
        [...nodes].reduce((sum, one) => sum + 1 + ((one as Element).querySelectorAll?.('*').length ?? 0), 0);
      new MutationObserver(all => {
        for (const { addedNodes } of all)
          (globalThis as unknown as { drawn: number }).drawn += count(addedNodes);
      }).observe(document.body, { childList: true, subtree: true });
    });
    for (const path of ['e.txt', 'f.txt']) {
      await page.keyboard.press('j');
      await expect.poll(() => chosen(page)).toContain(path);
    }
    await page.locator('.review-hunk.chosen .plus-line').first().waitFor(SOON);
    expect(await page.evaluate(() => (globalThis as unknown as { drawn: number }).drawn)).toBeLessThan(
      2 * 900,
    );
    expect(await page.locator('#panel *').count()).toBeLessThan(2_000);
  });

  it('hides changes of white space on request', async () => {
    const repo = shop();
    const edit = await edited(repo, ['a.ts']);
    await edit('b.ts', 5, '  const b5  = 5;\n');
    const page = await open(repo);
    expect(await textOf(page, '#count')).toBe('4 hunks');
    await page.locator('#no-space').check();
    await expect.poll(() => textOf(page, '#count'), SOON).toBe('3 of 4 hunks');
    expect(await openFiles(page)).not.toContain('b.ts');
    await page.locator('#show-all').click();
    await expect.poll(() => textOf(page, '#count'), SOON).toBe('4 hunks');
  });

  it('leaves a line of what was answered, from which it is taken back', async () => {
    const repo = shop();
    await edited(repo);
    const page = await open(repo);
    for (const key of ['y', 'n', 'r']) await page.keyboard.press(key);
    await page.keyboard.type('too low');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.locator('.answered button').count(), SOON).toBe(3);
    expect((await page.locator('.answered').allInnerTexts()).map(one => one.split('\n')[0]!.trim())).toEqual([
      'accepted line 6',
      'left for later line 41',
      'rejected line 71: too low',
    ]);
    expect(await chosen(page)).toBe('b.ts, line 6');
    await page.locator('.answered.reject button').click();
    await expect.poll(() => repo.read('a.ts'), SOON).toContain('let a70 = 0;');
    await page.locator('.answered.leave button').click();
    await page.locator('.answered.accept button').click();
    await expect.poll(() => textOf(page, '#count'), SOON).toBe('9 hunks');
    await expect.poll(() => page.locator('.answered').count(), SOON).toBe(0);
  });

  it('goes by files: folded, viewed, next, and by an address that survives a reload', async () => {
    const repo = shop();
    await edited(repo);
    const page = await open(repo);
    expect(await page.title()).toMatch(/^\(9\) /);
    await page.getByLabel('viewed').first().check();
    expect(await textOf(page, '#review-files')).toContain('viewed');
    await page.keyboard.press('N');
    await page.keyboard.press('N');
    await page.keyboard.press('j');
    await expect.poll(() => new URL(page.url()).hash, SOON).toBe('#review/c.ts:41');
    await page.reload();
    await page.locator('.review-hunk.chosen .plus-line').first().waitFor(SOON);
    await expect.poll(() => chosen(page), SOON).toBe('c.ts, line 41');
    await page.keyboard.press('P');
    expect(await chosen(page)).toBe('b.ts, line 6');
    await page.keyboard.press('d');
    await expect.poll(() => chosen(page)).toBe('c.ts, line 6');
    await page.keyboard.press('a');
    await expect.poll(() => textOf(page, '#count'), SOON).toBe('6 hunks');
    const workspace = await repo.open();
    const left = async (): Promise<string[]> => (await workspace.review()).data.hunks.map(({ path }) => path);
    await expect.poll(left, SOON).toEqual(['a.ts', 'a.ts', 'a.ts', 'b.ts', 'b.ts', 'b.ts']);
  });

  it('accepts and rejects single lines, and says something of them to the agent, who replies', async () => {
    const repo = shop();
    const workspace = await repo.open();
    const agent = workspace.session({ id: 's1', agent: 'fixer' });
    const [old_str, added] = [lineOf('a.ts', 9), 'one();\ntwo();\nthree();\n'];
    await agent.edit('str_replace', {
      path: 'a.ts',
      old_str,
      new_str: `${old_str}${added}`,
      reason: 'calls',
    });
    const page = await open(repo);
    const number = (text: string) => page.locator('.plus-line', { hasText: text }).locator('.number').nth(1);
    await page.getByRole('button', { name: 'lines below' }).click();
    await expect.poll(() => page.locator('.review-hunk .line').count(), SOON).toBe(3 + 6 + 20);
    await number('two').click();
    await page.keyboard.press('c');
    await page.keyboard.type('why twice?');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => textOf(page, '.comments'), SOON).toContain('why twice?');
    const [comment] = (await workspace.review()).data.hunks[0]!.comments;
    expect(comment).toMatchObject({ lines: { start_line: 12, end_line: 12 } });
    await agent.reply(comment!.commit, 'one of them goes');
    await expect.poll(() => textOf(page, '.comments .reply'), SOON).toContain('one of them goes');
    await number('two').click();
    await page.keyboard.press('r');
    await page.keyboard.type('once');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => repo.read('a.ts'), SOON).not.toContain('two()');
    await expect.poll(() => page.locator('.plus-line').count(), SOON).toBe(2);
    await number('three').click();
    await page.keyboard.press('y');
    await expect.poll(() => page.locator('.plus-line .text').allInnerTexts(), SOON).toEqual(['one();']);
    expect(repo.read('a.ts')).toContain('one();\nthree();\n');
  });

  it('lands what was accepted, unless more is asked for, and says what it is', async () => {
    const repo = shop();
    await edited(repo);
    const page = await open(repo);
    await page.keyboard.press('y');
    await page.keyboard.press('L');
    await expect.poll(() => textOf(page, '#ask-count'), SOON).toBe('1 file, 1 edit');
    expect(await page.locator('#ask-text').inputValue()).toBe('fixer on 5');
    expect(await textOf(page, '#ask .preview')).toContain('a.ts');
    expect(await textOf(page, '#ask')).toContain('with 8 hunks that nobody accepted');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => repo.git('log', '-1', '--format=%s'), SOON).toBe('fixer on 5');
    expect(repo.git('show', 'HEAD:a.ts')).toContain(lineOf('a.ts', 40).trim());
    await expect
      .poll(() => textOf(page, '#answer'), SOON)
      .toContain('the rest stays in the files: a.ts, b.ts, c.ts.');
  });

  it('takes a landing back while it is the newest commit and no remote has it', async () => {
    const repo = shop();
    await edited(repo, ['a.ts']);
    repo.write('mine.txt', 'staged\n');
    repo.git('add', 'mine.txt');
    const page = await open(repo);
    const land = async (): Promise<string> => {
      const before = repo.git('rev-parse', 'HEAD');
      await page.keyboard.press('L');
      await page.locator('#ask input[value=all]').check();
      await page.locator('#ask-count').waitFor(SOON);
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => repo.git('log', '-1', '--format=%P'), SOON).toBe(before);
      return before;
    };
    const [text, before] = [repo.read('a.ts'), await land()];
    await page.locator('#answer').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => textOf(page, '#answer-text'), SOON).toContain('was taken back');
    expect(repo.git('rev-parse', 'HEAD')).toBe(before);
    expect(
      repo
        .git('status', '--porcelain')
        .split('\n')
        .map(one => one.trim()),
    ).toEqual(['M a.ts', 'A  mine.txt']);
    expect(repo.read('a.ts')).toBe(text);
    await expect.poll(() => textOf(page, '#count'), SOON).toBe('3 hunks');
    await land();
    const landed = repo.git('rev-parse', 'HEAD');
    repo.git('update-ref', 'refs/remotes/origin/main', landed);
    await page.locator('#answer').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => textOf(page, '#answer-text'), SOON).toMatch(/on a remote already.*git revert/);
    expect(repo.git('rev-parse', 'HEAD')).toBe(landed);
  });

  it('shows pictures side by side, and cells of a notebook as their text', async () => {
    const picture = (color: number): Buffer =>
      Buffer.from(`R0lGODlhAQABAIAAA${color}AAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7`, 'base64');
    const notebook = (line: string): string =>
      `${JSON.stringify({ cells: [{ cell_type: 'code', source: [`${line}\n`, 'print(a)'] }] }, null, 1)}\n`;
    const repo = shop({ 'n.ipynb': notebook('a = "1"') });
    repo.write('p.gif', picture(0));
    repo.write('new.gif', picture(1));
    repo.git('add', '.');
    repo.git('commit', '-qm', 'pictures');
    const session = (await repo.open()).session({ agent: 'fixer' });
    const overwrite = { path: 'n.ipynb', file_text: notebook('a = "2"'), overwrite: true };
    await session.edit('create', overwrite);
    await vedit(repo, 'run', '--agent', 'painter', '--', 'cp', 'new.gif', 'p.gif');
    const page = await open(repo);
    expect(await page.locator('.plus-line .text').allInnerTexts()).toEqual(['a = "2"']);
    await page.keyboard.press('j');
    const wide = (): Promise<number[]> =>
      page
        .locator('.pictures img')
        .evaluateAll(all => all.map(one => (one as HTMLImageElement).naturalWidth));
    await expect.poll(wide, SOON).toEqual([1, 1]);
    const sources = await page
      .locator('.pictures img')
      .evaluateAll(all => all.map(one => one.getAttribute('src')!));
    expect(sources.map(one => one.slice(0, 22))).toEqual([
      'data:image/gif;base64,',
      'data:image/gif;base64,',
    ]);
    expect(sources[0]).not.toBe(sources[1]);
    await page.keyboard.press('y');
    await expect.poll(() => textOf(page, '.answered'), SOON).toContain('accepted');
  });

  it('keeps the header low and the focus on the chosen hunk, which is said aloud', async () => {
    const repo = shop();
    const edit = await edited(repo);
    const page = await open(repo);
    for (const [n, agent] of ['ann', 'ben', 'cem', 'dan', 'eve', 'fay'].entries())
      await edit('c.ts', 10 + 2 * n, `let many = ${n};\n`, agent);
    await expect.poll(() => textOf(page, '.more-workers'), SOON).toBe('+3');
    expect((await page.locator('header').boundingBox())!.height).toBeLessThan(60);
    await page.keyboard.press('j');
    const focus = (): Promise<string> =>
      page.evaluate(() => `${document.activeElement?.id} ${document.activeElement?.ariaLabel}`);
    await expect.poll(focus).toContain('a.ts, line 41');
    await expect
      .poll(() => page.locator('#announce-hunk').textContent())
      .toMatch(/^Hunk 2 of .*a\.ts, line 41/);
    await page.locator('#act-accept').focus();
    await page.keyboard.press('Enter');
    await expect.poll(focus).toContain('act-accept');
    expect(await chosen(page)).toBe('a.ts, line 71');
    expect(await openFiles(page)).toContain('a.ts');
  });

  it('does not tell a person that their own commit came from outside', async () => {
    const repo = shop();
    await edited(repo, ['a.ts']);
    const workspace = await repo.open();
    await workspace.land({ message: 'Mine' });
    repo.write('b.ts', repo.read('b.ts').replace('const b1 ', 'let b1 '));
    repo.git('commit', '-qam', 'By hand');
    await workspace.session({ agent: 'fixer' }).edit('create', { path: 'd.ts', file_text: 'd\n' });
    const page = await open(repo);
    await toLog(page);
    await page.locator('.row').first().waitFor();
    const names = await page.locator('.row .who .name').allInnerTexts();
    expect(new Set(names)).toEqual(new Set(['fixer', 'Ada']));
  });
});
