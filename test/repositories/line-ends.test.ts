import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { expectAgreement } from './git-agrees.ts';

const TRAILS = [
  ['beside the branch', 'vedit/main', personRepo],
  ['on the branch', 'main', ownRepo],
] as const;

/** How a repository asks for conversion: its attributes and its config. */
const RULES: ReadonlyArray<readonly [attributes: string, config: Record<string, string>]> = [
  ['', { autocrlf: 'true' }],
  ['', { autocrlf: 'input' }],
  ['* text', {}],
  ['* text=auto', {}],
  ['* text=auto', { eol: 'crlf' }],
  ['* text eol=crlf', {}],
  ['* text=auto eol=lf\n*.raw -text', { autocrlf: 'true' }],
  ['', {}],
];

/** Files recorded before the rules came, and files saved by other programs after that. */
function prepare(make: typeof personRepo, rule: (typeof RULES)[number]): Place {
  const repo = make({ 'lf.txt': 'a\nb\nc\n', 'crlf.txt': 'a\r\nb\r\nc\r\n', 'one.raw': 'x\r\ny\n' });
  const [attributes, config] = rule;
  for (const [key, value] of Object.entries(config)) repo.git('config', `core.${key}`, value);
  repo.write('.gitattributes', `${attributes}\n`);
  repo.write('saved.txt', 'a\r\nb\r\nc\r\n');
  repo.git('add', '-A');
  // Else it depends on the clock whether git looks again at what it recorded before the rules came.
  repo.git('add', '--renormalize', '.');
  repo.git('commit', '-qm', 'rules');
  return repo;
}

describe.each(TRAILS)('line ends %s', (_where, trail, make) => {
  it.each(RULES)('with %j and %j the trail holds what git would record', async (...rule) => {
    const repo = prepare(make, rule);
    const session = await repo.session();
    for (const path of ['lf.txt', 'crlf.txt', 'saved.txt', 'one.raw']) {
      const before = repo.read(path);
      const old = path === 'one.raw' ? 'y' : 'b';
      const { data } = await session.edit('str_replace', { path, old_str: old, new_str: 'B\nBB' });
      const lineEnd = before.includes(`${old}\r\n`) ? '\r\n' : '\n';
      expect(repo.read(path)).toBe(before.replace(old, `B${lineEnd}BB`));
      expect(data.outside).toBeUndefined();
      expect(data.paths[0]).toMatchObject({ version: repo.git('hash-object', '--no-filters', path) });
      expectAgreement(repo, trail);
      await session.undo();
      expect(repo.read(path)).toBe(before);
      expectAgreement(repo, trail);
    }
  });

  it.each(RULES)('with %j and %j what was deleted comes back as it was', async (...rule) => {
    const repo = prepare(make, rule);
    const session = await repo.session();
    for (const path of ['lf.txt', 'crlf.txt', 'saved.txt']) {
      const bytes = repo.read(path);
      await session.edit('delete', { path });
      expectAgreement(repo, trail);
      await session.undo();
      expect(repo.read(path)).toBe(bytes);
    }
    expectAgreement(repo, trail);
  });

  it('random edits over random rules and contents', async () => {
    const rule = fc.constantFrom(...RULES);
    await fc.assert(
      fc.asyncProperty(rule, fc.array(step, { minLength: 3, maxLength: 8 }), async (rules, steps) => {
        const repo = prepare(make, rules);
        const session = await repo.session();
        for (const one of steps) {
          await run(repo, session, one);
          expect(repo.git('fsck', '--strict')).toBe('');
        }
        await session.edit('create', { path: 'last', file_text: 'x\r\n' });
        const names = ['lf.txt', 'crlf.txt', 'saved.txt', 'new.txt', 'one.raw'];
        for (const path of [...names, ...names.map(name => `moved-${name}`)].filter(name =>
          existsSync(repo.path(name)),
        ))
          await run(repo, session, { op: 'insert', path, text: 'top' });
        expectAgreement(repo, trail);
      }),
      { numRuns: 6 },
    );
  });
});

const lines = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c', ''), fc.constantFrom('\n', '\r\n')), { maxLength: 5 })
  .map(list => list.map(pair => pair.join('')).join(''));
