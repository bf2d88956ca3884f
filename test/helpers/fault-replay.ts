/** Rebuilds from a log (fault-log.ts) what is on the disk after a power cut. */

import nodePromises from 'node:fs/promises';
import type { FaultLog, FileImage, Identity, Tree, Unsynced } from './fault-log.ts';

type Entry = FaultLog['entries'][number];
type Place = NonNullable<Entry['at']>;

interface Node {
  bytes: Uint8Array | null;
  /** How many of `bytes` are synced. */
  synced: number;
  mode: number;
  stat?: Identity | undefined;
  link: string | null;
  entries: Map<string, Node> | null;
}

/** One change of one name in a folder; `op` is the position in the log, -1 for what was there before. */
interface Change {
  op: number;
  folder: Node;
  name: string;
  node: Node | null;
}

/**
 * The tree after the first `count` changes of the log and a power cut. `lost` is the position in the log of one
 * change of a folder that did not reach the disk (`losable` lists the candidates), or `'all'` of them.
 */
export function replay(log: FaultLog, count: number, unsynced: Unsynced, lost?: number | 'all'): Tree {
  const disk = run(log, count);
  const gone = new Set(lost === 'all' ? disk.pending.keys() : lost === undefined ? [] : [lost]);
  const kept = disk.changes.filter(change => !gone.has(change.op));
  return toTree(disk.root, entriesOf(kept), unsynced);
}

/** The positions in the log of changes of a folder that may be lost in a power cut after the first `count` changes. */
export function losable(log: FaultLog, count: number): number[] {
  return [...run(log, count).pending.keys()];
}

/** The counts to try `replay` with: nothing done, and after each call that changed or synced something. */
export function powerCuts(log: FaultLog): number[] {
  const changing = (entry: Entry): boolean =>
    entry.method === 'open'
      ? entry.how === 'create' || entry.how === 'append'
      : entry.method !== 'handle.close';
  return [0, ...log.entries.flatMap((entry, index) => (changing(entry) ? [index + 1] : []))];
}

/** Writes a tree into an empty folder. */
export async function writeTree(
  tree: Tree,
  folder: string,
  fs: Pick<typeof nodePromises, 'mkdir' | 'symlink' | 'writeFile' | 'chmod'> = nodePromises,
): Promise<void> {
  await fs.mkdir(folder, { recursive: true });
  for (const [path, image] of tree) {
    if (image === null) await fs.mkdir(`${folder}/${path}`);
    else if (typeof image === 'string') await fs.symlink(image, `${folder}/${path}`);
    else {
      await fs.writeFile(`${folder}/${path}`, image.bytes);
      await fs.chmod(`${folder}/${path}`, image.mode);
    }
  }
}

interface Disk {
  root: Node;
  changes: Change[];
  /**
   * Changes that no sync of their folder followed yet, by position in the log. A rename from one folder to another is one
   * transaction of the file system: a sync of either folder writes it.
   */
  pending: Map<number, Node[]>;
  handles: Map<number, Node>;
}

function run(log: FaultLog, count: number): Disk {
  const disk: Disk = { root: newFolder(), changes: [], pending: new Map(), handles: new Map() };
  for (const [path, image] of log.initial) {
    const node = image === null ? newFolder() : newNode();
    if (typeof image === 'string') node.link = image;
    else if (image) Object.assign(node, { ...image, synced: image.bytes.length });
    const { folder, name } = parent(disk, { from: 'root', names: path.split('/') });
    set(disk, -1, folder, name, node);
  }
  for (const [op, entry] of log.entries.slice(0, count).entries()) step(disk, op, entry);
  return disk;
}

/** Applies one call of the log to the true state. */
function step(disk: Disk, op: number, entry: Entry): void {
  if (entry.method.startsWith('handle.')) stepHandle(disk, entry);
  else if (entry.at && entry.method === 'open') stepOpen(disk, op, entry, entry.at);
  else if (entry.at) stepNames(disk, op, entry, entry.at);
}

function stepNames(disk: Disk, op: number, entry: Entry, at: Place): void {
  const { folder, name } = parent(disk, at);
  const node = folder.entries!.get(name) ?? null;
  if (entry.method === 'mkdir') set(disk, op, folder, name, newFolder());
  if (['unlink', 'rmdir', 'rename'].includes(entry.method)) set(disk, op, folder, name, null);
  if (!entry.target) return;
  const to = parent(disk, entry.target);
  set(disk, op, to.folder, to.name, node);
}

