/** Ways back give the bytes that were there, whatever git records of them. */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { expectAgreement } from './git-agrees.ts';

const TRAILS = [
  ['beside the branch', 'vedit/main', personRepo],
  ['on the branch', 'main', ownRepo],
] as const;

/** How a repository asks for conversion: its attributes and its config. */
const RULES: ReadonlyArray<readonly [attributes: string, config: Record<string, string>]> = [
  ['*.txt text=auto', {}],
  ['*.txt text', {}],
  ['*.txt text=auto', { eol: 'crlf' }],
  ['*.txt text eol=crlf', {}],
  ['*.txt text eol=lf', {}],
  ['', { autocrlf: 'true' }],
  ['', { autocrlf: 'input' }],
  ['*.txt text working-tree-encoding=utf-16', {}],
  ['*.txt text working-tree-encoding=utf-16le', {}],
  ['*.txt text working-tree-encoding=iso-8859-1 eol=crlf', {}],
  ['', {}],
];

const LINE = fc.constantFrom('a', 'b', '{', '}', '', 'é');
const MIXED = fc.array(fc.tuple(LINE, fc.constantFrom('\n', '\r\n')), { minLength: 1, maxLength: 9 });
const OLD = fc.constantFrom('\n', '\r\n', 'mixed');

const FILES = ['one.txt', 'two.txt', 'three.txt'] as const;
const ACT = fc.record({
  kind: fc.constantFrom('line', 'gone', 'insert', 'delete', 'move', 'overwrite', 'create'),
  file: fc.constantFrom(...FILES),
  at: fc.nat(20),
});

/** The bytes of a text as these attributes say that a file has them. */
function encoded(text: string, attributes: string, big: boolean): Buffer {
  if (attributes.includes('8859')) return Buffer.from(text, 'latin1');
  if (!attributes.includes('utf-16')) return Buffer.from(text);
  const bytes = Buffer.from((attributes.includes('16le') ? '' : '\ufeff') + text, 'utf16le');
  return big && !attributes.includes('16le') ? bytes.swap16() : bytes;
}

function held(repo: Place): Record<string, string> {
  const names = readdirSync(repo.dir).filter(name => name.endsWith('.txt'));
  return Object.fromEntries(names.map(name => [name, readFileSync(repo.path(name)).toString('base64')]));
}

type Act = typeof ACT extends fc.Arbitrary<infer T> ? T : never;

async function act(session: Session, repo: Place, { kind, file, at }: Act): Promise<void> {
  if (kind === 'create') await session.edit('create', { path: `${at}-${file}`, file_text: 'new\nfile\n' });
  else if (!existsSync(repo.path(file))) return;
  else if (kind === 'delete') await session.edit('delete', { path: file });
  else if (kind === 'move') await session.edit('move', { path: file, new_path: `${at}-moved-${file}` });
  else if (kind === 'overwrite')
    await session.edit('create', { path: file, file_text: 'a\nx\ny\n', overwrite: true });
  else {
    const { data } = await session.view({ path: file });
    const line = (at % Math.max(1, readFileSync(repo.path(file)).filter(byte => byte === 10).length)) + 1;
    if (kind === 'insert')
      await session.edit('insert', { path: file, insert_line: line - 1, insert_text: `i${at}\n` });
    else {
      const new_content = kind === 'gone' ? '' : `r${at}\ns\n`;
      await session.edit('replace_lines', {
        path: file,
        start_line: line,
        end_line: line,
        new_content,
        version: data.version,
      });
    }
  }
}

describe.each(TRAILS)('bytes of ways back %s', (_where, trail, make) => {
  it.each(RULES)('with %j and %j are those that were there', async (attributes, config) => {
    const histories = fc.record({
      texts: fc.tuple(...FILES.map(() => fc.tuple(MIXED, OLD))),
      big: fc.boolean(),
      acts: fc.array(ACT, { minLength: 1, maxLength: 6 }),
    });
    const property = fc.asyncProperty(histories, async ({ texts, big, acts }) => {
      const repo = make({ '.gitattributes': `${attributes}\n` });
      for (const [key, value] of Object.entries(config)) repo.git('config', `core.${key}`, value);
      for (const [n, [lines, end]] of texts.entries()) {
        const text = lines.map(([line, own]) => line + (end === 'mixed' ? own : end)).join('');
        writeFileSync(repo.path(FILES[n]!), encoded(text, attributes, big));
      }
      repo.git('add', '-A');
      repo.git('commit', '-qm', 'files');
      for (const [n, [lines, end]] of texts.entries()) {
        const text = lines.map(([line, own]) => line + (end === 'mixed' ? own : end)).join('');
        writeFileSync(repo.path(FILES[n]!), encoded(text, attributes, big));
      }
      const session = await repo.session();
      const states = [held(repo)];
      const commits: string[] = [];
      for (const one of acts) {
        await act(session, repo, one).catch(error =>
          expect(error.code).toMatch(/NO_CHANGE|EXISTS|OUT_OF_RANGE/),
        );
        const { data } = await session.log({ limit: 1 });
        const commit = data.entries[0]?.commit;
        if (commit === undefined || commit === commits.at(-1)) continue;
        states.push(held(repo));
        commits.push(commit);
      }
      for (const state of states.slice(0, -1).toReversed()) {
        await session.undo();
        expect(held(repo)).toEqual(state);
      }
      for (const state of states.slice(1)) {
        await session.redo();
        expect(held(repo)).toEqual(state);
      }
      expectAgreement(repo, trail);
      if (commits.length > 0) {
        await session.rollback(commits[0]!).catch(error => expect(error.code).toBe('NO_CHANGE'));
        expect(held(repo)).toEqual(states[1]);
        for (const name of Object.keys(states[1]!)) {
          const bytes = readFileSync(repo.path(name));
          if ((await session.log({ path: name, agent: 'claude', limit: 1 })).data.entries.length === 0)
            continue;
          rmSync(repo.path(name));
          await session.restore({ path: [name], from: commits[0]! });
          expect(readFileSync(repo.path(name))).toEqual(bytes);
        }
      }
      expectAgreement(repo, trail);
      await repo.close();
    });
    await fc.assert(property, { numRuns: 3 });
  });
});
