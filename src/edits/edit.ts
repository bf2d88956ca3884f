/** The contract of an edit: it only plans. It reads the texts it named and answers with file changes. */

import type { z } from 'zod';
import type { TextFile } from '../text/document.ts';
import type { Span } from '../text/spans.ts';

/** Modes of a file as git records them: regular, executable. */
export type FileMode = '100644' | '100755';

/** One planned change of one file. Span offsets count UTF-16 units of the file's text before the change. */
export type FileChange =
  | { kind: 'modify'; path: string; spans: Span[]; mode?: FileMode }
  | { kind: 'create'; path: string; text: string; mode?: FileMode }
  | { kind: 'delete'; path: string }
  | { kind: 'move'; path: string; to: string; spans: Span[] };

/** The files an edit named, by path; `null` where there is no file. */
export type Files = ReadonlyMap<string, TextFile | null>;

export interface Edit<Input = never> {
  /** The word for it everywhere: file name, tool, trailer `Vedit-Op`. */
  name: string;
  /** What the model reads. */
  description: string;
  /** A flat object schema of the edit's own fields. */
  input: z.ZodObject;
  /** Other names that models send for a field, by the schema's name: `{ old_str: ['old_string'] }`. */
  aliases: Readonly<Record<string, readonly string[]>>;
  /** An input that works, for descriptions and help. */
  example: Record<string, unknown>;
  /** True when the input holds line numbers: they are a claim about a version of the file. */
  addressesLines: boolean;
  /** The paths whose files plan needs to see. */
  paths(input: Input): string[];
  /** Pure. Throws EditError when the edit cannot be done exactly. */
  plan(input: Input, files: Files): FileChange[];
}

/** Keeps the input type of the schema inside one edit's file, and lets the list hold edits of any input. */
export function defineEdit<Schema extends z.ZodObject>(
  edit: Omit<Edit<z.infer<Schema>>, 'input'> & { input: Schema },
): Edit {
  return edit as unknown as Edit;
}
