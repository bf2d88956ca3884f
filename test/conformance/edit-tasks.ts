/** 27 edit tasks on which eight edit tools were compared: the files, what is asked, and what has to be there afterwards. */

import { chmodSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Content = string | Buffer;

/** What a call came to. */
export interface Asked {
  ok: boolean;
}

/** The calls of a tool that the tasks are made of. */
export interface Tool {
  view?(path: string): Promise<unknown>;
  replace(path: string, old: string, fresh: string): Promise<Asked>;
  write(path: string, text: string): Promise<Asked>;
  multi(edits: ReadonlyArray<readonly [path: string, old: string, fresh: string]>): Promise<Asked>;
}

export interface Task {
  name: string;
  files: Readonly<Record<string, Content>>;
  /** `root` is the folder of the files. */
  setup?(root: string): void;
  run(tool: Tool, root: string): Promise<Asked | Asked[]>;
  /** `null`: nothing may have changed, and a call was refused. */
  want: Readonly<Record<string, Content>> | null;
  /** The files that are as they were, where the task itself changes one; default: all. */
  kept?: Readonly<Record<string, Content>>;
  also?(root: string): boolean;
}

const one = (name: string, before: Content, old: string, fresh: string, want: Content | null): Task => ({
  name,
  files: { 'f.txt': before },
  run: async (tool: Tool) => {
    await tool.view?.('f.txt');
    return tool.replace('f.txt', old, fresh);
  },
  want: want === null ? null : { 'f.txt': want },
});

const MINE = 'a\nb\nc\nmine\n';

/** A person adds a line after the tool looked. */
async function changedOutside(tool: Tool, root: string): Promise<void> {
  await tool.view?.('f.txt');
  writeFileSync(join(root, 'f.txt'), MINE);
}

export const TASKS: readonly Task[] = [
  one('unique replace', 'a\nb\nc\n', 'b', 'B', 'a\nB\nc\n'),
  one('ambiguous, 2 places', 'x\nv(t)\ny\nv(t)\n', 'v(t)', 'v2(t)', null),
  one('text not there', 'a\nb\n', 'zzz', 'q', null),
  one('CRLF, one line', 'a\r\nb\r\nc\r\n', 'b', 'B', 'a\r\nB\r\nc\r\n'),
  one(
    'CRLF, two lines given with LF',
    'a\r\nb\r\nc\r\nd\r\n',
    'b\nc',
    'B\nC\nX',
    'a\r\nB\r\nC\r\nX\r\nd\r\n',
  ),
  one('BOM kept, first line', '\ufeffone\ntwo\n', 'one', 'ONE', '\ufeffONE\ntwo\n'),
  one('no final newline kept', 'a\nb', 'b', 'B', 'a\nB'),
  one('NFC text, NFD file', 'cafe\u0301\nx\n', 'caf\u00e9', 'tea', null),
  one('emoji', 'a\n👩‍👩‍👧 ok\n', '👩‍👩‍👧 ok', '👩‍👩‍👧 fine', 'a\n👩‍👩‍👧 fine\n'),
  one('curly quotes in file, plain in call', 'say “hi”\nx\n', 'say "hi"', 'say "ho"', null),
  one('blanks at line end in file', 'a  \nb\t\nc\n', 'a\nb', 'A\nB', null),
  one('new text with $& and $1', 'price\nx\n', 'price', 'cost $& $1 $$', 'cost $& $1 $$\nx\n'),
  one(
    'Latin-1 file',
    Buffer.from([0x63, 0x61, 0x66, 0xe9, 10, 0x78, 10]),
    'x',
    'y',
    Buffer.from([0x63, 0x61, 0x66, 0xe9, 10, 0x79, 10]),
  ),
  one('NUL in file', 'a\0b\nx\n', 'x', 'y', 'a\0b\ny\n'),
  one('mixed line ends', 'a\r\nb\nc\r\nd\n', 'c', 'C', 'a\r\nb\nC\r\nd\n'),
  one('tabs kept', '\tif x:\n\t\ty\nz\n', 'z', 'Z', '\tif x:\n\t\ty\nZ\n'),
  one('old = new', 'a\nb\n', 'b', 'b', null),
  one('empty old text', 'a\nb\n', '', 'x', null),
  {
    name: 'edit after outside change elsewhere',
    files: { 'f.txt': 'a\nb\nc\n' },
    run: async (tool, root) => {
      await changedOutside(tool, root);
      return tool.replace('f.txt', 'b', 'B');
    },
    want: { 'f.txt': 'a\nB\nc\nmine\n' },
  },
  {
    name: "stale save over a person's change",
    files: { 'f.txt': 'a\nb\nc\n' },
    run: async (tool, root) => {
      await changedOutside(tool, root);
      return tool.write('f.txt', 'a\nB\nc\n');
    },
    want: null,
    kept: { 'f.txt': MINE },
  },
  {
    name: 'create over a file that is there',
    files: { 'f.txt': 'precious\n' },
    run: tool => tool.write('f.txt', 'new\n'),
    want: null,
  },
  {
    name: '6 edits of one file at once',
    files: { 'f.txt': 'l0\nl1\nl2\nl3\nl4\nl5\n' },
    run: tool => Promise.all([0, 1, 2, 3, 4, 5].map(i => tool.replace('f.txt', `l${i}`, `L${i}`))),
    want: { 'f.txt': 'L0\nL1\nL2\nL3\nL4\nL5\n' },
  },
  {
    name: 'two files, the second does not fit',
    files: { 'a.txt': 'a\n', 'b.txt': 'b\n' },
    run: tool =>
      tool.multi([
        ['a.txt', 'a', 'A'],
        ['b.txt', 'nope', 'B'],
      ]),
    want: null,
  },
  {
    name: 'path ../ out of the folder',
    files: { 'f.txt': 'a\n' },
    setup: root => writeFileSync(`${root}-x.txt`, 'a\n'),
    run: (tool, root) => tool.replace(`../${root.slice(root.lastIndexOf('/') + 1)}-x.txt`, 'a', 'b'),
    want: null,
    also: root => readFileSync(`${root}-x.txt`, 'utf8') === 'a\n',
  },
  {
    name: 'link that leads outside',
    files: { 'f.txt': 'a\n' },
    setup: root => {
      writeFileSync(`${root}-out`, 'secret\n');
      symlinkSync(`${root}-out`, join(root, 'ln'));
    },
    run: tool => tool.replace('ln', 'secret', 'owned'),
    want: null,
    also: root => readFileSync(`${root}-out`, 'utf8') === 'secret\n',
  },
  {
    name: 'executable stays so',
    files: { 'r.sh': '#!/bin/sh\necho a\n' },
    setup: root => chmodSync(join(root, 'r.sh'), 0o755),
    run: tool => tool.replace('r.sh', 'echo a', 'echo b'),
    want: { 'r.sh': '#!/bin/sh\necho b\n' },
    also: root => (lstatSync(join(root, 'r.sh')).mode & 0o111) === 0o111,
  },
  {
    name: 'link inside stays a link',
    files: { 'real.txt': 'a\n' },
    setup: root => symlinkSync('real.txt', join(root, 'ln.txt')),
    run: tool => tool.replace('ln.txt', 'a', 'b'),
    want: { 'real.txt': 'b\n' },
    also: root => lstatSync(join(root, 'ln.txt')).isSymbolicLink(),
  },
];
