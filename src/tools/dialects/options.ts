/** Checks the options that the tools of others are made with. */

import * as z from 'zod';
import { type CheckOptions, optionsCheck } from '../../engine/calls/call-options.ts';
import * as option from '../../engine/calls/option.ts';
import { type ToolsetOptions, toolsetFields } from '../toolset/toolset.ts';

/** The text editor tool of Anthropic, wherever it is put. */
export interface TextEditorSettings {
  /** Cut what `view` answers. */
  maxCharacters?: number | undefined;
}

export interface MemorySettings {
  /** The folder of the workspace that `/memories` is; default `memories`. */
  folder?: string | undefined;
}

/** All tools that a loop of Anthropic's messages may answer. */
export interface ToolUseSettings extends ToolsetOptions, TextEditorSettings {
  memory?: MemorySettings | undefined;
}

/** The versions of Anthropic's text editor tool, each with the name that the model knows it by. */
export const TEXT_EDITORS = {
  text_editor_20241022: 'str_replace_editor',
  text_editor_20250124: 'str_replace_editor',
  text_editor_20250429: 'str_replace_based_edit_tool',
  text_editor_20250728: 'str_replace_based_edit_tool',
} as const;

export type TextEditorType = keyof typeof TEXT_EDITORS;

const folder = () => z.string().min(1).optional();

export const checkTextEditor: CheckOptions<TextEditorSettings> = optionsCheck(
  { maxCharacters: option.positive },
  { maxCharacters: 10_000 },
);

export const checkTextEditorTool: CheckOptions<TextEditorSettings & { type?: TextEditorType | undefined }> =
  optionsCheck(
    {
      type: () => z.enum(Object.keys(TEXT_EDITORS) as TextEditorType[]).optional(),
      maxCharacters: option.positive,
    },
    { maxCharacters: 10_000 },
  );

export const checkMemory: CheckOptions<MemorySettings> = optionsCheck({ folder }, { folder: 'memories' });

export const checkToolUses: CheckOptions<ToolUseSettings> = optionsCheck(
  {
    ...toolsetFields,
    maxCharacters: option.positive,
    memory: () => z.strictObject({ folder: folder() }).optional(),
  },
  { tools: 'minimal' },
);
