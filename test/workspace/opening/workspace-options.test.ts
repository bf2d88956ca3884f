/** What a workspace and its sessions are given by the program: names that fit into history, and a clock. */

import { describe, expect, it } from 'vitest';
import { initRepository, memoryFs, openWorkspace } from '../../../src/index.ts';
import { inMemory } from '../../helpers/in-memory.ts';

describe('who edits', () => {
  const wrong: ReadonlyArray<[string, object]> = [
    ...['', ' x', 'x ', 'a\nb', 'a\u0000b', 'a\ud800'].flatMap(text =>
      ['agent', 'model', 'id'].map((field): [string, object] => [field, { [field]: text }]),
    ),
    ['person', { person: { name: 'A\nB', email: 'a@example.org' } }],
    ['person', { person: { name: 'Ada', email: '<a@example.org>' } }],
  ];
  it.each(wrong)('with a wrong %s makes no session: %j', async (field, options) => {
    const { workspace } = await inMemory();
    const refused = expect.objectContaining({
      code: 'INVALID_INPUT',
      data: expect.objectContaining({ fields: [field] }),
      message: expect.stringContaining(`\`${field}\``),
    });
    expect(() => workspace.session(options)).toThrow(refused);
  });

  it('may be anybody whose name fits on a line', async () => {
    const { workspace } = await inMemory();
    const agent = 'claude: code "1" é';
    const session = workspace.session({ agent, model: 'm (x)', id: 'a b' });
    await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
    expect((await session.log()).data.entries[0]).toMatchObject({ agent, model: 'm (x)', session: 'a b' });
  });
});

describe('a clock of the host', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('no time');
      },
    ],
    ['answers no date', () => new Date(Number.NaN)],
  ])('that %s is said to be the host’s', async (_, broken) => {
    const fs = memoryFs();
    await initRepository({ root: '/r', fs });
    let now: () => Date = () => new Date();
    const session = (await openWorkspace({ root: '/r', fs, now: () => now() })).session();
    now = broken;
    await expect(session.edit('create', { path: 'a', file_text: 'a' })).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      data: { of: 'now' },
      message: expect.not.stringContaining('report'),
    });
    now = () => new Date();
    await session.edit('create', { path: 'a', file_text: 'a' });
  });
});
