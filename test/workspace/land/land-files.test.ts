/** What a landing makes of files that are no text, that have another name, or that go. */

import { renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { edit, git, LINES, land, refusal } from '../../helpers/landing.ts';
import { personRepo } from '../../helpers/person-repo.ts';

describe('a file', () => {
  it('that is no text, moved by an agent and changed by hand, lands with what is the person’s', async () => {
    const repo = personRepo({ 'i.bin': 'a\0b' });
    await (await repo.session()).edit('move', { path: 'i.bin', new_path: 'j.bin' });
    repo.write('j.bin', 'a\0c');
    await land(repo, { outside: true });
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).toBe('j.bin');
    expect(repo.git('show', 'HEAD:j.bin')).toBe('a\0c');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('that was moved back by hand lands under its new name alone, where the move is named', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const { data } = await (await repo.session()).edit('move', { path: 'a.txt', new_path: 'b.txt' });
    renameSync(repo.path('b.txt'), repo.path('a.txt'));
    await land(repo, { commits: [data.commit!] });
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).toBe('b.txt');
  });

  it('goes only with what another session took out of it, and the refusal says so', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const [below] = await edit(repo, ['a.txt', 'two\nthree\n', '', 's2']);
    await (await repo.session('s1')).edit('delete', { path: 'a.txt' });
    const { code, message } = await refusal(repo, { session: 's1' });
    expect(code).toBe('CONFLICT');
    expect(message).toContain(`land ${below!.slice(0, 12)} with it`);
    await (await repo.open()).land({ git });
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).toBe('');
  });
});
