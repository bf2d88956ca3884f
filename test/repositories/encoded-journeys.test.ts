/** Files of other encodings on every way that text takes beside an edit: hooks, commands, reviews, exports. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aMoment } from '../helpers/agent-events.ts';
import { git, type Shared, shared } from '../helpers/clones.ts';
import { type EncodedCase, iconv, iconvBack } from '../helpers/encoded.ts';
import type { Place } from '../helpers/person-repo.ts';
import { vedit, veditJson } from '../helpers/vedit.ts';
import { ADA, ask, serve } from '../surfaces/web/server/serving.ts';

type Kind = Pick<EncodedCase, 'iconv' | 'mark' | 'words'> & {
  name: string;
  file: [path: string, text: string];
};

const JAPANESE = ['日本語表', 'ソ能力'] as const;

const KINDS: readonly Kind[] = [
  { name: 'UTF-16 by its mark', iconv: 'UTF-16LE', mark: [0xff, 0xfe], words: JAPANESE, file: ['other', ''] },
  {
    name: 'Shift_JIS of .gitattributes',
    iconv: 'SHIFT_JIS',
    words: JAPANESE,
    file: ['.gitattributes', 'a.txt working-tree-encoding=SHIFT-JIS\n'],
  },
  {
    name: 'Shift_JIS of .editorconfig',
    iconv: 'CP932',
    words: JAPANESE,
    file: ['.editorconfig', '[a.txt]\ncharset = cp932\n'],
  },
];

const lines = (word: string): string =>
  Array.from({ length: 12 }, (_, n) => `line ${n + 1} ${word}\n`).join('');

describe.each(KINDS)('a file in $name', kind => {
  const [word, other] = kind.words;
  const bytes = (text: string): Buffer => iconv(text, kind);
  const read = (at: Place): string => {
    const found = readFileSync(at.path('a.txt'));
    return iconvBack(found.subarray(kind.mark?.length ?? 0), kind.iconv);
  };

  async function clones(): Promise<Shared> {
    const all = shared({ [kind.file[0]]: kind.file[1], 'b.txt': 'b\n' });
    all.ada.write('a.txt', bytes(lines(word)));
    all.ada.git('add', '-A');
    all.ada.git('commit', '-qm', 'text');
    all.ada.git('push', '-q', 'origin', 'main');
    all.bob.git('pull', '-q', '--no-rebase');
    return all;
  }

  it('is recorded from hooks and commands, reviewed, and exported as text', async () => {
    const { bob: repo } = await clones();
    const workspace = await repo.open({ user: ADA });
    const changed = lines(word).replace(`3 ${word}`, `3 ${other}`);
    const hook = async (name: string, tool: object): Promise<unknown> => {
      await aMoment();
      const event = { session_id: 's1', tool_use_id: 'c1', cwd: repo.dir, hook_event_name: name, ...tool };
      return workspace.takeHook(new TextEncoder().encode(JSON.stringify(event)), {
        named: 'claude-code',
        git,
      });
    };
    const file_path = repo.path('a.txt');
    const tool = {
      tool_name: 'Edit',
      tool_input: { file_path, old_string: `3 ${word}`, new_string: `3 ${other}` },
    };
    await hook('PreToolUse', tool);
    repo.write('a.txt', bytes(changed));
    await hook('PostToolUse', tool);
    await aMoment();
    await workspace.close();
    await using after = await repo.open({ user: ADA });
    const session = after.session({ id: 's2' });
    const log = (await session.log({ patch: true })).data.entries;
    expect(log.map(({ op, agent }) => [op, agent])).toEqual([['Edit', 'claude-code']]);
    expect(log[0]!.diff).toContain(`-line 3 ${word}\n+line 3 ${other}\n`);
    await after.close();
    repo.write('next', bytes(changed.replace(`7 ${word}`, `7 ${other}`)));
    const ran = await vedit(repo, ['run', '--agent', 'fixer', '--', 'mv', 'next', 'a.txt']);
    expect(ran.code).toBe(0);
    expect((await vedit(repo, ['show', '@'])).out).toContain(`+line 7 ${other}`);
    const { out } = await vedit(repo, ['review', '--list']);
    expect(out).toContain(`+line 3 ${other}`);
    expect(out).toContain(`-line 7 ${word}`);
    const { data } = await veditJson<{ hunks: unknown }>(repo, ['review', '--list']);
    expect(JSON.stringify(data)).toContain(`line 7 ${other}`);
    expect((await vedit(repo, ['export', '--jsonl'])).out).toContain('a.txt');
    const { port, bearer } = await serve({}, repo);
    const got = async (path: string): Promise<string> => (await ask(port, 'GET', path, { bearer })).text;
    expect(await got('/api/history')).toContain(`+line 7 ${other}`);
    const open = await got('/api/open');
    expect(open).toContain(`line 7 ${other}`);
    const [hunk] = JSON.parse(open).hunks;
    const accepted = await ask(port, 'POST', '/api/act', { bearer, body: { act: 'accept', hunk } });
    expect(accepted.json).toMatchObject({ ok: true });
    const own = {
      act: 'edit',
      hunk: JSON.parse(await got('/api/open')).hunks[0],
      text: `line 7 ${other}!\n`,
    };
    expect((await ask(port, 'POST', '/api/act', { bearer, body: own })).json).toMatchObject({ ok: true });
    expect(read(repo)).toBe(changed.replace(`7 ${word}`, `7 ${other}!`));
    expect(JSON.parse(await got('/api/open')).hunks).toEqual([]);
  });
});
