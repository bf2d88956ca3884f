/** A history of edits as the engine makes it: text files in folders, each edit a blob, its folders and a commit. */

import { createHash } from 'node:crypto';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import {
  EMPTY_TREE,
  type ObjectType,
  objectHeader,
  type PackInput,
} from '../../../src/git/objects/object.ts';
import { replaceEntries, TREE_MODE, type TreeRef } from '../../../src/git/objects/tree-entries.ts';

export interface HistoryOptions {
  /** Folders below the root, so many files in each, all of them there from the start. */
  folders: number;
  files: number;
  /** Lines of a file, from and to. */
  lines: [number, number];
  /** How many of the files are edited. */
  edited: number;
  seed?: number;
}

export const SMALL: HistoryOptions = { folders: 3, files: 20, lines: [40, 200], edited: 6 };

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export class History {
  /** Of the first commit, which adds all files. */
  readonly first: PackInput[] = [];
  head = '';
  edits = 0;
  readonly #random: () => number;
  readonly #files: { folder: string; name: string; lines: string[]; oid: string }[] = [];
  readonly #folders = new Map<string, { oid: string; content: Uint8Array }>();
  #root = { oid: EMPTY_TREE, content: new Uint8Array(0) as Uint8Array };
  readonly #edited: number;

  constructor({ folders, files, lines: [least, most], edited, seed = 1 }: HistoryOptions) {
    this.#random = randomNumbers(seed);
    this.#edited = edited;
    for (let f = 0; f < folders; f++) {
      const folder = `folder-${String(f).padStart(3, '0')}`;
      let content: Uint8Array = new Uint8Array(0);
      for (let n = 0; n < files; n++) {
        const name = `module-${String(n).padStart(3, '0')}.ts`;
        const count = least + Math.floor(this.#random() * (most - least));
        const lines = Array.from({ length: count }, () => this.#line());
        const blob = this.#add(this.first, 'blob', utf8(lines.join('\n')));
        this.#files.push({ folder, name, lines, oid: blob.oid });
        content = putEntry(content, name, { mode: '100644', oid: blob.oid });
      }
      this.#setFolder(folder, this.#add(this.first, 'tree', content));
    }
    this.first.push(this.#rootTree());
    this.#commit(this.first, 'start');
  }

  /** The new objects of the next edit. */
  edit(): PackInput[] {
    const objects: PackInput[] = [];
    const file =
      this.#files[
        Math.floor(this.#random() ** 2 * this.#edited) * Math.floor(this.#files.length / this.#edited)
      ]!;
    this.#change(file.lines);
    const blob = this.#add(objects, 'blob', utf8(file.lines.join('\n')));
    file.oid = blob.oid;
    const old = this.#folders.get(file.folder)!;
    const content = putEntry(old.content, file.name, { mode: '100644', oid: blob.oid });
    this.#setFolder(file.folder, this.#add(objects, 'tree', content));
    objects.push(this.#rootTree());
    this.edits++;
    this.#commit(objects, `Edit ${file.folder}/${file.name}: ${this.#line().trim()}`);
    return objects;
  }

  /** As many edits in a row. */
  take(count: number): PackInput[] {
    return Array.from({ length: count }, () => this.edit()).flat();
  }

  #change(lines: string[]): void {
    const at = Math.floor(this.#random() * lines.length);
    const kind = this.#random();
    const fresh = Array.from({ length: 1 + Math.floor(this.#random() * 3) }, () => this.#line());
    if (kind < 0.6) lines.splice(at, 1, ...fresh.slice(0, 1));
    else if (kind < 0.85 || lines.length < 30) lines.splice(at, 0, ...fresh);
    else lines.splice(at, fresh.length);
  }

  #line(): string {
    const word = (): string => WORDS[Math.floor(this.#random() * WORDS.length)]!;
    return `  const ${word()}${Math.floor(this.#random() * 1000)} = ${word()}(${word()}, ${word()}) + ${Math.floor(this.#random() * 100_000)};`;
  }

  #setFolder(folder: string, tree: PackInput): void {
    this.#folders.set(folder, tree);
    this.#root = {
      oid: this.#root.oid,
      content: putEntry(this.#root.content, folder, { mode: TREE_MODE, oid: tree.oid }),
    };
  }

  #rootTree(): PackInput {
    this.#root = { ...this.#root, oid: idOf('tree', this.#root.content) };
    return { oid: this.#root.oid, type: 'tree', content: this.#root.content };
  }

  #commit(objects: PackInput[], message: string): void {
    const time = 1_700_000_000 + this.edits * 20;
    const person = `claude <agent@example.com> ${time} +0100`;
    const parent = this.head ? `parent ${this.head}\n` : '';
    const text = `tree ${this.#root.oid}\n${parent}author ${person}\ncommitter ${person}\n\n${message}\n\nVedit-Edit: str_replace\nVedit-Session: 0123456789ab\nVedit-Model: m1\nVedit-Call: call_${idOf('blob', utf8(message)).slice(0, 20)}\n`;
    this.head = this.#add(objects, 'commit', utf8(text)).oid;
  }

  #add(objects: PackInput[], type: ObjectType, content: Uint8Array): PackInput {
    const object = { oid: idOf(type, content), type, content };
    objects.push(object);
    return object;
  }
}

const WORDS =
  'parse format resolve commit branch reader writer buffer stream index folder entry header offset value result'.split(
    ' ',
  );

function idOf(type: ObjectType, content: Uint8Array): string {
  return createHash('sha1').update(objectHeader(type, content.length)).update(content).digest('hex');
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** As loose object files hold them. */
export async function deflated(objects: readonly PackInput[]): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const { oid, type, content } of objects)
    files.set(oid, (await nativeCodec.encode(type, content)).deflated);
  return files;
}

function putEntry(tree: Uint8Array, name: string, ref: TreeRef): Uint8Array {
  return replaceEntries(tree, new Map([[name, ref]]));
}