const path = fc.constantFrom('lf.txt', 'crlf.txt', 'saved.txt', 'new.txt', 'one.raw');
const step = fc.oneof(
  fc.record({ op: fc.constant('save' as const), path, text: lines }),
  fc.record({ op: fc.constant('create' as const), path, text: lines }),
  fc.record({ op: fc.constant('insert' as const), path, text: lines }),
  fc.record({ op: fc.constantFrom('delete' as const, 'move' as const), path, text: fc.constant('') }),
  fc.record({ op: fc.constantFrom('undo' as const, 'redo' as const), path, text: fc.constant('') }),
);

async function versionOf(session: Session, path: string): Promise<string> {
  return String((await session.view({ path })).data.version);
}

/** One step, which may be refused, but never for a fault. */
async function run(
  repo: Place,
  session: Session,
  { op, path, text }: { op: string; path: string; text: string },
): Promise<void> {
  if (op === 'save') return writeFileSync(repo.path(path), text);
  const calls: Record<string, () => Promise<unknown>> = {
    create: () => session.edit('create', { path, file_text: text, overwrite: true }),
    insert: async () =>
      session.edit('insert', {
        path,
        insert_line: 0,
        insert_text: text || 'x',
        version: await versionOf(session, path),
      }),
    delete: () => session.edit('delete', { path }),
    move: () => session.edit('move', { path, new_path: `moved-${path}`, overwrite: true }),
    undo: () => session.undo(),
    redo: () => session.redo(),
  };
  const code = await codeOf(calls[op]!());
  expect([null, 'FILE_NOT_FOUND', 'NO_CHANGE', 'CONFLICT']).toContain(code);
}

