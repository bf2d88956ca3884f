/** Texts of a repository that try to become something else than text. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TimelineEntry } from '../../../src/queries/timeline.ts';
import { browsing, CHROMIUM, codeOf, NO_BROWSER } from '../../helpers/browser.ts';
import { fileOf, timelineOf } from './timelines.ts';

const HOSTILE = [
  '</script><script>globalThis.hit = 1</script>',
  '<!--<script>',
  '<img src=x onerror="globalThis.hit = 1">',
  '"><svg onload=globalThis.hit=1>',
  "' onmouseover='globalThis.hit = 1",
  'javascript:globalThis.hit=1',
  '</title></style></textarea></select><iframe srcdoc="<script>parent.hit=1</script>">',
  '<base href="https://example.invalid/"><link rel=stylesheet href=//example.invalid/x.css>',
  '<meta http-equiv=refresh content="0;url=https://example.invalid/">',
  '&lt;b&gt;&#60;script&#62;',
  '`$' + '{globalThis.hit = 1}',
  '__proto__',
  'constructor',
  '\u2028\u2029\u0000\u001b]0;title\u0007\u202e\ud800',
] as const;

/** An entry that has the text wherever a text can be. */
function entryWith(text: string): Partial<TimelineEntry> {
  const lines = text.split('\n').length;
  const diff = `diff --git a/${text} b/${text}\n--- a/${text}\n+++ b/${text}\n@@ -0,0 +1,${lines} @@ ${text}\n+${text}\n`;
  const file = fileOf({ path: text, from: `from ${text}`, kind: 'move', diff });
  return {
    subject: text,
    reason: text,
    op: text,
    author: text,
    agent: text,
    session: text,
    model: text,
    base: text,
    edit_id: text,
    undoes: [text],
    restores: text,
    files: [file],
  };
}

describe.skipIf(CHROMIUM === undefined)(`hostile texts${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const open = browsing();

  it('stay text, wherever they are', async () => {
    const name = HOSTILE.join(' ');
    const page = await open(timelineOf(HOSTILE.map(entryWith), { name, trail: name }));
    const before = await elements(page);
    for (const [at, text] of HOSTILE.entries()) {
      await page.locator('.row').nth(at).click();
      for (const key of ['3', '2']) {
        await page.keyboard.press(key);
        expect([text, key, await strangers(page), await elements(page)]).toEqual([text, key, [], before]);
      }
      expect(await codeOf(page)).toEqual([visible(text)]);
      // Of an operation that is none of the engine's, the plain verb.
      expect(await page.locator('.row .op').nth(at).textContent()).toBe('edited');
    }
    expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined();
  });

  it('show what hides: control characters, directions, joiners out of place, an invisible message', async () => {
    const secret = [...'hi'].map(letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    const text = `a\u202eb\u200bc\u001b[2Jd\u00ade\u200df${secret} \u0645\u06cc\u200c\u062e \u{1f469}\u200d\u{1f52c}\tg`;
    const page = await open(timelineOf([entryWith(text)]));
    await page.keyboard.press('2');
    expect(await page.locator('#body .line .hidden-character').allInnerTexts()).toEqual([
      'U+202E',
      'U+200B',
      'ESC',
      'U+00AD',
      'U+200D',
      'U+E0068',
      'U+E0069',
    ]);
    expect((await codeOf(page)).join()).toContain('\u0645\u06cc\u200c\u062e \u{1f469}\u200d\u{1f52c}\tg');
  });

  it('would not be parsed as markup nor run, even if the page had a fault', async () => {
    const page = await open(timelineOf([]));
    page.removeAllListeners('console');
    const outcomes = await page.evaluate(() => {
      const script = document.createElement('script');
      const attempts: Array<() => unknown> = [
        () => Object.assign(document.body, { innerHTML: '<b>x</b>' }),
        () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
        () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
        () => document.write('<b>x</b>'),
        () => Object.assign(script, { text: 'globalThis.hit = 1' }),
        () => document.body.setAttribute('onclick', 'globalThis.hit = 1'),
        () => fetch('data:text/plain,x'),
      ];
      const tried = attempts.map(async attempt => attempt());
      return Promise.allSettled(tried).then(all =>
        all.map(one => (one.status === 'rejected' ? one.reason.name : 'done')),
      );
    });
    expect(outcomes).toEqual(outcomes.map(() => 'TypeError'));
    expect(outcomes).toHaveLength(7);
  });
});

/** How many elements of each kind that only the page's frame has there are. */
function elements(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => {
    const count = (tag: string): number => document.querySelectorAll(tag).length;
    return { script: count('script'), style: count('style'), meta: count('meta'), link: count('link') };
  });
}

/** Elements and attributes that the page never makes. */
function strangers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const never = /^(img|iframe|object|embed|base|a|form|textarea|video|audio|foreignobject|b)$/i;
    const isStrange = ({ name, value }: Attr): boolean =>
      /^(on|src|href$)/.test(name) || (name === 'style' && !/^(--[a-z]+: ?[\d.]+;? ?)+$/.test(value));
    return [...document.body.querySelectorAll('*')]
      .filter(element => never.test(element.tagName) || [...element.attributes].some(isStrange))
      .map(element => element.outerHTML.slice(0, 200));
  });
}

/** The text with the marks that stand for hidden characters. */
function visible(text: string): string {
  const names: Record<string, string> = { '\u001b': 'ESC' };
  const code = (one: string): string => `U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u2028-\u202e]/g, one => names[one] ?? code(one));
}
