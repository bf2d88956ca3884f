/** Whole texts that answers of tools hold: with them it is exact what a tool did, whoever else typed. Pure. */

import type { FileDeed } from './event.ts';
import { anyOf, textOf } from './payload.ts';
import { saidOf, type ToolCall, unpacked } from './reader.ts';

type Texts = Pick<FileDeed, 'original' | 'result' | 'steps'>;

/** Claude Code: `originalFile`, which is `null` for a file that was made; and what it replaced, where the person changed that. */
export function originalTexts({ response }: ToolCall): Texts {
  const said = unpacked(response);
  const original = anyOf(said, 'originalFile', 'original_file');
  const result = textOf(said, 'updated_file');
  const done = { ...saidOf(said), ...(result === undefined ? {} : { result }) };
  if (typeof original === 'string') return { ...done, original };
  const isMade = original === null || textOf(said, 'type') === 'create';
  return isMade ? { ...done, original: null } : done;
}

/** Gemini CLI and Qwen Code: what they display holds the text before and after. */
export function displayedTexts({ response }: ToolCall): Texts {
  const shown = unpacked(anyOf(unpacked(response), 'returnDisplay', 'resultDisplay'));
  const [original, result] = [anyOf(shown, 'originalContent'), anyOf(shown, 'newContent')];
  return {
    ...(typeof original === 'string' || original === null ? { original } : {}),
    ...(typeof result === 'string' ? { result } : {}),
  };
}
