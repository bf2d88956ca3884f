import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFsFromVolume, Volume } from 'memfs';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { type PromisesFsModule, promisesFs } from '../../../src/fs/promises-fs.ts';
import { portableCodec } from '../../../src/git/portable/codec.ts';
import { liveDatabaseSuite, objectDatabaseSuite } from '../objects/object-database-suite.ts';

objectDatabaseSuite('the portable codec on disk', { codec: portableCodec, view: async () => nodeFs() });
objectDatabaseSuite('the portable codec in memory', { codec: portableCodec, view: inMemory });
liveDatabaseSuite('the portable codec on disk', { codec: portableCodec, view: async () => nodeFs() });

/** A copy of the folder in memory, at the same path. */
async function inMemory(dir: string): Promise<Fs> {
  const volume = new Volume();
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) volume.mkdirSync(path, { recursive: true });
    if (!entry.isFile()) continue;
    volume.mkdirSync(entry.parentPath, { recursive: true });
    volume.writeFileSync(path, await readFile(path));
  }
  return promisesFs(createFsFromVolume(volume) as unknown as PromisesFsModule);
}
