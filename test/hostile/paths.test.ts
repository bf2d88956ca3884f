import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../src/index.ts';
import { EXIT } from '../../src/surfaces/cli/exit-codes.ts';
import { lexical } from '../fuzz/hostile-list.ts';
import { hostilePlace } from '../fuzz/hostile-place.ts';
import { pathCalls } from '../fuzz/path-calls.ts';
import { faultsOf, fuzzPaths } from '../fuzz/paths.ts';
import { SEED, SEEDED } from '../fuzz/tally.ts';
import { Branches } from '../helpers/branches.ts';
import { vedit } from '../helpers/vedit.ts';

const REFUSED = /^(INVALID_INPUT|OUTSIDE_WORKSPACE|PROTECTED_PATH|NESTED_REPOSITORY|PATCH_SYNTAX)$/;

const rejected = lexical.filter(({ verdict }) => verdict === 'reject');
const allowed = lexical.filter(({ verdict }) => verdict === 'allow');

describe('paths that must be refused', () => {
  it('are, by every tool, and touch nothing', async () => {
    const place = hostilePlace();
    const session = await place.session();
    for (const { id, input } of rejected) {
      for (const call of pathCalls(input)) {
        const result = await runTool(session, call.tool, call.input);
        expect([id, call, faultsOf(place, call, input, result)]).toEqual([id, call, []]);
        if (call.inText || call.filter || namesRoot(call.tool, input)) continue;
        expect([id, call.tool, result]).toEqual([id, call.tool, refusal]);
      }
    }
    expect(place.git('for-each-ref', 'refs/vedit')).toBe('');
    expect(place.git('status', '--porcelain', '-uno')).toBe('');
  });

  it('are by the command line, in its own arguments and in the calls that it is piped', async () => {
    const place = hostilePlace();
    const branches = new Branches('inside', 'refused');
    for (const { id, input } of rejected) {
      const call = { tool: 'create', input: { path: input, file_text: 'x' } };
      const piped = await vedit(place, ['apply'], { input: `${JSON.stringify(call)}\n` });
      expect([id, piped.code === 0, JSON.parse(piped.out)]).toEqual([id, false, refusal]);
      for (const args of [
        ['create', '--text', 'x', '--', input],
        ['view', '--', input],
        ['rm', '--', input],
      ]) {
        const { code, out, err } = await vedit(place, args);
        // As git's own, arguments are cleaned of . and .. first, so some of them name a file of the work tree.
        branches.ran(code === 0 ? 'inside' : 'refused');
        if (code === 0)
          expect([id, args, relative(place.dir, resolve(place.dir, input))]).toEqual([id, args, INSIDE]);
        else
          expect([id, args, code, err]).toEqual([
            id,
            args,
            expect.toBeOneOf([EXIT.refused, EXIT.fatal]),
            expect.stringMatching(/^vedit: /),
          ]);
        expect(`${out}${err}`).not.toMatch(/\n\s+at |the secret/);
        expect([id, args, place.trespasses()]).toEqual([id, args, []]);
      }
    }
    branches.expectAll();
    expect(place.git('fsck', '--strict', '--no-dangling')).toBe('');
  });
});

const refusal: unknown = expect.objectContaining({ ok: false, code: expect.stringMatching(REFUSED) });

/** A name in the work tree, and not in its repository. */
const INSIDE: unknown = expect.not.stringMatching(/^(\.\.|\.git)(\/|$)/i);

/** What names no file may still name the folder to be listed. */
/** Of folders that exist there is a list to view, and files to restore. */
const namesRoot = (tool: string, path: string): boolean =>
  isRoot(path) && (tool === 'view' || (tool === 'restore' && path !== ''));

const isRoot = (path: string): boolean => /^(\.?\/?|a\/)$/.test(path);

describe('paths that must be allowed', () => {
  it('are, and are recorded under the very name that was given', async () => {
    const place = hostilePlace();
    const session = await place.session();
    for (const { id, input } of allowed) {
      const name = input.replace(/^(\.\/)+/, '');
      const made = await runTool(session, 'create', { path: input, file_text: 'x\n' });
      expect([id, made]).toEqual([id, expect.objectContaining({ ok: true })]);
      expect([id, existsSync(place.path(name))]).toEqual([id, true]);
      const listed = place.pipe('', 'ls-tree', '-rz', '--name-only', 'vedit/main').toString().split('\0');
      expect(listed).toContain(name);
      const moved = await runTool(session, 'move', { path: input, new_path: 'z/moved' });
      expect([id, moved.ok]).toEqual([id, true]);
      expect((await runTool(session, 'undo', { count: 2 })).ok).toBe(true);
      expect(place.trespasses()).toEqual([]);
    }
    expect(place.git('fsck', '--strict')).toBe('');
    expect(place.git('diff', '--stat', 'main', 'vedit/main')).toBe('');
  });

  it('are by the command line, with -- before those that begin with a dash', async () => {
    const place = hostilePlace();
    for (const { id, input } of allowed) {
      const made = await vedit(place, ['create', '--text', 'x', '--', input]);
      expect([id, made]).toEqual([id, expect.objectContaining({ code: 0 })]);
      expect((await vedit(place, ['rm', '--', input])).code).toBe(0);
    }
    expect(place.trespasses()).toEqual([]);
  });
});

it('paths made of their pieces touch nothing that they must not', async () => {
  const { lost } = await fuzzPaths(40, SEED);
  expect(lost, SEEDED).toEqual([]);
});
