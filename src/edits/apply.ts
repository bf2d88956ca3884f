/** The files as they are after planned changes, so that the next edit of a change can be planned on them. */

import { encodeText, type TextFile, textFile } from '../text/document.ts';
import { editedFile } from '../text/edited-file.ts';
import type { Span } from '../text/spans.ts';
import type { FileChange, Files } from './edit.ts';

/**
 * A new map in which every change is done; the one given stays. A text that is not written yet has version ''; a file
 * that was only moved keeps its bytes and version, and is never decoded. The byte order mark of a modified or moved
 * file is kept. Throws RangeError for a change of a file that is not in the map, or spans that do not fit.
 */
export function applyChanges(files: Files, changes: readonly FileChange[]): Files {
  const next = new Map(files);
  for (const change of changes) applyChange(next, change);
  return next;
}

function applyChange(files: Map<string, TextFile | null>, change: FileChange): void {
  if (change.kind === 'create') {
    files.set(change.path, textFile(change.path, encodeText(change.text, false), ''));
    return;
  }
  const file = files.get(change.path);
  if (!file) throw new RangeError(`no file at ${change.path}`);
  if (change.kind !== 'modify') files.set(change.path, null);
  if (change.kind === 'modify') files.set(change.path, edited(file, change.path, change.spans));
  if (change.kind === 'move') files.set(change.to, edited(file, change.to, change.spans));
}

function edited(file: TextFile, path: string, spans: Span[]): TextFile {
  if (spans.length === 0) return textFile(path, file.bytes, file.version);
  return editedFile(file, path, spans);
}
