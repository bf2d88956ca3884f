/** Keeps choices in the browser. One that keeps nothing, as of a file or a frame, has them for now. */

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It is not kept.
  }
}
