/** A command line that cannot be understood. Nothing was done; the process exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A whole number of at least `min`, from an argument or option called `what`. Throws UsageError. */
export function wholeNumber(what: string, text: string, min: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (number >= min) return number;
  throw new UsageError(`${what} must be a whole number of at least ${min}, not ${JSON.stringify(text)}`);
}
