/**
 * Loads the built command line, with what V8 compiled of it in an earlier run of the same command on this machine: a
 * process that makes one edit spends most of its time on that. It is kept in the user's own cache folder, made on first
 * use; where that cannot be written, every run compiles anew and nothing else changes.
 */

const {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { createRequire } = require('node:module');
const { homedir } = require('node:os');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

const BUILT = join(__dirname, '../dist/cli/main.cjs');

/** The exports of the command line, and what keeps what V8 compiled for the next run of this command. */
function load(command) {
  // It is ASCII, which bundle.mjs sees to: nothing has to be decoded, and a character takes a byte.
  const text = readFileSync(BUILT, 'latin1');
  const place = quietly(() => placeOf(text, command));
  const cachedData = place && quietly(() => ownFile(place));
  const script = new Script(`(function (exports, require, module, __filename) {${text}\n})`, {
    filename: BUILT,
    cachedData,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(BUILT), module, BUILT);
  const fits = cachedData !== undefined && !script.cachedDataRejected;
  const keep = () => {
    // Now and then, since the run that was kept may have been a short one: what later ones compiled is added.
    if (!place || (fits && Math.random() >= 1 / 16)) return false;
    const data = script.createCachedData();
    return (!fits || data.length > cachedData.length * 1.1) && quietly(() => write(place, data));
  };
  return { exports: module.exports, keep };
}

/** V8 tells another version of itself from its own, but not another text of the same length: so the build is in the name. */
function placeOf(text, command) {
  const [, build] = /^\/\/ build ([0-9a-f]{16})\n/.exec(text);
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

/** What somebody else could have put there would run as this user. */
function ownFile(path) {
  const { uid, mode } = statSync(path);
  const isOwn = process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o022) === 0);
  return isOwn ? readFileSync(path) : undefined;
}

/** A rename puts it there whole: others may be reading. */
function write(path, data) {
  const unfinished = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(unfinished, data, { mode: 0o600 });
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

module.exports = { BUILT, load };
