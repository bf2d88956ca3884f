/** Parses JSON; `undefined` for a text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a JSON object; `undefined` for a text that is none. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  return objectOf(parseJson(text));
}

/** Returns a value as an object; `undefined` for anything else. */
export function objectOf(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}
