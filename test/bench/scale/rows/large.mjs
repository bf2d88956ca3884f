/** Large files and large folders: an edit in an open workspace, beside git add and commit of the same. */

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpenEditor } from '../open-editor.mjs';
import { shell } from '../row.mjs';

const WORDS = 'the of editor engine commit value return const function import export string path tree'.split(
  ' ',
);
/** Of a process with nothing loaded but the engine, in MiB. */
const ENGINE = 75;

function inGit(folder, input, ...args) {
  const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];
  return execFileSync('git', [...who, ...args], { cwd: folder, input, encoding: 'utf8', maxBuffer: 2 ** 30 });
}

function repository(parent, name) {
  const folder = join(parent, name);
  mkdirSync(folder);
  inGit(folder, '', 'init', '-q', '-b', 'main');
  inGit(folder, '', 'config', 'user.name', 'bench');
  inGit(folder, '', 'config', 'user.email', 'bench@example.com');
  return folder;
}

/** Lines of words and numbers, and one in the middle that is edited. */
function writeLarge(path, megabytes) {
  let seed = 1;
  const random = most => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % most;
  };
  const word = () => `${WORDS[random(WORDS.length)]}${random(1000)}`;
  writeFileSync(path, '');
  for (let size = 0, line = 0, marked = false; size < megabytes * 1e6; ) {
    const lines = [];
    for (; lines.length < 10_000; line++)
      lines.push(`line ${line} ${[1, 2, 3, 4, 5, 6].map(word).join(' ')}\n`);
    if (!marked && size * 2 >= megabytes * 1e6 - 1e6) lines.push('count 0\n');
    marked ||= lines.at(-1) === 'count 0\n';
    const text = lines.join('');
    appendFileSync(path, text);
    size += text.length;
  }
}

/** A place for vedit and one for git, so that neither finds what the other did. */
async function files(folder, { quick }) {
  return (quick ? [1] : [1, 10, 60]).map(megabytes => {
    const [own, gits] = ['vedit', 'git'].map(who => repository(folder, `${who}-${megabytes}`));
    for (const one of [own, gits]) {
      writeLarge(join(one, 'large.txt'), megabytes);
      inGit(one, '', 'add', '.');
      inGit(one, '', 'commit', '-qm', 'start');
    }
    return { name: `${megabytes} MB`, folder: gits, megabytes, editor: new OpenEditor(own), count: 0 };
  });
}

const name = n => `d/file-${String(n).padStart(6, '0')}.txt`;

async function folders(folder, { quick }) {
  const entries = quick ? 2_000 : 50_000;
  const [own, gits] = ['vedit', 'git'].map(who => repository(folder, who));
  for (const one of [own, gits]) {
    mkdirSync(join(one, 'd'));
    const blob = inGit(one, 'count 0\n', 'hash-object', '-w', '--stdin').trim();
    const lines = Array.from({ length: entries }, (_, n) => `100644 ${blob}\t${name(n)}\n`);
    inGit(one, lines.join(''), 'update-index', '--index-info');
    inGit(one, '', 'commit', '-qm', 'start');
    inGit(one, '', 'checkout', '-q', '.');
  }
  return [{ name: `${entries} entries`, folder: gits, editor: new OpenEditor(own), count: 0 }];
}

/** Files that are far from each other in the folder. */
function some(count, round) {
  return Array.from({ length: count }, (_, n) => ({ path: name(n * 2), text: `round ${round} ${n}\n` }));
}

const commit = 'git commit -qm edit';

/** @type {import('../row.mjs').ScaleRow[]} */
export const rows = [
  {
    name: 'large-file',
    what: 'an edit of a large file',
    on: files,
    sides: place => ({
      vedit: {
        measure: () => {
          const [old_str, new_str] = [`count ${place.count}\n`, `count ${++place.count}\n`];
          return place.editor.edit([{ edit: 'str_replace', path: 'large.txt', old_str, new_str }]);
        },
      },
      git: {
        before: () => {
          const script = `s/^count .*/count ${Math.random()}/`;
          execFileSync('sed', ['-i', script, 'large.txt'], { cwd: place.folder });
        },
        ...shell(`git add large.txt && ${commit}`),
      },
    }),
    targets: [
      { under: 40, on: ({ megabytes }) => megabytes === 1 },
      { against: 'git', times: 1, on: ({ megabytes }) => megabytes > 1 },
      { memory: ({ megabytes }) => ENGINE + 4 * megabytes, on: ({ megabytes }) => megabytes > 1 },
    ],
  },
  {
    name: 'large-folder',
    what: 'an edit in a large folder',
    on: folders,
    sides: place => ({
      vedit: {
        measure: () => {
          const file_text = `edit ${++place.count}\n`;
          return place.editor.edit([{ edit: 'create', path: name(777), file_text, overwrite: true }]);
        },
      },
      git: shell(`echo $RANDOM$RANDOM >${name(777)} && git add ${name(777)} && ${commit}`),
    }),
    targets: [{ under: 15 }],
  },
  {
    name: 'large-change',
    what: 'a change of 1,000 files of a large folder',
    on: folders,
    sides: place => ({
      vedit: {
        measure: () => {
          const list = some(1000, ++place.count);
          return place.editor.edit(
            list.map(({ path, text }) => ({ edit: 'create', path, file_text: text, overwrite: true })),
          );
        },
      },
      git: {
        before: () => {
          for (const { path, text } of some(1000, Math.random()))
            writeFileSync(join(place.folder, path), text);
        },
        ...shell(`git add d && ${commit}`),
      },
    }),
    targets: [{ under: 2000 }],
  },
  {
    name: 'folder-move',
    what: 'a move of a folder with all its files',
    on: folders,
    sides: place => ({
      vedit: {
        measure: async () => {
          const [path, new_path] = place.count++ % 2 === 0 ? ['few', 'moved'] : ['moved', 'few'];
          if (place.count === 1) await place.editor.edit(fewFiles());
          return place.editor.edit([{ edit: 'move', path, new_path }]);
        },
      },
      git: {
        before: () => {
          if (place.isMade) return;
          place.isMade = true;
          mkdirSync(join(place.folder, 'few'));
          for (const { path, file_text } of fewFiles()) writeFileSync(join(place.folder, path), file_text);
          inGit(place.folder, '', 'add', 'few');
          inGit(place.folder, '', 'commit', '-qm', 'few');
        },
        ...shell(`if test -d few; then git mv few moved; else git mv moved few; fi && ${commit}`),
      },
    }),
    targets: [],
  },
];

/** A thousand, which are few beside the others. */
function fewFiles() {
  return Array.from({ length: 1000 }, (_, n) => ({
    edit: 'create',
    path: `few/${n}.txt`,
    file_text: `${n}\n`,
  }));
}
