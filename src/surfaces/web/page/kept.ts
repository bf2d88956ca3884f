/** What the browser keeps for this page. One that keeps nothing, as of a file or a frame, has it for now. */

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
