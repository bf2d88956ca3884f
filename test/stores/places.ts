/** Stores of three functions on places that compare versions of their own, as docs/stores.md has them. */

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Store } from '../../src/index.ts';
import { simpleStore } from '../../src/stores/simple.ts';
import type { Database } from './sqlite/store.ts';

export function tableStore(db: Database): Store {
  return simpleStore({
    read: path => {
      const row = db.get('SELECT content, revision FROM documents WHERE path = ?', [path]);
      return row && { content: Uint8Array.from(row.content as Uint8Array), version: String(row.revision) };
    },
    write: (path, bytes, { version }) => {
      if (version === null) db.run('INSERT OR IGNORE INTO documents VALUES (?, ?, 1)', [path, bytes]);
      else if (bytes === null)
        db.run('DELETE FROM documents WHERE path = ? AND revision = ?', [path, version]);
      else
        db.run('UPDATE documents SET content = ?, revision = revision + 1 WHERE path = ? AND revision = ?', [
          bytes,
          path,
          version,
        ]);
      return db.get('SELECT changes() AS count')!.count === 0 ? 'moved' : 'written';
    },
    list: () => db.all('SELECT path FROM documents').map(row => String(row.path)),
  });
}

export function bucketStore(bucket: string, list: () => Iterable<string>): Store {
  const url = (path: string): string => `${bucket}/${path.split('/').map(encodeURIComponent).join('/')}`;
  return simpleStore({
    read: async path => {
      const answer = await fetch(url(path));
      if (answer.status === 404) return null;
      if (!answer.ok) throw new Error(`the bucket answered ${answer.status}`);
      return { content: new Uint8Array(await answer.arrayBuffer()), version: answer.headers.get('etag')! };
    },
    write: async (path, bytes, { version }) => {
      const headers = { ...(version === null ? { 'if-none-match': '*' } : { 'if-match': version }) };
      const body = bytes && Uint8Array.from(bytes);
      const answer = await fetch(url(path), { method: bytes ? 'PUT' : 'DELETE', headers, body });
      if (answer.status === 412 || answer.status === 409) return 'moved';
      if (!answer.ok) throw new Error(`the bucket answered ${answer.status}`);
    },
    list,
  });
}

export interface ObjectStore {
  url: string;
  list(): Iterable<string>;
  put(path: string, bytes: Uint8Array | null): void;
  close(): void;
}

/** Objects over HTTP with conditional requests, as S3 has them. */
export async function objectStore(): Promise<ObjectStore> {
  const objects = new Map<string, Buffer>();
  const etag = (object: Buffer): string => `"${createHash('md5').update(object).digest('hex')}"`;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const path = decodeURIComponent(request.url!.slice(1));
    const object = objects.get(path);
    const { 'if-match': match, 'if-none-match': none } = request.headers;
    const isMoved = (match !== undefined && (!object || etag(object) !== match)) || (none === '*' && object);
    if (request.method === 'GET') {
      response.writeHead(object ? 200 : 404, object ? { etag: etag(object) } : {}).end(object);
    } else if (isMoved) {
      response.writeHead(412).end();
    } else {
      if (request.method === 'PUT') objects.set(path, Buffer.concat(parts));
      else objects.delete(path);
      response.writeHead(200).end();
    }
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    list: () => [...objects.keys()],
    put: (path, bytes) => void (bytes ? objects.set(path, Buffer.from(bytes)) : objects.delete(path)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
