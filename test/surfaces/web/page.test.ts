import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCRIPT } from '../../../src/surfaces/web/built.ts';
import { livePage, PAGE_START, savedPage, scriptJson } from '../../../src/surfaces/web/page.ts';
import { answersOf } from '../../helpers/browser.ts';
import { timelineOf } from './timelines.ts';

describe('the data in the page', () => {
  it('is the value again, and holds no character that ends or begins markup or hides', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '</script>',
        '<!--',
        '<script',
        ']]>',
        '&lt;',
        '\u2028',
        '\u202e',
        '\u001b[31m',
        '\0',
        '\ud800',
      ),
    );
    const text = fc.array(piece, { maxLength: 4 }).map(pieces => pieces.join(''));
    fc.assert(
      fc.property(fc.jsonValue(), text, text, (value, key, other) => {
        const whole = { value, [`k${key}`]: other };
        const json = scriptJson(whole);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(whole)));
        expect(json).not.toMatch(
          /[<>&\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/,
        );
      }),
    );
  });
});

describe('the page', () => {
  it('names in its policy the hash of its one script and its one style', async () => {
    const page = savedPage(answersOf(timelineOf([])));
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)![1]!;
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const inside = (tag: string): string[] =>
      [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, text]) => text!);
    expect(inside('script')).toHaveLength(1);
    expect(policy).toContain(`script-src ${hash(inside('script')[0]!)};`);
    expect(policy).toContain(`style-src ${hash(inside('style')[0]!)};`);
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).toContain("require-trusted-types-for 'script'");
  });

  it('of a server has its policy in a header, and no data', async () => {
    const { page, policy } = await livePage({ readOnly: false });
    const hash = (tag: string): string =>
      createHash('sha256')
        .update(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)![1]!)
        .digest('base64');
    expect(policy).toContain(`script-src 'sha256-${hash('script')}'; style-src 'sha256-${hash('style')}'`);
    expect(policy).toMatch(/; connect-src 'self'; frame-ancestors 'none'$/);
    expect(policy).toContain("trusted-types 'none'");
    expect(page).not.toContain('application/json" id="answers"');
  });

  it('begins so that it can be told from other files, and loads nothing', async () => {
    const page = savedPage(answersOf(timelineOf([])));
    expect(page.startsWith(PAGE_START)).toBe(true);
    expect(page).not.toMatch(/https?:(?!\/\/www\.w3\.org\/\d{4}\/)/);
    expect(page.replace(SCRIPT.text, '')).not.toMatch(/@import|url\(/);
    expect(SCRIPT.text).not.toMatch(/<\/script|<!--/i);
  });
});