describe('line ends', () => {
  it('an outside change is only what git would see as one', async () => {
    const repo = ownRepo({ '.gitattributes': '* text=auto\n', 'a.txt': 'a\nb\nc\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    repo.write('a.txt', 'A\r\nb\r\nc\r\n');
    expect((await session.status()).data.outside).toEqual([]);
    expect((await session.view({ path: 'a.txt' })).data.recorded).toBe(true);
    const { data } = await session.edit('str_replace', { path: 'a.txt', old_str: 'b', new_str: 'B' });
    expect(data.outside).toBeUndefined();
    expect(repo.read('a.txt')).toBe('A\r\nB\r\nc\r\n');
    expect(repo.git('show', 'main:a.txt')).toBe('A\nB\nc');
    repo.write('a.txt', 'A\r\nB\r\nc\r\nby hand\r\n');
    expect((await session.status()).data.outside).toEqual([{ path: 'a.txt', kind: 'modified' }]);
    const undone = await session.undo();
    expect(undone.data.outside?.paths).toEqual(['a.txt']);
    expect(repo.read('a.txt')).toBe('A\r\nb\r\nc\r\nby hand\r\n');
    expectAgreement(repo, 'main');
  });

  it('a base, a version and a stale base mean the same content to both', async () => {
    const repo = ownRepo({ '.gitattributes': '* text=auto\n', 'a.txt': 'a\nb\nc\nd\ne\n' });
    repo.write('a.txt', 'a\r\nb\r\nc\r\nd\r\ne\r\n');
    const session = await repo.session();
    const view = (await session.view({ path: 'a.txt' })).data;
    const commit = repo.git('rev-parse', 'HEAD');
    const replaced = (
      line: number,
      text: string,
      claim: object,
    ): Promise<{ data: { commit: string | null } }> =>
      session.edit('replace_lines', {
        path: 'a.txt',
        start_line: line,
        end_line: line,
        new_content: text,
        ...claim,
      });
    await replaced(1, 'A', { base: commit });
    await session.edit('insert', { path: 'a.txt', insert_line: 1, insert_text: 'new' });
    const stale = await replaced(5, 'E', { version: view.version }).catch(error => error);
    expect(stale).toMatchObject({
      code: 'STALE',
      data: { base_version: repo.git('rev-parse', `${commit}:a.txt`) },
    });
    expect(stale.data.diff).toContain('@@ -1,4 +1,5 @@\n-a\r\n+A\r\n+new\r\n b\r\n');
    await replaced(5, 'E', { base: commit, on_stale: 'rebase' });
    expect(repo.read('a.txt')).toBe('A\r\nnew\r\nb\r\nc\r\nd\r\nE\r\n');
    const recorded = repo.git('rev-parse', 'main:a.txt');
    await replaced(3, 'B', { version: recorded });
    expect(repo.git('show', 'main:a.txt')).toBe('A\nnew\nB\nc\nd\nE');
    expectAgreement(repo, 'main');
  });

  it('a change that brings its own attributes is recorded by them', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    await session.change([
      { edit: 'create', path: '.gitattributes', file_text: '*.txt text\n' },
      { edit: 'create', path: 'b.txt', file_text: 'b\r\n' },
    ]);
    expectAgreement(repo, 'main');
    await session.undo();
    expectAgreement(repo, 'main');
  });

  it('nothing but line ends that git does not record is no change', async () => {
    const repo = ownRepo({ '.gitattributes': '* text\n', 'a.txt': 'a\n' });
    const session = await repo.session();
    const call = session.edit('create', { path: 'a.txt', file_text: 'a\r\n', overwrite: true });
    await expect(call).rejects.toMatchObject({
      code: 'NO_CHANGE',
      message: expect.stringContaining('core.autocrlf'),
    });
    expect(repo.read('a.txt')).toBe('a\n');
  });

  it('core.safecrlf=true refuses what git add refuses', async () => {
    const repo = ownRepo({ '.gitattributes': '* text eol=lf\n', 'a.txt': 'a\n' });
    repo.git('config', 'core.safecrlf', 'true');
    const session = await repo.session();
    expect(await codeOf(session.edit('create', { path: 'b.txt', file_text: 'b\r\n', exact: true }))).toBe(
      'FILTERED_PATH',
    );
    expect(await codeOf(session.edit('create', { path: 'b.txt', file_text: 'b\n' }))).toBe(null);
    expectAgreement(repo, 'main');
  });

  it("the user's own config and attributes count, under those of the repository", async () => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    repo.write('.git/attributes', '*.raw -text\n*.txt -text\n');
    repo.write('.gitattributes', '*.txt text=auto\n');
    const options = {
      userConfig: '[core]\n\tautocrlf = input\n',
      attributesFiles: [repo.path('.git/attributes')],
    };
    const session = await repo.session('s1', options);
    for (const name of ['b', 'b.raw', 'b.txt'])
      await session.edit('create', { path: name, file_text: 'b\r\n' });
    const recorded = (name: string): string => repo.pipe('', 'cat-file', 'blob', `main:${name}`).toString();
    expect(['b', 'b.raw', 'b.txt'].map(recorded)).toEqual(['b\n', 'b\r\n', 'b\n']);
    repo.git('config', 'core.autocrlf', 'false');
    await session.edit('create', { path: 'c', file_text: 'c\r\n' });
    expect(recorded('c')).toBe('c\r\n');
  });

  it('a filter, an encoding that is not known and ident are refused, for ways back too, and nothing is written', async () => {
    const repo = personRepo({ 'a.bin': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'c.txt', old_str: 'c', new_str: 'C' });
    repo.write('.gitattributes', '*.bin filter=lfs\nb.txt working-tree-encoding=UTF-32\nc.txt ident\n');
    const head = repo.git('rev-parse', 'vedit/main');
    const refused = [
      () => session.edit('str_replace', { path: 'a.bin', old_str: 'a', new_str: 'b' }),
      () => session.edit('delete', { path: 'a.bin' }),
      () => session.edit('move', { path: 'a.bin', new_path: 'x' }),
      () => session.edit('create', { path: 'new.bin', file_text: '' }),
      () => session.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' }),
      () => session.undo(),
      () => session.rollback('~1'),
    ];
    for (const call of refused) expect(await codeOf(call())).toBe('FILTERED_PATH');
    expect(repo.git('rev-parse', 'vedit/main')).toBe(head);
    expect(readFileSync(repo.path('a.bin'), 'utf8')).toBe('a\n');
  });

  it('bytes that git converts in a way that is not known are not to be converted by hand', async () => {
    const repo = personRepo({
      '.gitattributes': '*.txt working-tree-encoding=UTF-32\n*.l1 working-tree-encoding=klingon\n',
    });
    writeFileSync(repo.path('a.txt'), Buffer.from([0x61, 0, 0, 0, 10, 0, 0, 0]));
    writeFileSync(repo.path('b.l1'), Buffer.from('caf\u00e9\n', 'latin1'));
    const session = await repo.session();
    for (const path of ['a.txt', 'b.l1']) {
      expect(await codeOf(session.edit('str_replace', { path, old_str: 'a', new_str: 'b' }))).toBe(
        'FILTERED_PATH',
      );
      expect(await codeOf(session.edit('create', { path, file_text: '', overwrite: true }))).toBe(
        'FILTERED_PATH',
      );
      expect(await codeOf(session.view({ path }))).toBe('FILTERED_PATH');
    }
  });
});
