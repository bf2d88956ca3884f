/**
 * Documents in a table of SQL, beside other programs that write to it: each row has a revision, and an edit is written only
 * if the revision is still the one that was read (optimistic locking). The history is in a bare repository.
 */

import sqlite from 'node-sqlite3-wasm';
import { initRepository, openWorkspace, simpleStore } from 'versioned-edit';

const db = new sqlite.Database(':memory:');
db.exec('CREATE TABLE documents (path TEXT PRIMARY KEY, content BLOB NOT NULL, revision INTEGER NOT NULL)');
db.run('INSERT INTO documents VALUES (?, ?, 1)', ['a.md', new TextEncoder().encode('# Hello\n')]);

const store = simpleStore({
  read: path => {
    const row = db.get('SELECT content, revision FROM documents WHERE path = ?', [path]);
    return row && { content: Uint8Array.from(row.content), version: String(row.revision) };
  },
  write: (path, bytes, { version }) => {
    const where = 'WHERE path = ? AND revision = ?';
    if (version === null) db.run('INSERT OR IGNORE INTO documents VALUES (?, ?, 1)', [path, bytes]);
    else if (bytes === null) db.run(`DELETE FROM documents ${where}`, [path, version]);
    else db.run(`UPDATE documents SET content = ?, revision = revision + 1 ${where}`, [bytes, path, version]);
    return db.get('SELECT changes() AS count').count === 0 ? 'moved' : 'written';
  },
  list: () => db.all('SELECT path FROM documents').map(row => String(row.path)),
});

const root = `${process.cwd()}/documents.git`;
await initRepository({ root, bare: true });
const workspace = await openWorkspace({ root, store });
const session = workspace.session({ agent: 'writer' });
await session.edit('str_replace', { path: 'a.md', old_str: 'Hello', new_str: 'Bye' });

// Another program writes the row: the engine sees it, records it as from outside, and edits what is there now.
const other = new TextEncoder().encode('# Bye\nSee you.\n');
db.run('UPDATE documents SET content = ?, revision = revision + 1 WHERE path = ?', [other, 'a.md']);
await session.edit('str_replace', { path: 'a.md', old_str: 'See you.', new_str: 'Farewell.' });
console.log(new TextDecoder().decode((await store.read('a.md')).bytes).trim());
console.log((await session.log({ limit: 5 })).data.entries.map(entry => entry.subject).join('\n'));
await workspace.close();
