/**
 * Loads the built command line, with what V8 compiled of it in an earlier run of the same command on this machine: a
 * process that makes one edit spends most of its time on that. It is kept in the user's own cache folder, made on first
 * use; where that cannot be written, every run compiles anew and nothing else changes.
 */

const {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { homedir } = require('node:os');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

const BUILT = join(__dirname, '../dist/cli/main.cjs');

/** The exports of the command line, and what keeps what V8 compiled for the next run of this command. */
function load(command) {
  const { build, has, read } = openBuilt();
  const place = quietly(() => placeOf(build, command));
  const kept = (place && quietly(() => ownFile(place))) || new Map();
  const scripts = new Map();
  const script = name => {
    const cachedData = kept.get(name);
    const made = new Script(read(name), { filename: join(dirname(BUILT), name), cachedData });
    if (made.cachedDataRejected) kept.clear();
    scripts.set(name, made);
    return made.runInThisContext();
  };
  const exports = requireParts(has, script)('./main.cjs');
  return { exports, keep: () => keep(place, kept, scripts) };
}

/** The parts of the built command line, as the first line of the file names them. It is ASCII: a character takes a byte. */
function openBuilt() {
  const file = openSync(BUILT);
  const [head] = readAt(file, 0, 32_768).latin1Slice().split('\n', 1);
  const { build, parts } = JSON.parse(head.slice('// '.length));
  const start = head.length + 1;
  let all = null;
  const read = name => {
    const [from, to] = parts[name].map(at => start + at);
    return all === null ? readAt(file, from, to).latin1Slice() : all.latin1Slice(from, to);
  };
  const readAll = () => {
    all = readAt(file, 0, fstatSync(file).size);
    closeSync(file);
  };
  setTimeout(() => quietly(readAll), LIVES_ON_MS).unref?.();
  return { build, has: name => name in parts, read };
}

/**
 * After so many milliseconds a process, such as a server, has read the whole file, and lets go of it: an upgrade may write
 * over it, and on Windows no folder is renamed in which a file is open.
 */
const LIVES_ON_MS = 1_000;

function readAt(file, from, to) {
  const bytes = Buffer.allocUnsafe(to - from);
  let size = 0;
  for (let count = 1; count > 0; size += count)
    count = readSync(file, bytes, size, bytes.length - size, from + size);
  return bytes.subarray(0, size);
}

/** A `require` of the parts, each of which runs once, and of whatever else there is. */
function requireParts(has, script, outside = besides) {
  const loaded = new Map();
  const own = {
    now: () => Number(process.hrtime.bigint()) / 1e6,
    fillRandom: bytes => require('node:crypto').randomFillSync(bytes),
    share: (exports, values) => {
      for (const name in values) Object.defineProperty(exports, name, { get: values[name] });
    },
    require: name => {
      if (!has(name)) return outside(name);
      if (!loaded.has(name)) {
        const module = { exports: {} };
        loaded.set(name, module);
        script(name)(module.exports, own.require, module, own);
      }
      return loaded.get(name).exports;
    },
  };
  return own.require;
}

function besides(name) {
  return require(name.startsWith('.') ? join(dirname(BUILT), name) : name);
}

/** Now and then too, since the run that was kept may have been a short one: what later ones compiled is added. */
function keep(place, kept, scripts) {
  const fits = kept.size > 0;
  if (!place || (fits && Math.random() >= 1 / 16)) return false;
  const all = new Map(kept);
  for (const [name, script] of scripts) all.set(name, script.createCachedData());
  return (!fits || sizeOf(all) > sizeOf(kept) * 1.1) && quietly(() => write(place, all));
}

function sizeOf(data) {
  return [...data.values()].reduce((sum, { length }) => sum + length, 0);
}

function placeOf(build, command) {
  const name = /^[a-z-]{1,20}$/.test(command ?? '') ? command : 'none';
  return join(cacheFolder(), `${name}-${build}-${process.version}-${process.arch}`);
}

/** As the XDG base directories, macOS and Windows have it. */
function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'versioned-edit');
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'versioned-edit', 'Cache');
  const folder = process.platform === 'darwin' ? 'Library/Caches' : '.cache';
  return join(homedir(), folder, 'versioned-edit');
}

/** What was kept, by part. What somebody else could have put there would run as this user. */
function ownFile(path) {
  const { uid, mode } = statSync(path);
  const isOwn = process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o022) === 0);
  return isOwn ? unpack(readFileSync(path)) : undefined;
}

/** Each part from an address that can be divided by eight: V8 would copy it there. */
const ALIGNED = 8;

/** The places of the parts, padded, then the parts. */
function pack(data) {
  let end = 0;
  const places = {};
  const blocks = [...data].map(([name, bytes]) => {
    places[name] = [end, end + bytes.length];
    const block = Buffer.alloc(Math.ceil(bytes.length / ALIGNED) * ALIGNED);
    bytes.copy(block);
    end += block.length;
    return block;
  });
  const head = `${JSON.stringify(places)}\n`;
  return Buffer.concat([Buffer.from(head.padStart(Math.ceil(head.length / ALIGNED) * ALIGNED)), ...blocks]);
}

function unpack(bytes) {
  const start = bytes.indexOf('\n') + 1;
  const places = JSON.parse(bytes.latin1Slice(0, start));
  return new Map(
    Object.entries(places).map(([name, [from, to]]) => [name, bytes.subarray(start + from, start + to)]),
  );
}

/**
 * A rename puts it there whole: others may be reading. It is synced, under a name of its own, since V8 does not check it and
 * would crash at each start: over zeros that a power cut left, or halves of two processes with one number in two containers.
 */
function write(path, data) {
  const unfinished = `${path}.${process.pid}.${process.hrtime.bigint()}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(unfinished, pack(data), { mode: 0o600, flush: true });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  removeOld(path);
}

const WEEK_MS = 7 * 24 * 3600 * 1000;

/** What was kept of other builds a week ago or earlier: a later version left it behind, or writes it once more. */
function removeOld(path) {
  const [build] = /-[0-9a-f]{16}-v/.exec(basename(path));
  for (const name of readdirSync(dirname(path))) {
    const other = join(dirname(path), name);
    if (!name.includes(build) && Date.now() - statSync(other).mtimeMs > WEEK_MS)
      rmSync(other, { force: true });
  }
}

function quietly(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

module.exports = { BUILT, load, requireParts };
