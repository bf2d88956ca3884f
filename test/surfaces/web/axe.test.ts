/** axe finds nothing in any view: light, dark, in forced colours, and on a narrow screen. */

import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, NO_BROWSER } from '../../helpers/browser.ts';
import { personRepo } from '../../helpers/person-repo.ts';
import { looking, startWatch } from './page/live/watching.ts';

const LOOKS: ReadonlyArray<readonly [name: string, view: object]> = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['forced colours', { forcedColors: 'active' }],
  ['390 pixels', { viewport: { width: 390, height: 844 } }],
];

/** By name, the keys that lead there from the view before. */
const VIEWS: ReadonlyArray<readonly [name: string, keys: readonly string[]]> = [
  ['review', ['1', 'j']],
  ['rejecting', ['r']],
  ['history', ['Escape', '2']],
  ['file', ['3']],
  ['file at its first edit', ['ArrowLeft']],
  ['landing', ['L']],
  ['help', ['Escape', '?']],
  ['no entry that fits', ['Escape', '/', 'q', 'q', 'q']],
];

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'] }),
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

describe.skipIf(CHROMIUM === undefined)(`axe${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const look = looking();

  it.each(LOOKS)('finds nothing in any view, %s', async (_, view) => {
    const repo = personRepo({ 'a.js': 'const one = 1;\nconst two = 2;\n', 'b.txt': 'x\ny\nz\n' });
    repo.git('config', 'user.name', 'Ada');
    repo.git('config', 'user.email', 'ada@example.com');
    const session = (await repo.open()).session({ id: 's1', agent: 'fixer' });
    const replace = (path: string, old_str: string, new_str: string) =>
      session.edit('str_replace', { path, old_str, new_str, reason: `${new_str} is better` });
    await replace('a.js', 'const one = 1', '// first\nconst one = 1.5');
    await replace('b.txt', 'y', 'why');
    await session.undo({ reason: 'it was not' });
    await replace('b.txt', 'z', 'zed');
    const { address } = await startWatch(repo);
    const { page } = await look(address, { bypassCSP: true, ...view }, undefined, true);
    await page.locator('.review-hunk').first().waitFor();
    const found: Array<[string, string[]]> = [];
    for (const [name, keys] of VIEWS) {
      for (const key of keys) await page.keyboard.press(key);
      await page.waitForTimeout(150);
      found.push([name, await faults(page)]);
    }
    expect(found.filter(([, all]) => all.length > 0)).toEqual([]);
  });
});
