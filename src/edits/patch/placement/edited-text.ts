/** The text of a file after hunks, with the spans that make it so. */

import type { TextFile } from '../../../text/document.ts';
import { applySpans, type Span } from '../../../text/spans.ts';
import type { Format, Hunk } from '../patch.ts';
import { placementSpans } from './hunk-spans.ts';
import { placementNotes } from './notes.ts';
import { placeHunks } from './place.ts';

export const BOM = '\uFEFF';

export interface EditedText {
  spans: Span[];
  /** The file has a byte order mark, and the hunks take it away. */
  bom: boolean;
  dropsMark: boolean;
  notes: string[];
  /** Made when it is asked for: a file that is only moved may be no text. */
  text(): string;
}

/** Throws what placeHunks throws. */
export function editedText(path: string, file: TextFile, hunks: readonly Hunk[], format: Format): EditedText {
  const { bom } = file;
  if (hunks.length === 0) return { spans: [], bom, dropsMark: false, notes: [], text: () => file.text };
  const placements = placeHunks({ path, text: file.text, bom }, hunks, format);
  const spans = placementSpans(file.text, placements, format);
  const [first] = spans;
  if (bom && first?.start === 0 && first.text.startsWith(BOM)) first.text = first.text.slice(BOM.length);
  return {
    spans,
    bom,
    dropsMark: placements.some(one => one.dropsMark),
    notes: placementNotes(path, file.text, placements, format),
    text: () => applySpans(file.text, spans),
  };
}
