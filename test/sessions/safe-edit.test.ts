/** What a safe-edit tool promises, feature by feature, in the same order as the table of it in dev/from-other-tools.md. */

import { chmodSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runTool, type Session, type ToolResult } from '../../src/index.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

const FILES = { 'app.conf': 'name = ä\nport = 80\nlimit = 80\n' };

async function place(): Promise<{ repo: Place; session: Session }> {
  const repo = personRepo(FILES);
  return { repo, session: await repo.session() };
}

const edit = (session: Session, old_str: string, new_str: string, more: object = {}): Promise<ToolResult> =>
  runTool(session, 'str_replace', { path: 'app.conf', old_str, new_str, ...more });

describe('edit_file', () => {
  it('edits where the text is exactly once, and says how many bytes there were and are', async () => {
    const { repo, session } = await place();
    expect(await edit(session, 'port = 80', 'port = 8080')).toMatchObject({
      ok: true,
      data: { paths: [{ path: 'app.conf', bytes_before: 31, bytes_after: 33 }] },
    });
    expect(repo.read('app.conf')).toBe('name = ä\nport = 8080\nlimit = 80\n');
  });

  it('counts the places otherwise, and says what makes each unique', async () => {
    const { repo, session } = await place();
    expect(await edit(session, '80', '81')).toMatchObject({
      code: 'AMBIGUOUS',
      message: expect.stringMatching(/occurs 2 times in app\.conf, on lines 2 and 3.*lines around it/s),
      data: { count: 2, occurrences: [{ line: 2, unique_text: 'port = 80' }, { line: 3 }] },
    });
    expect(await edit(session, 'Port = 80', '81')).toMatchObject({
      code: 'NO_MATCH',
      data: { nearest: expect.objectContaining({ start_line: 2 }) },
    });
    expect(await runTool(session, 'view', { path: 'none' })).toMatchObject({ code: 'FILE_NOT_FOUND' });
    expect(repo.read('app.conf')).toBe(FILES['app.conf']);
  });

  it('takes the place of the file in one step, keeping its mode and the link that leads to it', async () => {
    const { repo, session } = await place();
    chmodSync(repo.path('app.conf'), 0o755);
    symlinkSync('app.conf', repo.path('link'));
    const before = statSync(repo.path('app.conf'));
    expect(await edit(session, 'port', 'Port', { path: 'link' })).toMatchObject({ ok: true });
    const after = statSync(repo.path('app.conf'));
    expect([after.mode, after.ino === before.ino]).toEqual([before.mode, false]);
    expect(repo.git('ls-files', '-o', '--exclude-standard')).toBe('link');
  });

  it('matches whatever the line ends, and keeps those of the file', async () => {
    const { repo, session } = await place();
    repo.write('app.conf', 'a\r\nb\r\nc\n');
    await edit(session, 'a\nb', 'A\nB');
    expect(repo.read('app.conf')).toBe('A\r\nB\r\nc\n');
  });

  it('has lines of a known version for the rest', async () => {
    const { repo, session } = await place();
    const lines = { path: 'app.conf', start_line: 2, end_line: 2, new_content: 'port = 1' };
    expect(await runTool(session, 'replace_lines', lines)).toMatchObject({ code: 'NOT_VIEWED' });
    await session.view({ path: 'app.conf' });
    await runTool(session, 'replace_lines', lines);
    expect(repo.read('app.conf')).toBe('name = ä\nport = 1\nlimit = 80\n');
  });
});

describe('edit_preview', () => {
  it('is the same call with dry_run: the same diff, the same refusals, nothing written', async () => {
    const { repo, session } = await place();
    const dry = await edit(session, 'port = 80', 'port = 81', { dry_run: true });
    expect(dry.data).toMatchObject({
      commit: null,
      diff: expect.stringContaining('\n-port = 80\n+port = 81\n'),
    });
    const twice = await edit(session, '80', '81', { dry_run: true });
    expect(repo.git('status', '--short') + repo.git('for-each-ref', 'refs/vedit')).toBe('');
    const done = await edit(session, 'port = 80', 'port = 81');
    expect((done.data as { diff: string }).diff).toBe((dry.data as { diff: string }).diff);
    await session.undo();
    expect(await edit(session, '80', '81')).toEqual(twice);
  });
});
