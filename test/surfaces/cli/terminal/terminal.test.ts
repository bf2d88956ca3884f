import { existsSync, readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { OutputClosed, Terminal } from '../../../../src/surfaces/cli/terminal/terminal.ts';
import { personRepo, plainFolder, type Ran, type RunOptions, vedit } from '../../../helpers/vedit.ts';

const ESC = '\u001b';
const HOSTILE = `a${ESC}]0;title\u0007 \u202e\n`;

async function diffOfHostile(args: string[], options: RunOptions): Promise<Ran> {
  const box = personRepo();
  box.write('evil.txt', HOSTILE);
  return vedit(box, ['replace', 'evil.txt', 'title', 'name', '-n', ...args], options);
}

describe('colour', () => {
  it.each<[string, boolean, string[], RunOptions]>([
    ['a pipe', false, [], {}],
    ['a terminal', true, [], { tty: ['out'] }],
    ['a terminal that is dumb', false, [], { tty: ['out'], env: { TERM: 'dumb' } }],
    ['a terminal with NO_COLOR', false, [], { tty: ['out'], env: { NO_COLOR: '1' } }],
    ['a terminal with an empty NO_COLOR', true, [], { tty: ['out'], env: { NO_COLOR: '' } }],
    ['a terminal with --color=never', false, ['--color=never'], { tty: ['out'] }],
    ['a pipe with FORCE_COLOR', true, [], { env: { FORCE_COLOR: '1' } }],
    ['a pipe with FORCE_COLOR=0', false, [], { env: { FORCE_COLOR: '0' } }],
    ['a pipe with --color always', true, ['--color', 'always'], {}],
    ['a pipe with --color=always and NO_COLOR', true, ['--color=always'], { env: { NO_COLOR: '1' } }],
    ['a pipe with NO_COLOR and FORCE_COLOR', false, [], { env: { NO_COLOR: '1', FORCE_COLOR: '1' } }],
  ])('on %s: %s', async (_, colored, args, options) => {
    const { out } = await diffOfHostile(args, { ...options, env: { VEDIT_PAGER: '', ...options.env } });
    expect(out.includes(`${ESC}[32m+a`)).toBe(colored);
  });
});

describe('hostile text', () => {
  it.each<[string, string[], RunOptions]>([
    ['on a terminal', [], { tty: ['out'] }],
    ['on a terminal without colours', ['--color=never'], { tty: ['out'] }],
    ['when colours are forced', ['--color=always'], {}],
  ])('is shown, not obeyed, %s', async (_, args, options) => {
    const { out } = await diffOfHostile(args, options);
    expect(out.replace(/\u001b\[[\d;]*m/g, '')).toContain('a^[]0;title^G <U+202E>');
    expect(out).not.toMatch(/\u001b\]|\u0007|\u202e/);
  });

  it.each([[['review']], [['land', '-p']], [['log']], [['show', '@']]])(
    'of a commit from elsewhere is shown, not obeyed, by %j',
    async args => {
      const box = personRepo();
      await vedit(box, ['replace', 'a.txt', 'two', 'x', '--agent', 'bot']);
      box.write('evil.txt', HOSTILE);
      const blob = box.git('hash-object', '-w', 'evil.txt');
      box.git('update-index', '--add', '--cacheinfo', `100644,${blob},evil.txt`);
      const tree = box.git('write-tree');
      box.git('reset', '-q');
      const message = `create evil${ESC}]0;title\u0007.txt\n\nwhy ${ESC}[2J\u202e\n\nVedit-Op: create\nVedit-Path: evil.txt\nVedit-Agent: e${ESC}[31mvil\nVedit-Session: s\n`;
      const commit = box.git('commit-tree', tree, '-p', 'vedit/main', '-m', message);
      box.git('update-ref', 'refs/vedit/main', commit);
      const { out, err } = await vedit(box, args, {
        tty: ['in', 'out', 'err'],
        input: 'n\nn\nn\n',
        env: { VEDIT_PAGER: '' },
      });
      expect(out + err).toContain('evil');
      expect((out + err).replace(/\u001b\[[\d;]*[mK]/g, '')).not.toMatch(/[\u001b\u0007\u202e]/);
    },
  );

  it('reaches a pipe as it is', async () => {
    expect((await diffOfHostile([], {})).out).toContain(`-${HOSTILE}`);
  });

  it('in an argument is escaped in the complaint', async () => {
    const { err } = await vedit(plainFolder(), [`${ESC}[2Jx`], { tty: ['err'] });
    expect(err).toContain('^[[2Jx');
    expect(err).not.toContain(ESC);
  });

  it('is escaped by JSON everywhere', async () => {
    const box = personRepo();
    box.write('evil.txt', HOSTILE);
    const { out } = await vedit(box, ['view', 'evil.txt', '--json']);
    expect(out).not.toMatch(/[\u0000-\u0009\u001b\u202e]/);
    expect(JSON.parse(out).data.text).toBe(HOSTILE);
  });
});

describe('standard input', () => {
  it('is not waited for on a terminal', async () => {
    const { code, err } = await vedit(personRepo(), ['create', 'x.txt', '-'], { tty: ['in'] });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('standard input is a terminal') });
  });
});

