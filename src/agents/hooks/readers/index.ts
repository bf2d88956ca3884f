/** The agents whose hooks are read. The first one's form is that of an agent that is not known. */

import type { Reader } from '../reader.ts';
import { amp } from './amp.ts';
import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { kiro } from './kiro.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';

export const READERS: readonly Reader[] = [
  claudeCode,
  codex,
  gemini,
  copilot,
  opencode,
  qwen,
  cursor,
  vscode,
  droid,
  windsurf,
  cline,
  kiro,
  amp,
];
