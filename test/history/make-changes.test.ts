/** A history that is woven from kept hunks is the one that is woven from texts, whatever happened in it. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { openObjects } from '../../src/git/objects/object-database.ts';
import { changesOf } from '../../src/history/make-changes.ts';
import { TrailIndex } from '../../src/history/trail-index.ts';
import { readEntry, useEntries } from '../../src/history/walk.ts';
import { type LineFile, lineFiles } from '../../src/line/files.ts';
import { lots } from '../helpers/random-work.ts';
import { repository, type Sandbox } from '../helpers/real-git.ts';

type Files = ReadonlyMap<string, { mode: string; text: string }>;
type Draw = (below: number) => number;

const PATHS = ['a', 'b', 'c', 'd'];

interface Line {
  mark: number;
  files: Files;
}

/** Trails as `git fast-import` reads them. */
class Import {
  readonly parts: string[] = [];
  #mark = 0;

  commit(parents: readonly Line[], files: Files, trailers: readonly string[]): Line {
    const mark = ++this.#mark;
    const message = `edit ${mark}\n\n${trailers.map(one => `Vedit-${one}`).join('\n')}\n`;
    const contents = [...files].map(
      ([path, { mode, text }]) => `M ${mode} inline ${path}\ndata ${text.length}\n${text}\n`,
    );
    this.parts.push(
      `commit refs/heads/main\nmark :${mark}\ncommitter C <c@d> ${1_700_000_000 + mark} +0000\n`,
      `data ${message.length}\n${message}\n`,
      ...parents.map((one, at) => `${at === 0 ? 'from' : 'merge'} :${one.mark}\n`),
      `deleteall\n${contents.join('')}\n`,
    );
    return { mark, files };
  }
}

function textOf(draw: Draw, old: string): string {
  if (draw(12) === 0) return `bytes\0${draw(100)}`;
  const lines = old.includes('\0') ? ['again'] : old.split('\n');
  lines.splice(draw(lines.length + 1), draw(3), ...Array.from({ length: draw(3) }, () => `row ${draw(9)}`));
  return draw(20) === 0 ? '' : lines.join('\n');
}

/** Edits of one or more files, moves, deletions, other modes, bytes, ways back; and commits of no engine. */
function edited(made: Import, draw: Draw, line: Line, more: readonly string[] = []): Line {
  const files = new Map(line.files);
  const named = new Set<string>();
  for (let count = 1 + (draw(4) === 0 ? 3 : 0); count > 0; count--) {
    const path = PATHS[draw(PATHS.length)]!;
    const file = files.get(path);
    named.add(path);
    if (file && draw(8) === 0) {
      const to = PATHS[draw(PATHS.length)]!;
      named.add(to);
      files.delete(path);
      files.set(to, draw(2) ? file : { ...file, text: textOf(draw, file.text) });
    } else if (file && named.size === 3) files.delete(path);
    else if (file && draw(12) === 0) files.set(path, { ...file, mode: '100755' });
    else
      files.set(path, { mode: file?.mode ?? '100644', text: textOf(draw, file?.text ?? 'one\ntwo\n}\n}') });
  }
  const op = ['Op: str_replace', 'Op: outside', 'Op: rollback'][draw(8)] ?? 'Op: str_replace';
  return made.commit([line], files, [op, ...[...named].map(path => `Path: ${path}`), ...more]);
}

/** `isPlain`: HEAD stays where it is. */
function history(draw: Draw, isPlain = false): Sandbox {
  const made = new Import();
  let line = made.commit(
    [],
    new Map(PATHS.map(path => [path, { mode: '100644', text: `${path}\n}\n}` }])),
    [],
  );
  for (let count = 0; count < 30; count++) {
    const kind = draw(13) + (isPlain ? 1 : 0);
    if (kind === 0) {
      const head = made.commit([line], new Map(edited(new Import(), draw, line).files), []);
      line = made.commit([line, head], draw(2) ? head.files : line.files, ['Op: head']);
    } else if (kind === 1) line = edited(made, draw, line, [`Undoes: ${'ab'.repeat(20)}`]);
    else line = edited(made, draw, line);
  }
  const box = repository();
  box.pipe(`${made.parts.join('')}done\n`, 'fast-import', '--quiet', '--done');
  mkdirSync(box.path('.git/vedit'), { recursive: true });
  return box;
}

