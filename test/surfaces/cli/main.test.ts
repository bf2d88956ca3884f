import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/surfaces/cli/commands/index.ts';
import { FLAGS } from '../../../src/surfaces/cli/flags.ts';
import { unknownCommand } from '../../../src/surfaces/cli/program.ts';
import { GROUPS } from '../../../src/table/rows.ts';
import { tools } from '../../../src/tools/index.ts';
import { content, personRepo, plainFolder, vedit, veditJson } from '../../helpers/vedit.ts';

describe('exit codes', () => {
  it('0 when it is done', async () => {
    expect((await vedit(personRepo(), ['replace', 'a.txt', 'two', 'TWO'])).code).toBe(0);
  });

  it('1 when it is refused', async () => {
    const box = personRepo();
    const { code, out, err } = await vedit(box, ['replace', 'a.txt', 'four', 'x']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^vedit: NO_MATCH: .*a\.txt/);
  });

  it('128 in a folder that is gone, with the way out, which works', async () => {
    const box = personRepo();
    const cwd = (): string => {
      throw Object.assign(new Error('ENOENT: uv_cwd'), { code: 'ENOENT' });
    };
    const { code, err } = await vedit(box, ['status'], { cwd });
    expect({ code, err }).toMatchObject({
      code: 128,
      err: expect.stringMatching(/folder .* is gone.*cd.*-C/),
    });
    expect(await vedit(box, ['-C', box.dir, 'status'], { cwd })).toMatchObject({ code: 0 });
    const edit = ['-C', box.dir, 'replace', 'a.txt', 'two', 'TWO'];
    expect(await vedit(box, edit, { cwd })).toMatchObject({ code: 0 });
  });

  it('3 when the file has moved on', async () => {
    const box = personRepo();
    const base = box.git('rev-parse', 'HEAD');
    await vedit(box, ['replace', 'a.txt', 'two', 'TWO']);
    const { code, err } = await vedit(box, ['replace', 'a.txt', 'one', 'ONE', '--base', base]);
    expect(code).toBe(3);
    expect(err).toMatch(/^vedit: STALE: .*\+TWO.*--version-of "/s);
  });

  it('3 when an undo would overwrite later text', async () => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'two', 'TWO']);
    box.write('a.txt', 'other\n');
    expect(await vedit(box, ['undo'])).toMatchObject({ code: 3, err: expect.stringContaining('CONFLICT') });
    expect(content(box, 'a.txt')).toBe('other\n');
  });

  it.each([
    ['no repository', ['status'], 'NOT_A_REPOSITORY'],
    ['no such folder', ['-C', 'gone', 'status'], 'NOT_A_REPOSITORY'],
  ])('128 for %s', async (_, args, word) => {
    const { code, err } = await vedit(plainFolder(), args);
    expect(code).toBe(128);
    expect(err).toContain(`vedit: ${word}: `);
  });

  it('128 for a path outside of the work tree', async () => {
    const { code, err } = await vedit(personRepo(), ['view', '../secret']);
    expect({ code, err }).toMatchObject({ code: 128, err: expect.stringContaining('OUTSIDE_WORKSPACE') });
  });
});

/** Bad command lines; none may change anything. */
const BAD: ReadonlyArray<readonly [words: string, args: string[]]> = [
  ['unknown command', ['replce', 'a.txt', 'two', 'x']],
  ['unknown option', ['replace', 'a.txt', 'two', 'x', '--bogus']],
  ['missing required argument', ['replace']],
  ['the text to replace is missing', ['replace', 'a.txt']],
  ['the new text is missing', ['replace', 'a.txt', 'two']],
  ['OLD is given twice', ['replace', 'a.txt', 'two', 'x', '--old', 'one']],
  ['NEW is given 2 times', ['replace', 'a.txt', 'two', 'x', '--new', 'y']],
  ['too many arguments', ['replace', 'a.txt', 'two', 'x', 'y']],
  ['standard input can be used only once', ['replace', 'a.txt', '-', '-']],
  ['there are no new lines', ['lines', 'a.txt', '1', '--base', '@']],
  ['there are no new lines', ['lines', 'a.txt', '1', '', '--base', '@']],
  ['not both', ['lines', 'a.txt', '1', 'x', '--delete', '--base', '@']],
  ['RANGE must be', ['lines', 'a.txt', '1-x', 'new', '--base', '@']],
  ['LINE must be', ['insert', 'a.txt', 'x', 'new', '--base', '@']],
  ['the text is missing', ['insert', 'a.txt', '1', '--base', '@']],
  ['the content is missing', ['create', 'new.txt']],
  ['--text, --file or -', ['create', 'new.txt', 'text']],
  ['missing required argument', ['mv', 'a.txt']],
  ['N must be', ['undo', '0']],
  ['the path is given twice', ['undo', 'a.txt', '--path', 'b.txt']],
  ['missing required argument', ['revert']],
  ['missing required argument', ['rollback']],
  ['lines must be such as', ['blame', 'a.txt', '-L', 'x']],
  ['given twice', ['blame', 'a.txt:1', '-L', '1,2']],
  ['--since must be', ['log', '--since', 'lately']],
  ['missing required argument', ['revert']],
  ['missing required argument', ['blame']],
  ['name the files or folders to restore', ['restore', '--at', '~1']],
  ['leave A and B out', ['diff', '--outside', '@']],
  ['-n must be', ['log', '-n', '0']],
  ['lines must be such as', ['view', 'a.txt', '--lines', '1,x']],
  ['given twice', ['view', 'a.txt:1', '--lines', '1,2']],
  ['--color must be', ['log', '--color', 'sometimes']],
  ['argument missing', ['log', '--color']],
  ['for bash, zsh, fish', ['completion', 'csh']],
];

