/** What a stale edit is told to send instead, and that it is right. */

import { describe, expect, it } from 'vitest';
import type { EditError, Session } from '../../../../src/index.ts';
import { type Place, personRepo } from '../../../helpers/person-repo.ts';

const TEXT = Array.from({ length: 40 }, (_, n) => `line ${n + 1}\n`).join('');

async function opened(): Promise<{ repo: Place; session: Session; refused: Refused }> {
  const repo = personRepo({ 'a.txt': TEXT });
  const session = await repo.session();
  await session.view({ path: 'a.txt' });
  const refused: Refused = (edit, input) =>
    session.edit(edit, { path: 'a.txt', ...input }).then(
      () => Promise.reject(new Error('was done')),
      (error: EditError) => error,
    );
  return { repo, session, refused };
}

type Refused = (edit: string, input: object) => Promise<EditError>;

describe('lines that moved and are unchanged', () => {
  it('are named with the numbers and the version to send', async () => {
    const { repo, session, refused } = await opened();
    repo.write('a.txt', `new\nlines\n${TEXT}`);
    const { code, message, data } = await refused('insert', { insert_line: 26, insert_text: 'x' });
    const version = String(data.version);
    expect([code, data.repair]).toEqual(['STALE', { insert_line: 28 }]);
    expect(message).toContain(
      `Line 26 is line 28 now and is unchanged: send insert_line 28 with version "${version.slice(0, 12)}", or the same call with on_stale: "rebase".`,
    );
    expect(message).not.toContain('+new');
    const input = { path: 'a.txt', insert_line: 28, insert_text: 'x', version: version.slice(0, 12) };
    await session.edit('insert', input);
    expect(repo.read('a.txt')).toContain('line 26\nx\nline 27\n');
  });

  it('are named for ranges and for several edits', async () => {
    const { repo, refused } = await opened();
    repo.write('a.txt', `new\n${TEXT}`);
    const range = await refused('replace_lines', { start_line: 7, end_line: 9, new_content: 'x' });
    expect(range.message).toContain(
      'Lines 7-9 are lines 8-10 now and unchanged: send start_line 8 and end_line 10 with',
    );
    const edits = [
      { from: 3, content: 'x' },
      { from: 7, to: 9 },
    ];
    const several = await refused('edit_lines', { edits });
    expect(several.data.repair).toEqual({ 'edits[0].from': 4, 'edits[1].from': 8, 'edits[1].to': 10 });
    expect(several.message).toContain(
      'send edits[0].from 4, edits[1].from 8 and edits[1].to 10 with version',
    );
  });

  it('are said to be where they were when they are', async () => {
    const { repo, refused } = await opened();
    repo.write('a.txt', TEXT.replace('line 30', 'thirty'));
    const { message } = await refused('insert', { insert_line: 5, insert_text: 'x' });
    expect(message).toContain(
      'The lines that it names are where they were, unchanged: send the same call with version',
    );
  });
});

describe('lines that changed', () => {
  it('are shown, and nothing that lies far from them', async () => {
    const { repo, refused } = await opened();
    repo.write('a.txt', TEXT.replace('line 2\n', 'two\n').replace('line 30\n', 'thirty\n'));
    const { message, data } = await refused('replace_lines', {
      start_line: 29,
      end_line: 31,
      new_content: 'x',
    });
    expect(message).toContain('\n-line 30\n+thirty\n');
    expect(message).not.toMatch(/two|diff --git|^---|^\+\+\+/m);
    expect(String(data.diff)).toContain('+two');
    expect(data.repair).toBeUndefined();
  });

  it('are cut to those near in a long change', async () => {
    const { repo, refused } = await opened();
    repo.write('a.txt', TEXT.replaceAll('line', 'LINE'));
    const { message } = await refused('replace_lines', { start_line: 20, end_line: 21, new_content: 'x' });
    expect(message).toContain('-line 20');
    expect(message).not.toMatch(/-line 1\n|-line 40/);
    expect(message.split('\n').length).toBeLessThan(30);
  });
});

describe('a text that is unchanged', () => {
  it('is to be sent with the present version', async () => {
    const { repo, refused } = await opened();
    repo.write('a.txt', `new\n${TEXT}`);
    const cited = { base: 'main', old_str: 'line 7\n', new_str: 'seven\n' };
    expect((await refused('str_replace', cited)).message).toMatch(
      /What it changes is still there as it was: send it with version "[0-9a-f]{12}", or the same call with on_stale: "rebase"\.$/,
    );
  });

  it('is not what a file is that is written anew or deleted', async () => {
    const { repo, refused } = await opened();
    repo.write('a.txt', `new\n${TEXT}`);
    const whole = await refused('create', { base: 'main', file_text: 'all\n', overwrite: true });
    const gone = await refused('delete', { base: 'main' });
    for (const error of [whole, gone]) {
      expect([error.code, error.data.repair]).toEqual(['STALE', undefined]);
      expect(error.message).toContain('+new');
    }
  });
});

describe('edits of one change', () => {
  it('count lines as those before leave them, and the refusal says so', async () => {
    const { session } = await opened();
    const change = session.change([
      { edit: 'str_replace', path: 'a.txt', old_str: TEXT.slice(0, -8), new_str: '' },
      { edit: 'insert', path: 'a.txt', insert_line: 30, insert_text: 'x' },
    ]);
    await expect(change).rejects.toMatchObject({
      code: 'LINE_OUT_OF_RANGE',
      message: expect.stringMatching(/^edit 2 of 2: .* as the edits before it in this change leave them\.$/),
    });
  });
});
