/** The real program, as people, scripts and git start it. */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { describe, expect, it } from 'vitest';
import { BIN, bin, cleanEnv, content, personRepo, plainFolder } from '../../helpers/vedit.ts';

describe('the program', () => {
  it('carries an agent through a session of its own and a person through the history', async () => {
    const box = personRepo();
    const calls = [
      { tool: 'view', input: { path: 'a.txt' } },
      { tool: 'replace_lines', input: { path: 'a.txt', start_line: 2, end_line: 2, new_content: 'TWO' } },
      { tool: 'create', input: { path: 'docs/n.md', file_text: '# N\n' } },
    ];
    const input = calls.map(call => JSON.stringify(call)).join('\n');
    expect((await bin(box, ['apply', '--agent', 'fixer', '--session', 's1'], { input })).code).toBe(0);
    expect((await bin(box, ['replace', 'a.txt', 'three', 'THREE'])).code).toBe(0);
    expect((await bin(box, ['undo', '--session', 's1'])).err).toContain('undo docs/n.md');
    const { out } = await bin(box, ['log', '--oneline', '--agent', 'fixer']);
    expect(out.split('\n').map(line => line.slice(34).replace(/[0-9a-f]{12}/, 'ID'))).toEqual([
      'fixer: create docs/n.md (+1 -0) (taken back by ID)',
      'fixer: replace_lines a.txt (+1 -1)',
      '',
    ]);
    expect((await bin(box, ['rollback', 'main'])).code).toBe(0);
    expect(content(box, 'a.txt')).toBe('one\ntwo\nthree\n');
    expect(box.git('status', '--porcelain') + box.git('fsck', '--strict')).toBe('');
  });

  it('is `git vedit` when it is on the path, also from a folder below', async () => {
    const box = personRepo();
    symlinkSync(BIN, box.path('..', 'git-vedit'));
    const env = cleanEnv(box, { PATH: `${box.path('..')}:${process.env.PATH}` });
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: box.path('src'), env, stdio: 'pipe' }).toString();
    expect(git('vedit', 'view', 'b.txt:1')).toBe('     1\tx = 1\n');
    expect(git('-C', box.dir, 'vedit', 'replace', 'a.txt', 'two', 'TWO')).toContain('+TWO');
  });

  it('exits with the codes of the table', async () => {
    const box = personRepo();
    const codes = [['--version'], ['replace', 'a.txt', 'gone', 'x'], ['bogus'], ['-C', '/', 'status']];
    const exits = await Promise.all(codes.map(async args => (await bin(box, args)).code));
    expect(exits).toEqual([0, 1, 2, 128]);
  });

  it('ends as a program that was interrupted, and leaves nothing in the way', async () => {
    const box = personRepo();
    const child = spawn(process.execPath, [BIN, 'apply'], { cwd: box.dir, env: cleanEnv(box) });
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    child.stdin.write('{"tool":"status"}\n');
    await answers.next();
    child.kill('SIGINT');
    const ended = await new Promise(resolve =>
      child.once('close', (code, signal) => resolve(signal ?? code)),
    );
    expect(ended).toBe('SIGINT');
    expect((await bin(box, ['replace', 'a.txt', 'two', 'TWO'])).code).toBe(0);
  });
});

describe('pipes', () => {
  it('answers a call before the next one is sent', async () => {
    const box = personRepo();
    const child = spawn(process.execPath, [BIN, 'apply'], { cwd: box.dir, env: cleanEnv(box) });
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ask = async (call: object): Promise<{ data: { version: string; paths: object[] } }> => {
      child.stdin.write(`${JSON.stringify(call)}\n`);
      return JSON.parse((await answers.next()).value);
    };
    const { version } = (await ask({ tool: 'view', input: { path: 'a.txt' } })).data;
    const input = { path: 'a.txt', insert_line: 0, insert_text: 'top', version };
    expect((await ask({ tool: 'insert', input })).data.paths).toHaveLength(1);
    child.stdin.end();
    expect(await new Promise(resolve => child.once('close', resolve))).toBe(0);
  });

  it('ends quietly when its reader has seen enough', () => {
    const box = personRepo();
    box.write('long.txt', 'a line of some length\n'.repeat(200_000));
    const command = `"$0" "$1" view long.txt --max-characters 100000000 | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const ran = spawnSync('bash', ['-c', command, process.execPath, BIN], {
      cwd: box.dir,
      env: cleanEnv(box),
    });
    expect(ran.stdout.toString()).toBe('     1\ta line of some length\n0\n');
    expect(ran.stderr.toString()).toBe('');
  });

  it.runIf(existsSync('/dev/full'))('says when its answer could not be written, and keeps the edit', () => {
    const box = personRepo();
    const command = '"$0" "$1" replace a.txt two TWO > /dev/full';
    const ran = spawnSync('bash', ['-c', command, process.execPath, BIN], {
      cwd: box.dir,
      env: cleanEnv(box),
    });
    expect(ran.status).toBe(128);
    expect(ran.stderr.toString()).toMatch(/^vedit: STORE_FAILED: The answer could not be written \(ENOSPC\)/);
    expect(content(box, 'a.txt')).toBe('one\nTWO\nthree\n');
  });
});

interface Coverage {
  result: Array<{ url: string }>;
}

const MODULES = join(import.meta.dirname, '../../../dist/surfaces/cli/main.js');

/** Every module that was loaded, as V8 counts it, of the modules that the joined file is made of. */
function loaded(...args: string[]): string[] {
  const box = plainFolder();
  const folder = box.path('coverage');
  const program = `import { main } from ${JSON.stringify(MODULES)}; await main(${JSON.stringify(args)});`;
  spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: box.dir,
    env: cleanEnv(box, { NODE_V8_COVERAGE: folder }),
  });
  const written = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'));
  return written.flatMap(text => (JSON.parse(text) as Coverage).result).map(({ url }) => url);
}

describe('what is loaded', () => {
  const part =
    /\/(node_modules\/(zod|isomorphic-git|diff)|dist\/(text|edits|git|stores|trail|workspace|tools))\//;
  /** A few lines each that stand on nothing: times as people write them, places of hunks, words of a status, what hooks hand over. */
  const small =
    /\/(text|trail|tools|workspace)\/(\w+\/)*(since|overwritten|editors|editor-name|place-words|status-words|words|agent-events|hooks\/([\w-]+\/)?[\w-]+)\.js$/;
  const isEngine = (url: string): boolean => part.test(url) && !small.test(url);

  it.each([[['--help']], [['--version']], [['replace', '--help']], [['completion', 'bash']], [['bogus']]])(
    'for %j is neither the engine nor what it stands on',
    args => {
      const urls = loaded(...args);
      expect(urls.some(url => url.includes('/commander/'))).toBe(true);
      expect(urls.filter(isEngine)).toEqual([]);
    },
  );

  it('for an edit is the engine: the trace does see it', () => {
    const urls = loaded('create', 'a.txt', '--text', 'x');
    expect(urls.some(url => url.includes('/dist/workspace/'))).toBe(true);
    expect(urls.some(url => url.includes('/dist/table/edits.js'))).toBe(true);
    expect(urls.filter(url => url.includes('/cli/commands/'))).toEqual([
      expect.stringContaining('/dist/surfaces/cli/commands/index.js'),
    ]);
  });
});