function stepHandle(disk: Disk, entry: Entry): void {
  const node = disk.handles.get(entry.id!);
  if (!node) return;
  if (entry.method === 'handle.write') node.bytes = joined(node.bytes!, entry.bytes!);
  node.stat = entry.stat ?? node.stat;
  if (entry.method === 'handle.truncate') cut(node, entry.size!);
  if (entry.method === 'handle.chmod') node.mode = entry.mode!;
  if (entry.method !== 'handle.sync') return;
  node.synced = node.bytes?.length ?? 0;
  for (const [op, folders] of disk.pending)
    if (folders.includes(node) && op < entry.upTo!) disk.pending.delete(op);
}

/** What is cut off may be there again after a power cut, until the file is synced. */
function cut(node: Node, size: number): void {
  node.bytes = node.bytes!.subarray(0, size);
  node.synced = Math.min(node.synced, size);
}

function stepOpen(disk: Disk, op: number, entry: Entry, at: Place): void {
  const found = find(disk, at);
  const node = found ?? newNode();
  disk.handles.set(entry.id!, node);
  if (found) return;
  if (entry.mode !== undefined) node.mode = entry.mode & ~0o022;
  node.stat = entry.stat;
  const { folder, name } = parent(disk, at);
  set(disk, op, folder, name, node);
}

function set(disk: Disk, op: number, folder: Node, name: string, node: Node | null): void {
  disk.changes.push({ op, folder, name, node });
  if (op >= 0) disk.pending.set(op, [...(disk.pending.get(op) ?? []), folder]);
  if (node) folder.entries!.set(name, node);
  else folder.entries!.delete(name);
}

function parent(disk: Disk, place: Place): { folder: Node; name: string } {
  const folder = find(disk, { from: place.from, names: place.names.slice(0, -1) });
  const name = place.names.at(-1);
  if (!folder?.entries || name === undefined)
    throw new Error(`the log names a folder it never saw: ${place.names.join('/')}`);
  return { folder, name };
}

/** Follows links whose target is relative and stays below their folder. */
function find(disk: Disk, place: Place): Node | undefined {
  let node = place.from === 'root' ? disk.root : disk.handles.get(place.from);
  for (const name of place.names) {
    const next: Node | undefined = node?.entries?.get(name);
    node = next?.link != null ? follow(node!, next.link) : next;
  }
  return node;
}

function follow(folder: Node, target: string): Node | undefined {
  let node: Node | undefined = folder;
  for (const name of target.split('/')) node = name === '.' ? node : node?.entries?.get(name);
  return node;
}

function entriesOf(changes: Change[]): Map<Node, Map<string, Node>> {
  const entries = new Map<Node, Map<string, Node>>();
  for (const { folder, name, node } of changes) {
    const names = entries.get(folder) ?? new Map<string, Node>();
    entries.set(folder, names);
    if (node) names.set(name, node);
    else names.delete(name);
  }
  return entries;
}

function toTree(root: Node, entries: Map<Node, Map<string, Node>>, unsynced: Unsynced): Tree {
  const tree: Tree = new Map();
  const visit = (folder: Node, prefix: string): void => {
    for (const [name, node] of entries.get(folder) ?? []) {
      if (node.link !== null) tree.set(prefix + name, node.link);
      else if (node.bytes) tree.set(prefix + name, imageOf(node, unsynced));
      else {
        tree.set(prefix + name, null);
        visit(node, `${prefix}${name}/`);
      }
    }
  };
  visit(root, '');
  return tree;
}

function imageOf(node: Node, unsynced: Unsynced): FileImage {
  return { bytes: survived(node, unsynced), mode: node.mode, ...(node.stat ? { stat: node.stat } : {}) };
}

function survived(node: Node, unsynced: Unsynced): Uint8Array {
  const bytes = node.bytes!;
  if (unsynced === 'full') return bytes;
  const extra = bytes.length - node.synced;
  return bytes.subarray(0, node.synced + (unsynced === 'half' ? extra >> 1 : 0));
}

function newNode(): Node {
  return { bytes: new Uint8Array(), synced: 0, mode: 0o644, link: null, entries: null };
}

function newFolder(): Node {
  return { bytes: null, synced: 0, mode: 0o755, link: null, entries: new Map() };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
