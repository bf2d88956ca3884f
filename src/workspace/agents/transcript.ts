/** The model of a conversation that an agent keeps as one JSON object a line; hooks of some are not told of it. */

import { fromUtf8, latin1 } from '../../bytes.ts';
import { type Fs, lstatOf } from '../../fs/fs.ts';
import { objectOf, textOf } from './hooks/payload.ts';

/** Bytes from the end in which it is looked for. */
const TAIL = 256 * 1024;

/** The model of the newest answer; `undefined` when it is not there. Never waits: what is no regular file has no end. */
export async function transcriptModel(fs: Fs, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const lines = (await tailOf(fs, path).catch(() => '')).split('\n');
  for (const line of lines.reverse()) {
    const model = line.includes('"assistant"') ? modelIn(line) : undefined;
    if (model !== undefined) return model;
  }
  return undefined;
}

/** Claude Code's own messages stand under a name in angle brackets. */
function modelIn(line: string): string | undefined {
  try {
    const model = textOf(objectOf(JSON.parse(line))?.message, 'model');
    return model !== undefined && /^[\w.:/@-]{1,100}$/.test(model) ? model : undefined;
  } catch {
    return undefined;
  }
}

async function tailOf(fs: Fs, path: string): Promise<string> {
  const { type, size } = await lstatOf(fs, path);
  if (type !== 'file') return '';
  const handle = await fs.open(path, 'read');
  try {
    const bytes = await handle.read(Math.max(0, size - TAIL), TAIL);
    return fromUtf8(bytes) ?? latin1(bytes);
  } finally {
    await handle.close();
  }
}
