/** Random texts in an encoding, edited in every form, against the system's converter. */

import { expect } from 'vitest';
import { applyChanges } from '../../src/edits/edit.ts';
import { parseInput } from '../../src/edits/input.ts';
import { encodeText, type TextFile, textFile, withEncoding } from '../../src/text/document.ts';
import { encodingNamed, textIn, UTF16BE, UTF16LE } from '../../src/text/encodings.ts';
import { type EncodedCase, iconv } from '../helpers/encoded.ts';
import { edit, PATH } from './planning.ts';

/** The change of line `n` (1-based) of a text of `lines` from `old` to `fresh`, in each form. */
const FORMS: Record<string, (n: number, old: string, fresh: string, whole: string) => object> = {
  str_replace: (_, old, fresh) => ({ path: PATH, old_str: old, new_str: fresh }),
  replace_lines: (n, _, fresh) => ({ path: PATH, start_line: n, end_line: n, new_content: `${fresh}\n` }),
  edit_lines: (n, _, fresh) => ({ path: PATH, edits: [{ from: n, to: n, content: `${fresh}\n` }] }),
  create: (_n, _old, _fresh, whole) => ({ path: PATH, file_text: whole, overwrite: true }),
  apply_patch: (_, old, fresh) => ({
    patch: `*** Begin Patch\n*** Update File: ${PATH}\n@@\n-${old}\n+${fresh}\n*** End Patch`,
  }),
  context_patch: (_, old, fresh) => ({ path: PATH, patch_text: `@@\n-${old}\n+${fresh}` }),
  unified_diff: (n, old, fresh) => ({
    patch: `--- a/${PATH}\n+++ b/${PATH}\n@@ -${n} +${n} @@\n-${old}\n+${fresh}\n`,
  }),
  search_replace: (_, old, fresh) => ({
    path: PATH,
    blocks: `<<<<<<< SEARCH\n${old}\n=======\n${fresh}\n>>>>>>> REPLACE\n`,
  }),
};

/** Edits `count` random texts, each in every form, and compares all bytes with those that the system's converter makes. */
export async function checkRandomTexts(
  one: EncodedCase,
  count: number,
  draw: (below: number) => number,
): Promise<void> {
  const marked =
    one.mark && [UTF16LE, UTF16BE].find(({ mark }) => mark!.every((byte, at) => byte === one.mark![at]));
  const encoding = marked ?? (await encodingNamed(one.name))!.encoding;
  const has =
    POOLS.get(one) ??
    CHARACTERS.filter(character => textIn(encoding.encode(character), encoding) === character);
  POOLS.set(one, has);
  const words = (): string => Array.from({ length: draw(9) }, () => has[draw(has.length)]).join('');
  const expected: string[] = [];
  const results: Uint8Array[] = [];
  for (let n = 0; n < count; n++) {
    const lines = Array.from({ length: 1 + draw(6) }, (_, at) => `${at + 1}: ${words()}`);
    const [at, fresh] = [draw(lines.length), `new ${words()}`];
    const before = `${lines.join('\n')}\n`;
    const after = `${lines.with(at, fresh).join('\n')}\n`;
    const bytes = encodeText(before, marked !== undefined, encoding);
    const file = (): TextFile => textFile(PATH, withEncoding(bytes, encoding), 'v');
    expect(file().text).toBe(before);
    for (const [form, input] of Object.entries(FORMS)) {
      results.push(edited(form, file(), input(at + 1, lines[at]!, fresh, after)));
      expected.push(after);
    }
    const input = { path: PATH, insert_line: at, insert_text: `${fresh}\n` };
    results.push(edited('insert', file(), input));
    expected.push(`${lines.toSpliced(at, 0, fresh).join('\n')}\n`);
  }
  const bare = results.map(bytes => bytes.subarray(one.mark?.length ?? 0));
  for (const bytes of results) expect([...bytes.subarray(0, one.mark?.length ?? 0)]).toEqual(one.mark ?? []);
  expect(Buffer.compare(Buffer.concat(bare), iconv(expected.join(''), { iconv: one.iconv }))).toBe(0);
}

function edited(form: string, file: TextFile, input: object): Uint8Array {
  const files = new Map([[PATH, file]]);
  const changes = edit(form).plan(parseInput(edit(form), input) as never, files);
  return applyChanges(files, changes).get(PATH)!.bytes;
}

/** By case, the characters that its encoding has. */
const POOLS = new Map<EncodedCase, readonly string[]>();

/** No line ends, and no control characters: texts are lines of what is left. */
const CHARACTERS = Array.from({ length: 0x20000 }, (_, code) => code)
  .filter(
    code => code >= 32 && code !== 127 && !(code >= 128 && code < 160) && !(code >= 0xd800 && code < 0xe000),
  )
  .filter(code => code !== 0xfeff)
  .map(code => String.fromCodePoint(code));