describe('the pager', () => {
  const paged = async (args: string[], options: RunOptions): Promise<string | null> => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'two', 'TWO']);
    const file = box.path('..', 'paged');
    await vedit(box, args, { ...options, env: { PAGED: file, ...options.env } });
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  };
  const terminal = (env: NodeJS.ProcessEnv): RunOptions => ({ tty: ['out'], env });
  const TO_FILE = 'cat > "$PAGED"';

  it.each(['VEDIT_PAGER', 'GIT_PAGER', 'PAGER'])('is what %s names', async name => {
    expect(await paged(['log'], terminal({ [name]: TO_FILE }))).toContain('str_replace a.txt');
  });

  it.each([['show'], ['diff'], ['view', 'a.txt'], ['log', '-p']])(
    'reads %j %j in colour',
    async (...args) => {
      expect(await paged(args, terminal({ VEDIT_PAGER: TO_FILE }))).toContain(`${ESC}[`);
    },
  );

  it('VEDIT_PAGER comes first, and may name none', async () => {
    expect(await paged(['log'], terminal({ VEDIT_PAGER: '', PAGER: TO_FILE }))).toBeNull();
    expect(await paged(['log'], terminal({ VEDIT_PAGER: 'cat', PAGER: TO_FILE }))).toBeNull();
  });

  it('is not used with --no-pager, for JSON, or in a pipe', async () => {
    expect(await paged(['log', '--no-pager'], terminal({ PAGER: TO_FILE }))).toBeNull();
    expect(await paged(['--no-pager', 'log'], terminal({ PAGER: TO_FILE }))).toBeNull();
    expect(await paged(['log', '--json'], terminal({ PAGER: TO_FILE }))).toBeNull();
    expect(await paged(['log'], { env: { PAGER: TO_FILE } })).toBeNull();
  });

  it('gets the options that git gives to less, unless the user has some', async () => {
    const options = 'echo "$LESS" > "$PAGED"; cat > /dev/null';
    expect(await paged(['log'], terminal({ PAGER: options }))).toBe('FRX\n');
    expect(await paged(['log'], terminal({ PAGER: options, LESS: 'R' }))).toBe('R\n');
  });

  it('that is left early ends the command quietly', async () => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'two', 'x'.repeat(3_000_000)]);
    const { code, err } = await vedit(box, ['show'], terminal({ PAGER: 'head -n 1 > /dev/null' }));
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('is never what the config of a repository names', async () => {
    const box = personRepo();
    const file = box.path('..', 'started');
    box.git('config', 'core.pager', `touch ${file}; cat`);
    box.git('config', 'pager.log', `touch ${file}; cat`);
    await vedit(box, ['replace', 'a.txt', 'two', 'TWO']);
    await vedit(box, ['log'], { tty: ['out'], env: { PATH: '' } });
    expect(existsSync(file)).toBe(false);
  });
});

describe('an answer', () => {
  it('is not waited for once its reader has gone', async () => {
    const broken = () =>
      new Writable({ write: (_, __, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })) });
    const streams = { stdin: process.stdin, stdout: broken(), stderr: broken(), env: {}, cwd: () => '/' };
    const out = new Terminal(streams);
    await expect(out.print('a')).rejects.toBeInstanceOf(OutputClosed);
  });
});
