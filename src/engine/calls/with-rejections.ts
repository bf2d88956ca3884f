/** Rejections of people in what a call answers; apart from the calls, for tools that make none themselves. */

import type { Told } from '../rejections/notices.ts';

/** Adds what people rejected to an answer or a refusal. */
export function withRejections<P extends { message: string; data: unknown }>(part: P, told: Told | null): P {
  if (!told) return part;
  const data = { ...(part.data as object), rejections: told.rejections };
  return { ...part, message: `${part.message}\n${told.message}`, data };
}
