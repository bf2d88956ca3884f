/** Three plugins of one agent: articles, queries and drawings in a table of SQLite, their history in a bare repository. */

import { createHash } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFsFromVolume, Volume } from 'memfs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { initRepository, openWorkspace, type Session, toolset } from '../../src/index.ts';
import { at, type Sandbox, succeeds } from '../helpers/real-git.ts';
import { type Database, openDatabase, putDocument, sqliteStore } from '../stores/sqlite/store.ts';

const DOCUMENTS = {
  'articles/hello.md': '# Hello\n\nThe draft of an article.\n',
  'queries/top.sql': 'SELECT name, total\nFROM sales\nORDER BY total;\n',
  'drawings/sun.svg': '<svg xmlns="http://www.w3.org/2000/svg">\n  <circle r="10" fill="red"/>\n</svg>\n',
};

interface Plugins {
  db: Database;
  file: string;
  history: Sandbox;
  session: Session;
  call(name: string, input: object): Promise<{ ok: boolean; code?: string; message: string; data: unknown }>;
  document(path: string): string | null;
}

/** Puts the database right again, where that can be done. */
type Repair = (() => void) | undefined;

describe('documents in a database', () => {
  it('are edited by the same tools, each kind under names of its own', async () => {
    const { call, document, history } = await plugins();
    await call('article_view', { article: 'articles/hello.md' });
    expect(
      await call('article_insert', {
        article: 'articles/hello.md',
        insert_line: 1,
        insert_text: '\n*by Ada*',
      }),
    ).toMatchObject({ ok: true });
    expect(
      await call('query_replace', {
        query: 'queries/top.sql',
        old_str: 'ORDER BY total',
        new_str: 'ORDER BY total DESC',
      }),
    ).toMatchObject({ ok: true });
    expect(
      await call('drawing_str_replace', { drawing: 'drawings/sun.svg', old_str: 'red', new_str: 'gold' }),
    ).toMatchObject({ ok: true });
    expect(
      await call('query_replace', { query: 'queries/top.sql', old_str: 'total', new_str: 'sum' }),
    ).toMatchObject({ ok: false, code: 'AMBIGUOUS' });
    expect(document('articles/hello.md')).toContain('*by Ada*');
    expect(document('queries/top.sql')).toContain('total DESC');
    expect(document('drawings/sun.svg')).toContain('gold');
    expect(history.git('log', '--format=%s', 'main').split('\n')).toHaveLength(6);
    expect(history.git('show', 'main:drawings/sun.svg')).toBe(document('drawings/sun.svg')!.trimEnd());
    expect(succeeds(history, 'fsck', '--strict')).toBe(true);
  });

  it('are taken back, and their folders listed', async () => {
    const { session, document } = await plugins();
    await session.edit('create', { path: 'articles/new.md', file_text: 'new\n' });
    await session.change([
      { edit: 'delete', path: 'queries/top.sql' },
      { edit: 'str_replace', path: 'articles/new.md', old_str: 'new', new_str: 'newer' },
    ]);
    expect([document('queries/top.sql'), document('articles/new.md')]).toEqual([null, 'newer\n']);
    await session.undo();
    expect([document('queries/top.sql'), document('articles/new.md')]).toEqual([
      DOCUMENTS['queries/top.sql'],
      'new\n',
    ]);
    const { data } = await session.view({ path: 'articles' });
    expect(data).toMatchObject({ entries: ['articles/hello.md', 'articles/new.md'] });
  });

  it('keep what somebody else’s program changed', async () => {
    const { db, session, history } = await plugins();
    const path = 'articles/hello.md';
    await session.view({ path });
    await putDocument(db, path, new TextEncoder().encode('# Changed\n'));
    await expect(session.edit('insert', { path, insert_line: 0, insert_text: 'x' })).rejects.toMatchObject({
      code: 'STALE',
    });
    await session.edit('str_replace', { path, old_str: 'Changed', new_str: 'Both' });
    expect(history.git('log', '--format=%s', 'main', '--', path).split('\n')).toEqual([
      `str_replace ${path} (+1 -1)`,
      `outside ${path}`,
    ]);
    expect(history.git('show', `main~1:${path}`)).toBe('# Changed');
  });

  it('keep what somebody else’s program writes in the very moment of an edit', async () => {
    const { db, session, history, document } = await plugins();
    const path = 'queries/top.sql';
    const exec = db.exec.bind(db);
    db.exec = sql => {
      db.exec = exec;
      const theirs = DOCUMENTS[path].replace('FROM sales', 'FROM sales_2026');
      db.run('UPDATE documents SET content = ?, version = ? WHERE path = ?', [
        new TextEncoder().encode(theirs),
        gitHash(theirs),
        path,
      ]);
      return exec(sql);
    };
    await session.edit('str_replace', { path, old_str: 'name', new_str: 'label' });
    expect(document(path)).toBe('SELECT label, total\nFROM sales_2026\nORDER BY total;\n');
    expect(history.git('show', `main~1:${path}`)).toContain('name, total\nFROM sales_2026');
  });

  it.each([
    ['locked', async ({ file }: Plugins): Promise<Repair> => locked(file)],
    ['full', async ({ db }: Plugins): Promise<Repair> => limited(db)],
    ['gone', async ({ db }: Plugins): Promise<Repair> => closed(db)],
  ] as const)('are untouched when the database is %s', async (_, breakIt) => {
    const place = await plugins();
    await place.session.edit('str_replace', { path: 'queries/top.sql', old_str: 'name', new_str: 'label' });
    const head = place.history.git('rev-parse', 'main');
    const repair = await breakIt(place);
    const input = { path: 'queries/top.sql', old_str: 'label', new_str: 'x'.repeat(200_000) };
    await expect(place.session.edit('str_replace', input)).rejects.toMatchObject({
      code: 'STORE_FAILED',
      retryable: true,
    });
    expect(place.history.git('rev-parse', 'main')).toBe(head);
    if (!repair) return;
    repair();
    expect(place.document('queries/top.sql')).toContain('SELECT label');
    await place.session.edit('str_replace', { ...input, new_str: 'title' });
    expect(place.document('queries/top.sql')).toContain('SELECT title');
    expect(succeeds(place.history, 'fsck', '--strict')).toBe(true);
  });

  it('are caught up with when the database failed right after the edit was made', async () => {
    const { db, session, history, document } = await plugins();
    const exec = db.exec.bind(db);
    db.exec = sql => {
      if (sql === 'COMMIT') throw new Error('disk I/O error');
      return exec(sql);
    };
    const path = 'queries/top.sql';
    const { data } = await session.edit('str_replace', { path, old_str: 'name', new_str: 'label' });
    expect(data.warnings).toEqual([expect.stringMatching(/in history.*disk I\/O error/)]);
    expect(document(path)).toBe(DOCUMENTS[path]);
    db.exec = exec;
    await session.edit('str_replace', { path, old_str: 'total;', new_str: 'total DESC;' });
    expect(document(path)).toBe('SELECT label, total\nFROM sales\nORDER BY total DESC;\n');
    expect(history.git('log', '--format=%s', 'main', '--', path).split('\n')).toEqual([
      `str_replace ${path} (+1 -1)`,
      `str_replace ${path} (+1 -1)`,
      `outside ${path}`,
    ]);
  });

  it('may have their history in memory', async () => {
    const db = openDatabase(join(scratch(), 'docs.db'));
    const fs = createFsFromVolume(new Volume()) as never;
    await initRepository({ root: '/history.git', bare: true, fs });
    const workspace = await openWorkspace({ root: '/history.git', fs, store: sqliteStore(db) });
    const session = workspace.session();
    await session.edit('create', { path: 'a.md', file_text: 'one\n' });
    await session.edit('str_replace', { path: 'a.md', old_str: 'one', new_str: 'two' });
    await session.undo();
    expect(db.get('SELECT version FROM documents')).toEqual({
      version: '5626abf0f72e58d7a153368ba57db4c673c0e171',
    });
    expect((await session.log()).data).toMatchObject({
      entries: [{ op: 'undo' }, { op: 'str_replace' }, { op: 'create' }],
    });
  });

  it('are refused beside a work tree: the files would be in two places', async () => {
    const root = scratch();
    await initRepository({ root });
    const store = sqliteStore(openDatabase(join(root, 'docs.db')));
    await expect(openWorkspace({ root, store })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-sql-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** One database, one history, three plugins: each with a prefix and a word of its own for a document. */
async function plugins(): Promise<Plugins> {
  const folder = scratch();
  const file = join(folder, 'docs.db');
  const db = openDatabase(file);
  for (const [path, text] of Object.entries(DOCUMENTS))
    await putDocument(db, path, new TextEncoder().encode(text));
  const root = join(folder, 'history.git');
  await initRepository({ root, bare: true });
  const workspace = await openWorkspace({ root, store: sqliteStore(db) });
  onTestFinished(() => workspace.close());
  const session = workspace.session({ agent: 'writer' });
  const tools = [
    ...toolset({ prefix: 'article_', pathField: 'article' }),
    ...toolset({ prefix: 'query_', pathField: 'query', names: { str_replace: 'replace' } }),
    ...toolset({ prefix: 'drawing_', pathField: 'drawing' }),
  ];
  return {
    db,
    file,
    history: at(root),
    session,
    call: (name, input) => tools.find(tool => tool.name === name)!.run(session, input),
    document: path => {
      const row = db.get('SELECT content FROM documents WHERE path = ?', [path]);
      return row && new TextDecoder().decode(row.content as unknown as Uint8Array);
    },
  };
}

function gitHash(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');
}

/** Another program has begun to write. */
function locked(file: string): () => void {
  const other = openDatabase(file);
  other.exec('BEGIN IMMEDIATE');
  return () => {
    other.exec('ROLLBACK');
    other.close();
  };
}

/** For good. */
function closed(db: Database): undefined {
  db.close();
}

/** No page more than there are. */
function limited(db: Database): () => void {
  const { page_count: pages } = db.get('PRAGMA page_count') as { page_count: number };
  db.exec(`PRAGMA max_page_count = ${pages}`);
  return () => db.exec('PRAGMA max_page_count = 1000000');
}
