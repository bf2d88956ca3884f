/**
 * The form of a file: what its bytes have besides what git records of them, in a few characters. `c` says that each line end
 * is CRLF and git recorded LF; `12c3lc` of how many, line by line; `utf-16>:c` in which encoding, and that the order of
 * bytes is big-endian.
 */

import { hasMark, UTF16BE } from '../../text/encodings.ts';
import { ENCODING, fromEncoded, type GitEncoding, gitEncoding, toEncoded } from './git-encoding.ts';

/** The form of a file whose bytes are what is recorded, and one that nobody knows. */
export const SAME = '=';
const UNKNOWN = '?';

/** No trailer holds more; only a file that changes its line ends on thousands of lines has a longer one. */
const LONGEST = 3000;

const [LF, CR] = [10, 13];

/** Says the form of a file of which git records `recorded` by this encoding; `?` for one that cannot be told so. */
export function formOf(exact: Uint8Array, recorded: Uint8Array, gits: GitEncoding | null): string {
  if (exact === recorded) return SAME;
  const plain = fromEncoded(gits, exact);
  const runs = plain && lineEndRuns(plain, recorded);
  if (runs === null) return UNKNOWN;
  const order = hasMark(exact, UTF16BE) ? '>' : '';
  const form = gits?.declared ? `${gits.label}${order}:${runs}` : runs;
  return form === '' || /^l?$/.test(form) ? SAME : form.length > LONGEST ? UNKNOWN : form;
}

/** Returns the bytes of a file that has this form; `null` where nobody knows it. */
export async function inForm(path: string, recorded: Uint8Array, form: string): Promise<Uint8Array | null> {
  const plain = withLineEnds(recorded, form);
  const { label, order } = partsOf(form) ?? {};
  if (plain === null || label === undefined) return plain;
  const gits = await gitEncoding({ [ENCODING]: label });
  return toEncoded(gits, { path, plain, like: order ? UTF16BE.mark : null });
}

/** As `inForm`, with the line ends of the form and not its encoding. */
export function withLineEnds(recorded: Uint8Array, form: string): Uint8Array | null {
  if (form === SAME) return recorded;
  const { runs } = partsOf(form) ?? {};
  return runs === undefined ? null : withRuns(recorded, runs);
}

function partsOf(form: string): Record<string, string | undefined> | undefined {
  return /^(?:(?<label>[\w.-]+)(?<order>>)?:)?(?<runs>(?:\d*[cl])*)$/.exec(form)?.groups;
}

/** The line ends of `plain`, of which git records the other bytes, as runs; the last one is as long as the file. */
function lineEndRuns(plain: Uint8Array, recorded: Uint8Array): string | null {
  const runs: Array<{ end: 'c' | 'l'; count: number }> = [];
  let at = 0;
  for (const byte of recorded) {
    const isDropped = byte === LF && plain[at] === CR && plain[at + 1] === LF;
    if (isDropped) at++;
    if (plain[at++] !== byte) return null;
    if (byte !== LF) continue;
    const end = isDropped ? 'c' : 'l';
    if (runs.at(-1)?.end === end) runs.at(-1)!.count++;
    else runs.push({ end, count: 1 });
  }
  if (at !== plain.length) return null;
  return runs.map(({ end, count }, n) => (n === runs.length - 1 || count === 1 ? '' : count) + end).join('');
}

function withRuns(recorded: Uint8Array, runs: string): Uint8Array {
  const wanted = [...runs.matchAll(/(\d*)([cl])/g)].map(([, count, end]) => ({
    end,
    left: Number(count || 1),
  }));
  const bytes = new Uint8Array(recorded.length + recorded.filter(byte => byte === LF).length);
  let [to, run] = [0, 0];
  for (const byte of recorded) {
    if (byte === LF && wanted.length > 0) {
      while (run < wanted.length - 1 && wanted[run]!.left === 0) run++;
      if (wanted[run]!.end === 'c') bytes[to++] = CR;
      wanted[run]!.left--;
    }
    bytes[to++] = byte;
  }
  return bytes.slice(0, to);
}
