/** Texts for people where only plain text can be: hidden characters named, times, counts. */

/**
 * Control characters but tab, zero-width and directional ones, line and paragraph separators, tag characters: what
 * a reviewer could overlook, or be misled by. Joiners have their place inside words that are not of ASCII letters.
 */
export const HIDDEN: RegExp =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]|(?<=^|[\0-\x7f])[\u200c\u200d]|[\u200c\u200d](?=$|[\0-\x7f])/gu;

const NAMES: Readonly<Record<string, string>> = { '\r': 'CR', '\u001b': 'ESC', '\ufeff': 'BOM' };

/** Characters of a path in a list to choose from. */
const LONGEST_PATH = 36;

/** `brief` is without the year. */
export type TimeFormat = 'day' | 'clock' | 'brief' | 'moment';

const HOUR = { hour: '2-digit', minute: '2-digit' } as const;

const FORMATS: Readonly<Record<TimeFormat, Intl.DateTimeFormat>> = {
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
  clock: new Intl.DateTimeFormat(undefined, HOUR),
  brief: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', ...HOUR }),
  moment: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
};

/** Returns a text in which each hidden character is its name. */
export function plain(text: string): string {
  return text.replace(HIDDEN, nameOf);
}

/** Names a hidden character: `U+200B`. */
export function nameOf(character: string): string {
  const number = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return NAMES[character] ?? `U+${number}`;
}

/** Returns a path as plain text: of a long one, the end. */
export function shortPath(path: string): string {
  const text = plain(path);
  const characters = [...text];
  return characters.length <= LONGEST_PATH ? text : `…${characters.slice(1 - LONGEST_PATH).join('')}`;
}

export function firstLine(text: string): string {
  return text.split('\n')[0]!;
}

const NUMBER = new Intl.NumberFormat();

export function number(value: number): string {
  return NUMBER.format(value);
}

/** Words a number of things: `1 edit`, `12 edits`. */
export function count(value: number, one: string, many: string = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

export function timeWords(time: string, format: TimeFormat): string {
  return FORMATS[format].format(new Date(time));
}
