/**
 * A worked store: documents in a table of SQLite. Edits are one transaction with compare-and-set; it is opened when a
 * change is staged, so that a database that is locked, full or gone refuses the edit before history knows of it.
 */

import sqlite from 'node-sqlite3-wasm';
import { entriesBelow, recordChanges, replayChanges, versionOf } from '../../../src/stores/record.ts';
import type { Recovery, Staged, Store, StoreChange, StoredFile } from '../../../src/stores/store.ts';

export type Database = InstanceType<typeof sqlite.Database>;

const SCHEMA = `CREATE TABLE IF NOT EXISTS documents (
  path TEXT PRIMARY KEY, content BLOB NOT NULL, mode TEXT NOT NULL, version TEXT NOT NULL)`;

export function openDatabase(file: string): Database {
  const db = new sqlite.Database(file);
  db.exec(SCHEMA);
  return db;
}

/** A connection of the store's own: what else is written on it in the midst of an edit would share its fate. */
export function sqliteStore(db: Database): Store {
  return new SqliteStore(db);
}

/** A change as somebody else's program makes it. */
export async function putDocument(db: Database, path: string, bytes: Uint8Array | null): Promise<void> {
  put(db, path, bytes && { bytes, mode: '100644', version: await versionOf(bytes) });
}

function put(db: Database, path: string, file: StoredFile | null): void {
  if (!file) return void db.run('DELETE FROM documents WHERE path = ?', [path]);
  const values = [path, file.bytes, file.mode, file.version];
  db.run('INSERT OR REPLACE INTO documents (path, content, mode, version) VALUES (?, ?, ?, ?)', values);
}

class SqliteStore implements Store {
  readonly separate = true;
  readonly #db: Database;
  /** What the open transaction changes: until it is published, readers see what was there before. */
  #pending = new Map<string, StoredFile | null>();

  constructor(db: Database) {
    this.#db = db;
  }

  async resolve(path: string): Promise<string> {
    return path;
  }

  async read(path: string): Promise<StoredFile | null> {
    const pending = this.#pending.get(path);
    if (pending !== undefined) return pending;
    const row = this.#db.get('SELECT content, mode, version FROM documents WHERE path = ?', [path]);
    return row ? fileOf(row) : null;
  }

  async list(path: string): ReturnType<Store['list']> {
    const rows = this.#db.all('SELECT path FROM documents ORDER BY path');
    const paths = new Set(rows.map(row => String(row.path)));
    for (const [changed, before] of this.#pending) paths[before ? 'add' : 'delete'](changed);
    return entriesBelow([...paths], path);
  }

  async stage(changes: readonly StoreChange[]): Promise<Staged> {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const moved = changes.filter(change => !this.#compareAndSet(change)).map(({ path }) => path);
      this.#pending = new Map(
        changes.filter(({ path }) => !moved.includes(path)).map(one => [one.path, one.before]),
      );
      return this.#staged(changes, moved);
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** False where the document is no longer what the edit was decided on. */
  #compareAndSet({ path, before, after }: StoreChange): boolean {
    return this.#putIf(path, after, before?.version ?? null);
  }

  #putIf(path: string, file: StoredFile | null, before: string | null): boolean {
    if (this.#versionOf(path) !== before) return false;
    put(this.#db, path, file);
    return true;
  }

  #staged(changes: readonly StoreChange[], moved: string[]): Staged {
    return {
      record: recordChanges(changes),
      skipped: [],
      sync: async () => {},
      verify: async () => moved,
      publish: async () => {
        try {
          this.#db.exec('COMMIT');
        } finally {
          // Where it failed, recover makes the changes anew.
          this.#rollBack();
        }
      },
      settle: async () => {},
      discard: async () => this.#rollBack(),
    };
  }

  #rollBack(): void {
    this.#pending.clear();
    if (this.#db.isOpen && this.#db.inTransaction) this.#db.exec('ROLLBACK');
  }

  async recover(records: readonly unknown[], recovery: Recovery): Promise<string[]> {
    this.#rollBack();
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const told = await replayChanges(records, recovery, {
        version: path => this.#versionOf(path),
        put: (path, file, before) => this.#putIf(path, file, before),
      });
      this.#db.exec('COMMIT');
      return told;
    } finally {
      this.#rollBack();
    }
  }

  #versionOf(path: string): string | null {
    const row = this.#db.get('SELECT version FROM documents WHERE path = ?', [path]);
    return row ? String(row.version) : null;
  }
}

function fileOf(row: Record<string, unknown>): StoredFile {
  const { content, mode, version } = row as {
    content: Uint8Array;
    mode: StoredFile['mode'];
    version: string;
  };
  return { bytes: Uint8Array.from(content), mode, version };
}
