import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { transcriptModel as modelIn } from '../../src/agents/take-hook.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { sandbox } from '../helpers/real-git.ts';

const transcriptModel = (path: string | undefined): Promise<string | undefined> => modelIn(nodeFs(), path);

const line = (type: string, model?: unknown): string =>
  `${JSON.stringify({ type, message: { role: type, model } })}\n`;

describe('the model', () => {
  it('is that of the newest answer', async () => {
    const box = sandbox();
    const path = box.path('t.jsonl');
    box.write(
      't.jsonl',
      line('assistant', 'claude-old') + line('assistant', 'claude-opus-4-5') + line('user'),
    );
    appendFileSync(path, `${line('assistant', '<synthetic>')}{"type":"assistant","message":{"model":"cut`);
    expect(await transcriptModel(path)).toBe('claude-opus-4-5');
  });

  it('is found at the end of a long transcript', async () => {
    const box = sandbox();
    box.write('t.jsonl', `${line('user', 'x'.repeat(3_000_000))}${line('assistant', 'claude-haiku')}`);
    expect(await transcriptModel(box.path('t.jsonl'))).toBe('claude-haiku');
  });

  it('is not known without a transcript, from a folder, or from a pipe that nobody writes to', async () => {
    const box = sandbox();
    execFileSync('mkfifo', [box.path('pipe')]);
    for (const path of [undefined, 't.jsonl', box.path('none'), box.dir, box.path('pipe'), '/dev/zero'])
      expect(await transcriptModel(path)).toBe(undefined);
  });
});
