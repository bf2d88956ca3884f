/** How much a tool call answers: an agent reads it all, so what is longer is cut, and the answer says where. */

/** UTF-16 characters of the message and of any text in the data, and items of any list in the data. */
export const ANSWER_LIMITS = { message: 60_000, text: 1_000_000, items: 10_000 } as const;

/** A field of the data that was cut: `diff`, `lines`, `entries[3].reason`. */
export interface CutField {
  field: string;
  /** Characters of the text or items of the list, and how many of them are there. */
  length: number;
  kept: number;
}

/**
 * The result within the limits. A cut message says so in its last line; fields of the data that were cut are listed in
 * `data.cut_fields`. `ownLimit`: the tool has cut its message itself, where its input says.
 */
export function withinLimits<R extends { message: string; data: unknown }>(result: R, ownLimit = false): R {
  const message = ownLimit ? result.message : cutMessage(result.message);
  const cut: CutField[] = [];
  const data = cutData(result.data, '', cut);
  if (cut.length === 0) return message === result.message ? result : { ...result, message };
  return { ...result, message, data: { ...(data as object), cut_fields: cut } };
}

function cutMessage(message: string): string {
  if (message.length <= ANSWER_LIMITS.message) return message;
  const kept = cutText(message, ANSWER_LIMITS.message);
  return `${kept.trimEnd()}\n[cut: these are ${kept.length} of ${message.length} characters; ask for less, such as one path or a range of lines]`;
}

/** Whole lines, unless the last of them is most of it. */
function cutText(text: string, limit: number): string {
  const end = text.lastIndexOf('\n', limit - 1) + 1;
  return end > limit / 2 ? text.slice(0, end) : text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}

function cutData(value: unknown, field: string, cut: CutField[]): unknown {
  if (typeof value === 'string') return cutString(value, field, cut);
  if (Array.isArray(value)) return cutList(value, field, cut);
  if (typeof value !== 'object' || value === null) return value;
  const before = cut.length;
  const entries = Object.entries(value).map(([key, part]) => {
    return [key, cutData(part, field === '' ? key : `${field}.${key}`, cut)] as const;
  });
  return cut.length === before ? value : Object.fromEntries(entries);
}

function cutString(text: string, field: string, cut: CutField[]): string {
  if (text.length <= ANSWER_LIMITS.text) return text;
  const kept = cutText(text, ANSWER_LIMITS.text);
  cut.push({ field, length: text.length, kept: kept.length });
  return kept;
}

function cutList(list: readonly unknown[], field: string, cut: CutField[]): readonly unknown[] {
  const { items } = ANSWER_LIMITS;
  const before = cut.length;
  if (list.length > items) cut.push({ field, length: list.length, kept: items });
  const kept = list.slice(0, items).map((item, index) => cutData(item, `${field}[${index}]`, cut));
  return cut.length === before ? list : kept;
}