describe('a bad command line', () => {
  it.each(BAD)('%s: %j', async (words, args) => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE']);
    const state = (): string => box.git('for-each-ref') + box.git('status', '--porcelain');
    const before = state();
    const { code, out, err } = await vedit(box, args, { input: 'two' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^vedit: /);
    expect(err).toContain(words);
    expect(state()).toBe(before);
  });

  it('suggests what was meant', async () => {
    const box = plainFolder();
    expect((await vedit(box, ['replce'])).err).toContain('Did you mean replace?');
    expect((await vedit(box, ['log', '--oneliner'])).err).toContain('Did you mean --oneline?');
    expect((await vedit(box, ['unod'])).err).toContain('Did you mean undo?');
    expect((await vedit(box, ['comp'])).err).toContain('Did you mean completion?');
  });

  it.each([['lock'], ['foo'], ['log', '--page'], ['--verb', 'log']])(
    'is not guessed at where nothing is near: %s %s',
    async (...args) => {
      const { code, err } = await vedit(plainFolder(), args);
      expect(code).toBe(2);
      expect(err).toMatch(/^vedit: unknown (command|option) '.*'\n\(vedit.* --help .*\)\n$/);
    },
  );

  it('is answered in JSON when that was asked for', async () => {
    const answer = await veditJson(plainFolder(), ['replace', 'a.txt']);
    expect(answer).toMatchObject({
      exit: 2,
      ok: false,
      code: 'INVALID_INPUT',
      data: { usage: true },
      retryable: false,
    });
  });

  it('that is empty shows help and fails', async () => {
    const { code, out, err } = await vedit(plainFolder(), []);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^Usage: vedit /);
  });
});

