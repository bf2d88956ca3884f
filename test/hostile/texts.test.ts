import { describe, expect, it } from 'vitest';
import { runTool } from '../../src/index.ts';
import { SEED, SEEDED } from '../fuzz/tally.ts';
import { fuzzTexts, tryTexts } from '../fuzz/texts.ts';
import { Branches } from '../helpers/branches.ts';
import { personRepo } from '../helpers/person-repo.ts';
import { vedit } from '../helpers/vedit.ts';

describe('texts that come with an edit', () => {
  it('cannot forge a trailer, break a commit or name another ref', async () => {
    expect((await fuzzTexts(150, SEED)).lost, SEEDED).toEqual([]);
  });

  it.each(['agent', 'model', 'id', 'call_id', 'edit_id', 'reason', 'trail'])(
    'of 1 MB as %s are refused at once',
    async field => {
      const repo = personRepo({ 'a.txt': 'a\n' });
      expect(await tryTexts(repo, { [field]: 'x'.repeat(1_000_000) }, 1)).toEqual([]);
      expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
    },
  );

  it('a reason of many paragraphs is the body, all of it, and only that', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const reason = 'one\n\nVedit-Op: undo\nVedit-Undoes: x\n\ntwo\n---\nthree';
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'b', reason });
    expect(repo.git('log', '-1', '--format=%(trailers:key=Vedit-Op,valueonly)', 'vedit/main').trim()).toBe(
      'str_replace',
    );
    const { data } = await session.show('@');
    expect(data).toMatchObject({ op: 'str_replace', undoes: [], reason: reason.replace('\n---', '\n ---') });
  });
});

const ESC = '\u001b[2J\u001b]0;owned\u0007\u009b1m\u202e\u0008';
/** Colours are ours: no other control character but a line feed and a tab reaches a terminal. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const withoutColours = (text: string): string => text.replace(/\u001b\[[\d;]*m/g, '');

describe('a terminal', () => {
  it.each(['auto', 'always'])(
    'gets no escape sequence out of files, names, messages and people (--color=%s)',
    async color => {
      const repo = personRepo({ 'a.txt': `one ${ESC}\ntwo\n`, [`n${ESC}.txt`]: 'x\n' });
      repo.git('config', 'user.name', `Ada ${ESC}`);
      repo.write('a.txt', `one ${ESC}\nby hand ${ESC}\ntwo\n`);
      repo.write('.git/hostile-message', `subject ${ESC}\n\nbody ${ESC}\n`);
      repo.git(
        '-c',
        'user.email=a@b',
        'commit',
        '-q',
        '-a',
        '--author',
        `Eve ${ESC} <e@e>`,
        '--cleanup=verbatim',
        '-F',
        '.git/hostile-message',
      );
      repo.write('a.txt', `one ${ESC}\nby hand ${ESC}\nthree ${ESC}\n`);
      const session = await repo.session();
      await session.edit('str_replace', {
        path: 'a.txt',
        old_str: 'three',
        new_str: `four ${ESC}`,
        reason: 'why',
      });
      const commands = [
        ['view', 'a.txt'],
        ['view', '.'],
        ['view', `n${ESC}.txt`],
        ['view', 'a.txt', '--at', 'HEAD'],
        ['log'],
        ['log', '--oneline'],
        ['log', '-p'],
        ['show'],
        ['show', 'HEAD'],
        ['diff'],
        ['diff', 'HEAD~1', 'HEAD'],
        ['blame', 'a.txt'],
        ['status'],
        ['verify'],
        ['replace', 'a.txt', 'four', `five ${ESC}`, '-n'],
        ['replace', 'a.txt', `no ${ESC}`, 'x'],
        ['create', `n${ESC}`, '--text', 'x'],
        ['undo', '-n'],
        [`command${ESC}`],
        ['view', `--option${ESC}`],
        ['-C', `folder${ESC}`, 'status'],
        ['log', '--since', ESC],
        ['show', ESC],
        ['apply', ESC],
      ];
      for (const args of commands) {
        const { out, err } = await vedit(
          repo,
          [...args, ...(args[0]!.startsWith('c') ? [] : []), `--color=${color}`],
          {
            tty: ['out', 'err'],
            env: { PAGER: '', TERM: 'xterm' },
          },
        );
        expect([args[0], withoutColours(out).match(CONTROLS)]).toEqual([args[0], null]);
        expect([args[0], withoutColours(err).match(CONTROLS)]).toEqual([args[0], null]);
        expect(err).not.toMatch(/\n {4}at /);
      }
    },
  );

  it('a colour of a file is none of ours', async () => {
    const repo = personRepo({ 'a.txt': 'red \u001b[31m text\n' });
    const { out } = await vedit(repo, ['view', 'a.txt', '--color=always'], {
      tty: ['out'],
      env: { PAGER: '' },
    });
    expect(out).toContain('red ^[[31m text');
  });

  it('JSON for programs is safe to show, too', async () => {
    const repo = personRepo({ 'a.txt': `${ESC}\n` });
    const { out } = await vedit(repo, ['view', 'a.txt', '--json'], { tty: ['out'] });
    expect(out.match(CONTROLS)).toBe(null);
    expect(JSON.parse(out).data.text).toBe(`${ESC}\n`);
  });
});

it('a ref, a folder or a command of a shell is never made of a text', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const branches = new Branches('taken', 'refused');
  for (const trail of [
    'main',
    '../../heads/main',
    'a..b',
    '-x',
    '/x',
    'x.lock',
    'x/',
    '@',
    'a b',
    'heads/../x',
    '$(touch pwned)',
    'a\nb',
  ]) {
    const session = await repo.session('s1', { trail }).catch(error => error);
    const result = session.code
      ? session
      : await runTool(session, 'str_replace', { path: 'a.txt', old_str: 'a', new_str: 'a1' });
    branches.ran(result.ok ? 'taken' : 'refused');
    if (result.ok)
      expect([trail, repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit')]).toEqual([
        trail,
        expect.stringContaining(trail),
      ]);
    else expect([trail, result.code]).toEqual([trail, 'INVALID_INPUT']);
    repo.git('checkout', '-q', '-f', 'main');
  }
  branches.expectAll();
  expect(repo.git('log', '--format=%s', 'main')).toBe('start');
  expect(repo.git('fsck', '--strict')).toBe('');
});
