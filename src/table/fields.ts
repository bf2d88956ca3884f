/** Fields that several commands have. */

import { type Field, may, must } from './command.ts';

const PATH = ['file_path', 'filePath', 'file'] as const;

/** Chooses edits by a file or folder of theirs. */
export const onlyOf = (about: string, more?: { flag?: string; arg?: string }): Field<'path'> =>
  may('path', about, { aliases: PATH, ...more });

export const file = (about: string): Field<'path'> & { required: true } =>
  must('path', about, { aliases: PATH });

export const lines: Field<'lines'> = may('lines', 'First and last line, from 1; -1 as last is the end.', {
  aliases: ['range', 'lines'],
});

/** The fields that choose what undo and redo are about. */
export const whichEdits: {
  count: Field<'count'>;
  scope: Field<'text'> & { of: readonly ['session', 'trail'] };
} = {
  count: may('count', 'How many edits; default 1.', { aliases: ['n', 'steps'] }),
  scope: may('text', 'Your own edits (default), or anybody’s on the trail.', { of: ['session', 'trail'] }),
};

/** The fields that name what a way back was decided on. */
export const stillSo: Readonly<Record<'base' | 'version', Field<'text'>>> = {
  base: may(
    'text',
    'The newest commit when you decided this. Refused as STALE if what it would do changed since.',
  ),
  version: may(
    'text',
    'The version of the file when you decided this. Refused as STALE if it is another now.',
  ),
};

/** A person means the whole history; one who names a session means that session's edits. */
export function scopeOf({ session }: Readonly<Record<string, unknown>>): 'trail' | 'session' {
  return session === undefined ? 'trail' : 'session';
}