describe('help', () => {
  it('says what ten commands do, and names by group the others that people use, on standard output', async () => {
    const { code, out, err } = await vedit(plainFolder(), ['--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const list = out.slice(out.indexOf('Begin with:\n'), out.indexOf('\n\nSet up:'));
    const first = list.split('\n').flatMap(line => /^ {2}(\w+)/.exec(line)?.[1] ?? []);
    const ten = 'log status review land undo rollback show blame watch install';
    expect(first.join(' ')).toBe(ten);
    expect(out).toMatch(
      /Set up:\n {2}help, .*\nLook closer:\n {2}diff, .*\nShare with others:\n {2}push, fetch\n/s,
    );
    expect(commands.filter(({ group }) => group !== GROUPS.at(-1))).toHaveLength(24);
    expect(out).not.toMatch(/\b(patch|mcp|hook)\b/);
    expect(out.split('\n').length).toBeLessThan(60);
    expect(out.split('\n').filter(line => line.length > 80)).toEqual([]);
  });

  it('says with programs what there is for them', async () => {
    const { out } = await vedit(plainFolder(), ['help', 'programs']);
    for (const { name, group } of commands)
      expect(out.includes(`\n  ${name} `), name).toBe(group === GROUPS.at(-1));
  });

  it('names the options that only programs use on one line, and says with programs what they do', async () => {
    const { out } = await vedit(plainFolder(), ['undo', '--help']);
    expect(out).toMatch(/^ {2}-n, --dry-run /m);
    expect(out).toMatch(/^For programs \(vedit help programs\): .*--mount/ms);
    expect(out).not.toMatch(/^ {2}--mount/m);
    expect((await vedit(plainFolder(), ['help', 'programs'])).out).toMatch(/^ {2}--mount <path> /m);
  });

  it('says with all what each command does, and what the exit codes mean', async () => {
    const { out } = await vedit(plainFolder(), ['help', 'all']);
    expect(out).toMatch(/Set up:\n {2}help {2,}print .*\n\nLook closer:\n {2}diff {2,}compare /s);
    for (const { name } of commands) expect(out).toContain(`\n  ${name} `);
    const codes = await vedit(plainFolder(), ['help', 'exit-codes']);
    expect(codes.out).toMatch(/^Exit codes:\n {2}0 {4}done\n.*\n {2}143 {2}ended by SIGTERM\n$/s);
  });

  it('names no more than 24 commands that people use', () => {
    expect(commands.filter(({ group }) => group !== GROUPS.at(-1)).length).toBeLessThanOrEqual(24);
    expect(commands.filter(({ group }) => group === GROUPS[0])).toHaveLength(10);
  });

  it.each([['revert'], ['log'], []])('is printed by help, too: %s', async (...name) => {
    const box = plainFolder();
    expect(await vedit(box, ['help', ...name])).toEqual(await vedit(box, [...name, '--help']));
  });

  it('is not there for a command that is not', async () => {
    const { code, out, err } = await vedit(plainFolder(), ['help', 'lgo']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      "vedit: unknown command 'lgo'\n(Did you mean log?)\n(vedit --help lists the commands)\n",
    );
  });

  it('names the command for every tool of the agents, and for words of other programs', () => {
    const names = new Set(commands.map(one => one.name));
    const hints = [...tools.map(({ name }) => name), 'rename', 'apply-patch'].map(word =>
      names.has(word) ? word : /Did you mean ([\w-]+)\?/.exec(unknownCommand(word))?.[1],
    );
    expect(hints.filter(hint => hint === undefined || !names.has(hint))).toEqual([]);
    expect(unknownCommand('preview')).toContain('-n');
    expect(hints.slice(-2)).toEqual(['mv', 'patch']);
    expect(unknownCommand('frobnicate')).not.toContain('Did you mean');
    // To preview is an option of each command.
    expect(tools.map(({ name }) => name).filter(name => !(name in FLAGS.tools!))).toEqual(['preview']);
  });

  it.each([['help'], ['--help'], ['help', 'log']])(
    'has its headings in bold on a terminal: %s %s',
    async (...args) => {
      const { out } = await vedit(plainFolder(), args, { tty: ['out'], env: { PAGER: 'cat' } });
      expect(out).toMatch(/^\u001b\[1mUsage:\u001b\[m vedit/);
    },
  );

  it('is the same after a command that needs arguments', async () => {
    const { code, out } = await vedit(plainFolder(), ['revert', '-h']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: vedit revert \[options\] <rev>\n/);
  });

  it('prints the version of the package', async () => {
    const { version } = (await import('../../../package.json')).default;
    expect((await vedit(plainFolder(), ['--version'])).out).toBe(`vedit ${version}\n`);
  });
});

describe('-C', () => {
  it('runs in another folder, before and after the command', async () => {
    const box = personRepo();
    expect((await vedit(box, ['-C', 'src', 'view', 'b.txt:1'])).out).toBe('     1\tx = 1\n');
    expect((await vedit(box, ['view', '-C', 'src', 'b.txt:1'])).out).toBe('     1\tx = 1\n');
  });

  it('adds up, as in git', async () => {
    const box = personRepo();
    expect((await vedit(box, ['-C', 'src', '-C', '..', 'view', 'a.txt:1'])).out).toBe('     1\tone\n');
  });

  it('makes paths relative to it, and edits are recorded from the top', async () => {
    const box = personRepo();
    const { code, err } = await vedit(box, ['-C', 'src', 'replace', 'b.txt', 'x = 1', 'x = 2']);
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^\[vedit\/main \w{7}\] str_replace src\/b\.txt/),
    });
    expect((await vedit(box, ['-C', 'src', 'create', '../top.txt', '--text', 'x\n'])).code).toBe(0);
    expect(existsSync(box.path('top.txt'))).toBe(true);
  });
});

describe('what nobody foresaw', () => {
  const cwd = (): string => {
    throw new Error('the folder is gone\nand more');
  };

  it('is one line without a stack, and 128', async () => {
    const { code, err } = await vedit(plainFolder(), ['status'], { cwd });
    expect(code).toBe(128);
    expect(err).toMatch(
      /^vedit: INTERNAL_ERROR: A fault inside the engine[^\n]*: the folder is gone\. [^\n]*\n$/,
    );
  });

  it('is JSON when that was asked for', async () => {
    const answer = await veditJson(plainFolder(), ['status'], { cwd });
    expect(answer).toMatchObject({ exit: 128, ok: false, code: 'INTERNAL_ERROR' });
  });

  it('shows its stack to those who debug', async () => {
    const { err } = await vedit(plainFolder(), ['status'], { cwd, env: { VEDIT_DEBUG: '1' } });
    expect(err).toMatch(/\bat .*:\d+:\d+/);
  });
});