interface Told {
  told: unknown[];
  /** How many texts were read. */
  texts: number;
}

async function woven(box: Sandbox, isKept: boolean, paths: readonly string[] = PATHS): Promise<Told> {
  const [fs, codec] = [nodeFs(), nativeCodec];
  const objects = openObjects({ fs, objectsDir: box.path('.git/objects'), codec });
  const folder = box.path('.git/vedit');
  if (isKept)
    useEntries(objects, new TrailIndex({ fs, codec, objects, folder, batch: 4, few: 0, single: 0 }));
  const read = vi.spyOn(objects, 'read');
  const query = { tip: box.git('rev-parse', 'main'), ownOnly: false };
  const { files } = await lineFiles(objects, query, paths);
  const texts = read.mock.calls.filter(([, type]) => type === 'blob').length;
  await objects.close();
  return { told: files.map(plain), texts };
}

function plain({ names, weave, tip }: LineFile): unknown {
  const rows = weave.rows().map(({ log, head, headMoves }) => {
    return { head, headMoves, log: log.map(({ event: { id, kind }, text }) => [id, kind, text]) };
  });
  return { names, tip, rows };
}

describe('changes that are kept', () => {
  it('weave what the texts weave, also from a file that is damaged', { timeout: 120_000 }, async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const draw = lots(seed);
      const box = history(draw);
      for (const paths of [PATHS, ['b']]) {
        const expected = await woven(box, false, paths);
        for (let time = 0; time < 3; time++)
          expect((await woven(box, true, paths)).told).toEqual(expected.told);
      }
      const file = box.path('.git/vedit/entries');
      const whole = readFileSync(file);
      const expected = await woven(box, false);
      for (let time = 0; time < 5; time++) {
        const damaged = Buffer.from(whole.subarray(0, draw(2) ? whole.length : draw(whole.length)));
        if (damaged.length > 0) damaged[draw(damaged.length)]! ^= 1 + draw(255);
        writeFileSync(file, damaged);
        expect((await woven(box, true)).told).toEqual(expected.told);
      }
    }
  });

  it('take the place of texts, but for the first one of each file', async () => {
    const box = history(lots(5), true);
    const { texts } = await woven(box, false);
    for (let time = 0; time < 2; time++) await woven(box, true);
    const again = await woven(box, true);
    expect([texts, again.texts]).toEqual([38, 15]);
  });

  it('tell the kind of a commit that says nothing of others, and nothing of one that brings HEAD', async () => {
    const made = new Import();
    const files = (text: string): Files => new Map([['a', { mode: '100644', text }]]);
    const first = made.commit([], files('one\ntwo'), []);
    const edit = made.commit([first], files('one\n2'), ['Op: str_replace', 'Path: a']);
    const undo = made.commit([edit], files('one\ntwo'), [
      'Op: undo',
      'Path: a',
      `Undoes: ${'ab'.repeat(20)}`,
    ]);
    const head = made.commit([first], files('person'), []);
    made.commit([undo, head], files('person'), ['Op: head']);
    const box = repository();
    box.pipe(`${made.parts.join('')}done\n`, 'fast-import', '--quiet', '--done');
    const objects = openObjects({ fs: nodeFs(), objectsDir: box.path('.git/objects'), codec: nativeCodec });
    const ids = box.git('rev-list', '--first-parent', 'main').split('\n');
    const entries = await Promise.all(ids.map(id => readEntry(objects, id)));
    const found = await changesOf(objects, entries);
    await objects.close();
    expect(found.map(one => one && { kind: one.kind, hunks: one.files.map(({ hunks }) => hunks) })).toEqual([
      null,
      { kind: undefined, hunks: [[[3, 1, 'two']]] },
      { kind: 'edit', hunks: [[[3, 1, '2']]] },
      null,
    ]);
  });
});
