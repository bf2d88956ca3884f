/** A list of ten thousand entries: what is seen has elements, and everything else is where it would be. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Timeline } from '../../../../../src/queries/timeline.ts';
import { browsing, CHROMIUM, chosen, NO_BROWSER, textOf } from '../../../../helpers/browser.ts';
import { fileOf, timelineOf } from '../../timelines.ts';

const MANY = 10_000;
const DAY = 24 * 3600 * 1000;

/** Of some days and sessions, with and without reasons. */
function long(count = MANY): Timeline {
  const newest = Date.parse('2026-11-20T12:00:00.000Z');
  const entries = Array.from({ length: count }, (_, n) => ({
    commit: n.toString(16).padStart(8, '0').repeat(5),
    time: new Date(newest - n * (DAY / 400)).toISOString(),
    reason: n % 3 === 0 ? '' : `number ${n}`,
    session: `s${n % 4}`,
    agent: `agent ${n % 4}`,
    files: [fileOf({ path: `src/f${n % 50}.txt` })],
  }));
  return timelineOf(entries);
}

interface Row {
  id: string;
  top: number;
  bottom: number;
}

/** The rows that have elements, as the list shows them, and whatever stands between them. */
function drawn(page: Page): Promise<{ rows: Row[]; gaps: number[]; height: number; scrolled: number }> {
  return page.evaluate(() => {
    const list = document.getElementById('list')!;
    const at = list.getBoundingClientRect().top;
    const items = [...list.children].map(one => {
      const { top, bottom } = one.getBoundingClientRect();
      return { id: one.id, row: one.classList.contains('row'), top: top - at, bottom: bottom - at };
    });
    const still = items.filter((_, n) => !list.children[n]!.classList.contains('day'));
    return {
      rows: items.filter(one => one.row),
      gaps: still.slice(1).map((one, n) => Math.round(one.top - still[n]!.bottom)),
      height: list.scrollHeight,
      scrolled: list.scrollTop,
    };
  });
}

const settled = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

const scrollTo = async (page: Page, part: number): Promise<void> => {
  await page.locator('#list').evaluate((list, to) => list.scrollTo(0, to * list.scrollHeight), part);
  await settled(page);
};

describe.skipIf(CHROMIUM === undefined)(`a long list${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const open = browsing();

  it('has elements for what is seen, wherever it is scrolled to, without gaps, and keeps its height', async () => {
    const page = await open(long());
    expect(await textOf(page, '#count')).toBe('10,000 entries');
    const { height } = await drawn(page);
    const seen = new Set<string>();
    for (const part of [0, 0.2, 0.21, 0.5, 0.9, 0.3, 1]) {
      await scrollTo(page, part);
      const { rows, gaps, ...now } = await drawn(page);
      expect(rows.length).toBeLessThan(200);
      expect(Math.abs(now.height - height)).toBeLessThanOrEqual(1);
      const inSight = rows.filter(one => one.bottom > 0 && one.top < 500);
      const numbers = inSight.map(({ id }) => Number(id.slice('entry-'.length)));
      expect(numbers.length).toBeGreaterThan(5);
      expect(numbers).toEqual(numbers.map((_, n) => numbers[0]! + n));
      // A heading of a day stands between some rows.
      expect(gaps.filter(gap => gap !== 0 && (gap < 20 || gap > 40))).toEqual([]);
      const expected = part * (MANY - 1);
      expect(Math.abs(numbers[0]! - expected)).toBeLessThan(MANY / 50);
      for (const { id } of inSight) seen.add(id);
    }
    expect(seen.size).toBeGreaterThan(40);
    expect(await page.locator('.day').first().isVisible()).toBe(true);
  });

  it('is stepped through by keyboard, and says to a screen reader which of how many is chosen', async () => {
    const page = await open(long());
    const active = (): Promise<Array<string | null>> =>
      page.locator('#list').evaluate(list => {
        const row = document.getElementById(list.getAttribute('aria-activedescendant') ?? '');
        const names = ['id', 'role', 'aria-selected', 'aria-posinset', 'aria-setsize'];
        return names.map(name => row?.getAttribute(name) ?? null);
      });
    await page.keyboard.press('End');
    expect(await active()).toEqual(['entry-9999', 'option', 'true', '10000', '10000']);
    expect(await page.locator('.row[aria-selected=true]').isVisible()).toBe(true);
    for (let n = 0; n < 60; n++) await page.keyboard.press('k');
    await settled(page);
    expect(await active()).toEqual(['entry-9939', 'option', 'true', '9940', '10000']);
    const { rows } = await drawn(page);
    const row = rows.find(one => one.id === 'entry-9939')!;
    expect(row.top).toBeGreaterThanOrEqual(0);
    // The chosen row is there for who hears it, also where the list is scrolled away from it.
    await scrollTo(page, 0.1);
    expect(await active()).toEqual(['entry-9939', 'option', 'true', '9940', '10000']);
    await page.keyboard.press('Home');
    await settled(page);
    expect((await drawn(page)).scrolled).toBeLessThan(40);
  });

  it('opens at the edit that the address names, and is narrowed by words that no element holds', async () => {
    const timeline = long();
    const page = await open(timeline, {}, `#${timeline.entries[8765]!.commit.slice(0, 12)}`);
    expect(await page.locator('.row[aria-selected=true]').getAttribute('id')).toBe('entry-8765');
    await settled(page);
    const { rows, scrolled } = await drawn(page);
    expect(scrolled).toBeGreaterThan(1000);
    const row = rows.find(one => one.id === 'entry-8765')!;
    expect(row.top).toBeGreaterThanOrEqual(0);
    expect(await page.locator('.row', { hasText: 'number 4321' }).count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('number 4321');
    expect(await textOf(page, '#count')).toBe('1 of 10,000 entries');
    expect(await chosen(page)).toContain('f21.txt');
    await page.keyboard.press('Escape');
    expect(await textOf(page, '#count')).toBe('10,000 entries');
    await settled(page);
    expect(await page.locator('#entry-4321').isVisible()).toBe(true);
  });

  it('of up to five hundred is whole, so that the browser finds words in it', async () => {
    const page = await open(long(490));
    expect(await page.locator('.row').count()).toBe(490);
    const found = await page.evaluate(() =>
      (globalThis as unknown as { find(text: string): boolean }).find('number 487'),
    );
    expect(found).toBe(true);
  });

  it('is right where everything is larger', async () => {
    const page = await open(long(3000));
    await page.evaluate(() => {
      document.getElementById('list')!.style.setProperty('zoom', '1.5');
    });
    await page.setViewportSize({ width: 1200, height: 700 });
    await settled(page);
    for (const part of [0.3, 0.31, 0.8]) {
      await scrollTo(page, part);
      const { rows, gaps } = await drawn(page);
      expect(gaps.filter(gap => gap < 0)).toEqual([]);
      const numbers = rows
        .filter(one => one.bottom > 0 && one.top < 450)
        .map(({ id }) => Number(id.slice('entry-'.length)));
      expect(numbers.length).toBeGreaterThan(3);
      expect(Math.abs(numbers[0]! - part * 3000)).toBeLessThan(60);
    }
  });
});
