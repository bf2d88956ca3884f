/** Limits the answer of a tool call: an agent reads it all, so what is longer is cut, and the answer says where. */

import type { CutField } from '../errors.ts';

/** UTF-16 characters of the message and of any text in the data, and items of any list in the data. */
export interface AnswerLimits {
  message: number;
  /** The limit of the message of a refusal, which is cut in its middle: its end says what to do next. */
  refusal: number;
  text: number;
  items: number;
  /** Fields of the data to leave out, at any depth. */
  without?: ReadonlySet<string>;
  /** A text that is too long is left out; default: its beginning is kept. */
  wholeTexts?: boolean;
}

export const ANSWER_LIMITS: AnswerLimits = {
  message: 60_000,
  refusal: 20_000,
  text: 1_000_000,
  items: 10_000,
};

interface Sized {
  ok: boolean;
  message: string;
  data: unknown;
}

/**
 * Cuts a result to the limits. A cut message says so where it is cut; fields of the data that were cut are listed in
 * `data.cut_fields`. `ownLimit`: the tool has cut its message itself, where its input says.
 */
export function withinLimits<R extends Sized>(
  result: R,
  ownLimit = false,
  limits: AnswerLimits = ANSWER_LIMITS,
): R {
  const message = ownLimit && result.ok ? result.message : cutMessage(result, limits);
  const data = dataWithin(result.data, limits);
  return message === result.message && data === result.data ? result : { ...result, message, data };
}

/** Cuts data to the limits; `cut_fields` lists what was cut from it, before and now. */
export function dataWithin(data: unknown, limits: AnswerLimits): unknown {
  const { cut_fields: before = [], ...rest } = Object(data) as { cut_fields?: CutField[] };
  const cut: CutField[] = [];
  const kept = cutData(rest, '', cut, limits) as object;
  return cut.length === 0 ? data : { ...kept, cut_fields: [...before, ...cut] };
}

function cutMessage({ ok, message }: Sized, limits: AnswerLimits): string {
  if (!ok) return cutMiddle(message, limits.refusal);
  if (message.length <= limits.message) return message;
  const kept = cutText(message, limits.message);
  return `${kept.trimEnd()}\n[cut: these are ${kept.length} of ${message.length} characters; ask for less, such as one path or a range of lines]`;
}

/** Cuts the middle out of a long refusal. A tenth of what is left is its end. */
function cutMiddle(message: string, limit: number): string {
  if (message.length <= limit) return message;
  const head = cutText(message, limit * 0.9);
  const rest = message.slice(message.length - limit * 0.1);
  const tail = rest.slice(rest.indexOf('\n') + 1).replace(/^[\udc00-\udfff]/, '');
  const left = message.length - head.length - tail.length;
  return `${head.trimEnd()}\n[cut: ${left} characters are left out here]\n${tail}`;
}

/** Keeps whole lines, unless the last of them is most of it. */
function cutText(text: string, limit: number): string {
  const end = text.lastIndexOf('\n', limit - 1) + 1;
  return end > limit / 2 ? text.slice(0, end) : text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}

function cutData(value: unknown, field: string, cut: CutField[], limits: AnswerLimits): unknown {
  if (typeof value === 'string') return cutString(value, field, cut, limits);
  if (Array.isArray(value)) return cutList(value, field, cut, limits);
  if (typeof value !== 'object' || value === null) return value;
  const before = cut.length;
  const entries = Object.entries(value).flatMap(([key, part]) => {
    const name = field === '' ? key : `${field}.${key}`;
    const kept = limits.without?.has(key) ? omitted(part, name, cut) : cutData(part, name, cut, limits);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return cut.length === before ? value : Object.fromEntries(entries);
}

function omitted(value: unknown, field: string, cut: CutField[]): undefined {
  const { length } = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  cut.push({ field, length, kept: 0 });
}

function cutString(text: string, field: string, cut: CutField[], limits: AnswerLimits): string | undefined {
  if (text.length <= limits.text) return text;
  if (limits.wholeTexts) return omitted(text, field, cut);
  const kept = cutText(text, limits.text);
  cut.push({ field, length: text.length, kept: kept.length });
  return kept;
}

function cutList(
  list: readonly unknown[],
  field: string,
  cut: CutField[],
  limits: AnswerLimits,
): readonly unknown[] {
  const { items } = limits;
  const before = cut.length;
  if (list.length > items) cut.push({ field, length: list.length, kept: items });
  const kept = list
    .slice(0, items)
    .map((item, index) => cutData(item, `${field}[${index}]`, cut, limits) ?? null);
  return cut.length === before ? list : kept;
}
