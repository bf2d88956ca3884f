/** What a refusal says of a difference is so: of a text or a hunk with one mistake, in each form that an edit is sent in. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditError } from '../../../src/errors.ts';
import { applied } from '../../helpers/patch-files.ts';

const LINES = [
  'const a = 1;',
  'const b = 2;',
  '',
  'export async function load(path, { deep = false } = {}) {',
  "  if (!path) throw new Error('no path');",
  '  const found = await read(path);  ',
  '  return deep ? found.map(one => load(one.path)) : [found];',
  '}',
  '',
  '/** Saves it – with care. */',
  'export function save(path, text) {',
  '\tconst old = cache.get(path) ?? "";',
  '\tif (old === text) return;',
  '\t ',
  '  write(path, `text\\n`, { mode: 0o644, flag: "w" });',
  '  log("saved", path, text.length);',
  '}',
  `const table = [${Array.from({ length: 60 }, (_, i) => `"entry-${i}"`).join(', ')}];`,
];

/** One mistake in the units of a text, at a place and with a unit that are drawn. */
type Mistake = (text: string, at: number, unit: string) => string;

const MISTAKES: Readonly<Record<string, Mistake>> = {
  'a unit dropped': (text, at) => text.slice(0, at) + text.slice(at + 1),
  'a mark dropped': (text, at) => {
    const mark = text.slice(at).search(/[^\w\s]/);
    return mark < 0 ? text : text.slice(0, at + mark) + text.slice(at + mark + 1);
  },
  'a unit put in': (text, at, unit) => text.slice(0, at) + unit + text.slice(at),
  'a unit changed': (text, at, unit) => text.slice(0, at) + unit + text.slice(at + 1),
  'two units in the other order': (text, at) =>
    text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2),
  'letters of the other case': (text, at) =>
    text.slice(0, at) + text.slice(at, at + 3).toUpperCase() + text.slice(at + 3),
  'the end of a line dropped': (text, at) => text.slice(0, at) + text.slice(at).replace(/^.*/, ''),
  'the rest dropped': (text, at) => text.slice(0, Math.max(1, at)),
  'the beginning dropped': (text, at) => text.slice(at),
  'blanks at the ends of lines': text => text.replaceAll('\n', ' \n'),
  'tabs and spaces in the other order': text => text.replace(/^\t /gm, ' \t'),
};

const UNITS = [...'aZ1;,(\'" \t\n=`“–', '\u00a0', '\u2003'];

const marked = (mark: string, text: string): string[] => text.split('\n').map(line => mark + line);

/** By edit, how the old text and a new one are sent. */
const FORMS: Readonly<Record<string, (old: string) => object>> = {
  str_replace: old => ({ path: 'f.txt', old_str: old, new_str: 'something else' }),
  apply_patch: old => ({
    patch: [
      '*** Begin Patch',
      '*** Update File: f.txt',
      '@@',
      ...marked('-', old),
      '+something else',
      '*** End Patch',
    ].join('\n'),
  }),
  context_patch: old => ({
    path: 'f.txt',
    patch_text: ['@@', ...marked('-', old), '+something else'].join('\n'),
  }),
  'apply_patch, by an anchor': old => ({
    patch: [
      '*** Begin Patch',
      '*** Update File: f.txt',
      `@@ ${old.split('\n')[0]}`,
      '+something else',
      '*** End Patch',
    ].join('\n'),
  }),
  unified_diff: old => {
    const lines = marked('-', old);
    return {
      patch: [
        '--- a/f.txt',
        '+++ b/f.txt',
        `@@ -1,${lines.length} +1,1 @@`,
        ...lines,
        '+something else',
        '',
      ].join('\n'),
    };
  },
  search_replace: old => ({
    path: 'f.txt',
    blocks: `<<<<<<< SEARCH\n${old}\n=======\nsomething else\n>>>>>>> REPLACE\n`,
  }),
};

/** Two sides of a difference, as messages word it. */
const PAIRS = [
  /(?:has|is) (`.*?`|[^`]*?) where .*? has (`.*?`|[^`]*?)(?=[.;]|$)/g,
  /with (?<file>[^`]*?) in the file, with (?<given>[^`]*?) in /g,
  /holds (?<file>[^`]*?) in the file, (?<given>[^`]*?) in /g,
  /the file has (`.*?`|[^`]*?), \S+ has (`.*?`)/g,
  /the file writes (.*?), .*? (\S+ \(U\+.*?\))/g,
];

function refusal(form: string, old: string): EditError | null {
  try {
    applied(form.split(',')[0]!, FORMS[form]!(old), { 'f.txt': `${LINES.join('\n')}\n` });
    return null;
  } catch (error) {
    if (error instanceof EditError) return error;
    throw error;
  }
}

/** What is wrong with the words in which a difference is told. */
function faults(message: string, old: string): string[] {
  const [head = ''] = message.split('\n```');
  const same = PAIRS.flatMap(pattern => [...head.matchAll(pattern)]).filter(
    ([, file, given]) => file === given,
  );
  const part = /line (\d+) has `(.*?)` where .*? has `(.*?)`(?=[.;]|$)/.exec(head);
  const untrue =
    part &&
    !part[0].includes('…') &&
    !(LINES[Number(part[1]) - 1]!.includes(part[2]!) && old.includes(part[3]!));
  return [
    ...same.map(([words]) => `says of the same that it differs: ${words}`),
    ...(untrue ? [`says what is not there: ${part[0]}`] : []),
    ...(/(?:in this|First difference|lines? [\d-]+): *\.(?:\n|$)/.test(head)
      ? [`names no difference: ${head}`]
      : []),
  ];
}

describe('what a message says differs, differs', () => {
  const drawn = fc.record({
    from: fc.nat(LINES.length - 1),
    size: fc.integer({ min: 1, max: 4 }),
    mistake: fc.constantFrom(...Object.keys(MISTAKES)),
    at: fc.nat(200),
    unit: fc.constantFrom(...UNITS),
  });

  it.each(Object.keys(FORMS))('%s', form => {
    fc.assert(
      fc.property(drawn, ({ from, size, mistake, at, unit }) => {
        const meant = LINES.slice(from, from + size).join('\n');
        const old = MISTAKES[mistake]!(meant, at % (meant.length || 1), unit);
        fc.pre(old.trim() !== '');
        const error = refusal(form, old);
        if (error !== null) expect(faults(error.message, old)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
