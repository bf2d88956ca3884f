/**
 * Git's conversion of line ends (gitattributes(5) "text", "eol"; git-config(1) core.autocrlf, core.eol, core.safecrlf;
 * convert.c): what is recorded for the bytes of a file, and what a checkout writes for what is recorded. Pure.
 */

import type { Config } from '../repository/config.ts';
import type { AttributeValues } from './attributes.ts';

/** The change of the line ends of one file; `null` stands for none. */
export interface LineEndRule {
  /** `text=auto` and core.autocrlf: only content that looks like text, and never where CRLF is recorded already. */
  guess: boolean;
  /** The line end that a checkout writes. */
  checkout: 'lf' | 'crlf';
}

export interface LineEndConfig {
  autocrlf: boolean | 'input';
  /** The line end that a checkout writes for `text` where nothing else says so. */
  eol: 'lf' | 'crlf';
  /** core.safecrlf=true: content that would not come back from a checkout as it is must not be recorded. */
  safe: boolean;
}

/** `windows`: where the native line end is CRLF. Throws CORRUPT for values that git does not take. */
export function lineEndConfig(config: Pick<Config, 'get' | 'bool'>, windows: boolean): LineEndConfig {
  const word = (key: string): string | undefined => config.get(key)?.toLowerCase();
  const autocrlf = word('core.autocrlf') === 'input' ? 'input' : config.bool('core.autocrlf', false);
  const named = word('core.eol');
  const crlf = autocrlf === true || (autocrlf === false && (named === 'crlf' || (named !== 'lf' && windows)));
  const safe = word('core.safecrlf') !== 'warn' && config.bool('core.safecrlf', false);
  return { autocrlf, eol: crlf ? 'crlf' : 'lf', safe };
}

/** Finds the rule for a file with these attributes (convert_attrs). */
export function lineEndRule(attributes: AttributeValues, config: LineEndConfig): LineEndRule | null {
  const kind = kindOf(attributes.text) ?? kindOf(attributes.crlf);
  if (kind === 'binary') return null;
  const guess = kind === 'auto';
  const { eol } = attributes;
  if (eol === 'lf' || eol === 'crlf') return { guess, checkout: eol };
  if (kind === 'input') return { guess: false, checkout: 'lf' };
  if (kind !== null) return { guess, checkout: config.eol };
  if (config.autocrlf === false) return null;
  return { guess: true, checkout: config.autocrlf === 'input' ? 'lf' : 'crlf' };
}

type Kind = 'text' | 'binary' | 'input' | 'auto';

/** `crlf` is what the attribute `text` was called once. */
function kindOf(value: AttributeValues[string]): Kind | null {
  if (value === true) return 'text';
  if (value === false) return 'binary';
  return value === 'input' || value === 'auto' ? value : null;
}

/**
 * Returns what git records for these bytes: the same array when that is what they are. `recorded` answers what is
 * recorded at the path now, or `null`; it is asked only where a guess depends on it.
 */
export async function toRecorded(
  rule: LineEndRule | null,
  bytes: Uint8Array,
  recorded: () => Promise<Uint8Array | null>,
): Promise<Uint8Array> {
  if (rule === null) return bytes;
  const stats = gather(bytes);
  if (stats.crlf === 0) return bytes;
  if (rule.guess && (looksBinary(stats) || hasCrlf(await recorded()))) return bytes;
  return withoutCr(bytes, stats.crlf);
}

/** Returns what a checkout writes for the recorded bytes: the same array when that is what they are. */
export function toWorkTree(rule: LineEndRule | null, bytes: Uint8Array): Uint8Array {
  if (rule?.checkout !== 'crlf') return bytes;
  const stats = gather(bytes);
  if (!getsCr(rule, stats)) return bytes;
  return withCr(bytes, stats.lf);
}

/**
 * Returns the line ends of a file that would be others after recording and a checkout, so that core.safecrlf=true
 * refuses the file; `null`: none. `converted`: `toRecorded` changed the bytes. As git, this only sees kinds that vanish
 * altogether.
 */
export function lostLineEnds(
  rule: LineEndRule | null,
  bytes: Uint8Array,
  converted: boolean,
): 'CRLF' | 'LF' | null {
  if (rule === null) return null;
  const old = gather(bytes);
  if (rule.guess && looksBinary(old)) return null;
  const kept = converted ? { ...old, crlf: 0, lf: old.lf + old.crlf } : old;
  const back = getsCr(rule, kept) ? { crlf: kept.crlf + kept.lf, lf: 0 } : kept;
  if (old.crlf > 0 && back.crlf === 0) return 'CRLF';
  return old.lf > 0 && back.lf === 0 ? 'LF' : null;
}

/** Counts of line ends and of bytes that tell text from other content (gather_stats). */
interface Stats {
  crlf: number;
  /** LF without CR before it, CR without LF after it. */
  lf: number;
  cr: number;
  nul: number;
  printable: number;
  nonprintable: number;
}

const [LF, CR, NUL, DEL, SUB] = [10, 13, 0, 127, 26];
/** BS, HT, FF and ESC are in texts. */
const PRINTABLE_CONTROLS: ReadonlySet<number> = new Set([8, 9, 12, 27]);

function gather(bytes: Uint8Array): Stats {
  const stats: Stats = { crlf: 0, lf: 0, cr: 0, nul: 0, printable: 0, nonprintable: 0 };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === CR && bytes[at + 1] === LF) {
      stats.crlf++;
      at++;
    } else if (byte === CR) stats.cr++;
    else if (byte === LF) stats.lf++;
    else if (byte === NUL) stats.nul++;
    else if (byte === DEL || (byte < 32 && !PRINTABLE_CONTROLS.has(byte))) stats.nonprintable++;
    else stats.printable++;
  }
  stats.nonprintable += stats.nul;
  // The end-of-file mark of DOS.
  if (bytes.at(-1) === SUB) stats.nonprintable--;
  return stats;
}

function looksBinary(stats: Stats): boolean {
  return stats.cr > 0 || stats.nul > 0 || Math.floor(stats.printable / 128) < stats.nonprintable;
}

function hasCrlf(bytes: Uint8Array | null): boolean {
  if (!bytes?.includes(CR)) return false;
  const stats = gather(bytes);
  return stats.crlf > 0 && !looksBinary(stats);
}

/** True when a checkout turns LF into CRLF; a guess leaves alone what has a CR already. */
function getsCr(rule: LineEndRule, stats: Stats): boolean {
  if (rule.checkout !== 'crlf' || stats.lf === 0) return false;
  return !rule.guess || !(stats.cr > 0 || stats.crlf > 0 || looksBinary(stats));
}

/** Takes out the CR of each CRLF; a lone CR stays. */
function withoutCr(bytes: Uint8Array, crlf: number): Uint8Array {
  const shorter = new Uint8Array(bytes.length - crlf);
  let to = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === CR && bytes[at + 1] === LF) continue;
    shorter[to++] = bytes[at]!;
  }
  return shorter;
}

/** Puts a CR before each LF that has none. */
function withCr(bytes: Uint8Array, lf: number): Uint8Array {
  const longer = new Uint8Array(bytes.length + lf);
  let to = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF && bytes[at - 1] !== CR) longer[to++] = CR;
    longer[to++] = bytes[at]!;
  }
  return longer;
}
