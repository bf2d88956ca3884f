import { describe, expect, it } from 'vitest';
import { runTool } from '../../src/index.ts';
import { runMemory, runTextEditor } from '../../src/tools/dialects/anthropic.ts';
import { runPatchOperation } from '../../src/tools/dialects/patch-operation.ts';
import { tools } from '../../src/tools/index.ts';
import { faultOf, fuzzApply, fuzzTools } from '../fuzz/json.ts';
import { SEED, SEEDED } from '../fuzz/tally.ts';
import { personRepo } from '../helpers/person-repo.ts';
import { vedit } from '../helpers/vedit.ts';

it('inputs of any shape are answered with a code', async () => {
  expect((await fuzzTools(1500, SEED)).lost, SEEDED).toEqual([]);
});

it('so are lines of any kind, and the call after them is done', async () => {
  expect((await fuzzApply(60, SEED)).lost, SEEDED).toEqual([]);
});

const NO_COMMANDS: readonly unknown[] = ['constructor', '__proto__', '', null, 1, { toString: 1 }, ['view']];

it.each(NO_COMMANDS.map(command => ({ command })))(
  'as the command of a tool with many: %j',
  async ({ command }) => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    const words = { command, action: command, type: command, path: 'a.txt' };
    const results = [
      await runTextEditor(session, words),
      await runMemory(session, words),
      await runPatchOperation(session, words),
      await runTool(session, command as string, words),
    ];
    for (const result of results) expect(result).toMatchObject({ ok: false, code: 'INVALID_INPUT' });
  },
);

/** A tool for each kind of schema. */
const NAMES = ['view', 'str_replace', 'edit_lines', 'apply_patch', 'change', 'undo', 'rollback'];

/** JSON that a parser takes and a program may not. */
const SHAPES: ReadonlyArray<readonly [name: string, make: () => unknown]> = [
  ['100,000 lists in each other', () => JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))],
  ['100,000 objects in each other', () => JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
  [
    '20,000 unknown fields',
    () => Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field${n}`, n])),
  ],
  ['100,000 items', () => Array.from({ length: 100_000 }, (_, n) => n)],
  ['a text of 5 MB', () => 'x'.repeat(5_000_000)],
  [
    'own fields named like those of every object',
    () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
  ],
];

describe.each(SHAPES)('%s', (_name, make) => {
  it('as the input, as a field and in an edit of a change is refused', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    for (const tool of tools.filter(({ name }) => NAMES.includes(name))) {
      const [field = 'path'] = Object.keys(tool.input.shape);
      for (const input of [
        make(),
        { ...tool.example, [field]: make() },
        { ...tool.example, extra: make(), dry_run: true },
      ]) {
        const result = await runTool(session, tool.name, input);
        expect([tool.name, faultOf(repo, result)]).toEqual([tool.name, null]);
      }
    }
    for (const edits of [
      make(),
      [make()],
      [{ edit: 'create', path: make() }],
      [{ edit: make(), path: 'x' }],
    ]) {
      const result = await runTool(session, 'change', { edits });
      expect([result.ok, faultOf(repo, result)]).toEqual([false, null]);
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(repo.read('a.txt')).toBe('a\n');
  });

  it('as a line of apply is answered, and the next call is done', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const value = make();
    const depth =
      Array.isArray(value) && value.length === 1 ? '['.repeat(100_000) + ']'.repeat(100_000) : null;
    const text = depth ?? safeJson(value);
    if (text === null) return;
    const input = `{"tool":"view","input":${text}}\n{"tool":"view","input":{"path":"a.txt"}}\n`;
    const { out } = await vedit(repo, ['apply'], { input });
    const answers = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(answers.map(answer => faultOf(repo, answer))).toEqual([null, null]);
    expect(answers.map(answer => answer.ok)).toEqual([false, true]);
  });
});

/** `null` for what JSON.stringify is too deep for. */
function safeJson(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}
