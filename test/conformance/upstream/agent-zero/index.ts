/** Agent Zero's `text_editor` (plugins/_text_editor and its tests). */

import { rows, type UpstreamCase } from '../case.ts';
import { LINES, TEXTS } from './lines.ts';
import { PATCHES } from './patches.ts';

export const AGENT_ZERO: readonly UpstreamCase[] = [
  ...rows('Agent Zero', 'context_patch', PATCHES),
  ...rows('Agent Zero', 'edit_lines', LINES),
  ...rows('Agent Zero', 'str_replace', TEXTS),
];
