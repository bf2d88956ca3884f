/** Where a hunk is, in words. It loads nothing: the command line has it without the engine. */

/** The fields of a hunk that say where it is. */
interface Placed {
  kind: 'lines' | keyof typeof WHOLE;
  lines: { start_line: number; end_line: number };
  renamed?: { path: string; similarity: number };
}

/**
 * `lines 40-44`, `line 7`, `before line 12`; of a whole file, what became of it, as `renamed from src/a.ts, similarity 96%`.
 * `named`: the path of another file as it is shown.
 */
export function placeWords(
  { kind, lines, renamed }: Placed,
  named: (path: string) => string = path => path,
): string {
  if (renamed) {
    const { path, similarity } = renamed;
    return `renamed ${kind === 'create' ? 'from' : 'to'} ${named(path)}, similarity ${similarity}%`;
  }
  if (kind !== 'lines') return WHOLE[kind];
  const { start_line: start, end_line: end } = lines;
  if (end < start) return `before line ${start}`;
  return start === end ? `line ${start}` : `lines ${start}-${end}`;
}

const WHOLE = { create: 'new file', delete: 'deleted file', mode: 'mode', binary: 'not text' } as const;
