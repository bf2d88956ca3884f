/** The records of journals that count, as the engine reads them: Journal.readAll cuts a file off at its seal. */

export interface Seal {
  /** The journal that it ends. */
  journal: string;
  /** Its bytes that count. */
  length: number;
}

/** Picks the records that count, oldest first: those of each journal up to the seal that a later journal carries. */
export function countedRecords<R extends { end: number }>(
  journals: ReadonlyArray<{ name: string; seals: readonly Seal[]; records: readonly R[] }>,
): R[] {
  const lengths = new Map(journals.flatMap(({ seals }) => seals).map(seal => [seal.journal, seal.length]));
  return journals.flatMap(({ name, records }) =>
    records.filter(({ end }) => end <= (lengths.get(name) ?? Number.POSITIVE_INFINITY)),
  );
}
