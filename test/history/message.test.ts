import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatMessage,
  formatSubject,
  formatTitle,
  parseMessage,
  SUBJECT_LIMIT,
} from '../../src/history/message.ts';

const META = {
  op: 'str_replace',
  paths: ['src/a b.ts', 'é.md'],
  session: 's1',
  agent: 'claude',
  undoes: ['a'.repeat(40)],
};

const trailersOf = (message: string): string => message.slice(message.indexOf('Vedit-Op'));

describe('the message of a trail commit', () => {
  it('reads back what was written', () => {
    const parsed = parseMessage(formatMessage('str_replace x (+1 -1)', 'why\n\nand more', META));
    expect(parsed).toEqual({ subject: 'str_replace x (+1 -1)', reason: 'why\n\nand more', meta: META });
  });

  it.each([
    ['refuse expired tokens', ['src/auth.ts'], 'refuse expired tokens (src/auth.ts)', ''],
    ['refuse\n\nThey were old.', ['(shop)/a.ts'], 'refuse ((shop)/a.ts)', 'They were old.'],
    ['refuse\nThey were old.', ['a.ts', 'b.ts'], 'refuse... (2 files)', 'refuse\nThey were old.'],
    ['x'.repeat(200), ['a.ts'], `${'x'.repeat(90)}... (a.ts)`, 'x'.repeat(200)],
    ['wait...', ['a.ts'], 'wait... (a.ts)', 'wait...'],
  ])('of %j says it in its subject', (reason, paths, subject, body) => {
    const meta = { ...META, paths };
    const message = formatMessage(formatTitle(reason, paths)!, reason, meta);
    expect(message).toBe([subject, ...(body ? [body] : []), trailersOf(message)].join('\n\n'));
    expect(parseMessage(message)).toMatchObject({ subject, reason });
  });

  it('keeps any reason, whatever its subject', () => {
    const word = fc.constantFrom(
      'why',
      '...',
      '(a)',
      '(2 files)',
      ' (+1 -1)',
      '(a) (a)',
      '\n',
      '\n\n',
      ' ',
      'a -> b',
    );
    const paths = fc.constantFrom(['a'], ['a', 'b'], ['+1 -1'], ['2 files'], ['a) (a'], ['x'.repeat(90)]);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), paths, fc.boolean(), (words, names, isMove) => {
        const reason = words
          .join('')
          .trim()
          .replace(/\n{3,}/g, '\n\n');
        const title = formatTitle(reason, names, isMove && names.length === 2) ?? 'edit a (+1 -1)';
        expect(parseMessage(formatMessage(title, reason, { ...META, paths: names })).reason).toBe(reason);
      }),
    );
  });

  it('is read by git in the same way', () => {
    const message = formatMessage('str_replace x (+1 -1)', 'Vedit-Op: forged\n---\nmore', META);
    const trailers = execFileSync('git', ['interpret-trailers', '--parse'], {
      input: message,
      encoding: 'utf8',
    });
    expect(trailers.trim().split('\n')).toEqual([
      'Vedit-Op: str_replace',
      'Vedit-Path: src/a b.ts',
      'Vedit-Path: é.md',
      'Vedit-Session: s1',
      'Vedit-Agent: claude',
      `Vedit-Undoes: ${'a'.repeat(40)}`,
    ]);
  });

  it('names turn, sub-agent and client, and how it is known whose it is', () => {
    const meta = {
      ...META,
      client: 'codex-mcp-client',
      subagent: 'Explore',
      turn: '5f0e-1',
      certain: 'window',
    };
    const message = formatMessage('Bash a.txt (+1 -1)', undefined, meta);
    expect(parseMessage(message).meta).toEqual(meta);
    expect(message).toContain(
      'Vedit-Client: codex-mcp-client\nVedit-Subagent: Explore\nVedit-Turn: 5f0e-1\n',
    );
  });

  it('passes over what a newer version says', () => {
    const message = formatMessage('x', undefined, META).replace('Vedit-Op', 'Vedit-Newer: 1\nVedit-Op');
    expect(parseMessage(message).meta).toEqual(META);
  });

  it.each([' lead', 'trail ', '"quoted"', '"half', '\u00a0', ' a\\"b ', 'plain"'])(
    'keeps the path %j, and so does git',
    path => {
      const message = formatMessage('x', undefined, { ...META, paths: [path, 'other'] });
      expect(parseMessage(message).meta?.paths).toEqual([path, 'other']);
      const args = ['interpret-trailers', '--parse'];
      const trailers = execFileSync('git', args, { input: message, encoding: 'utf8' });
      expect(parseMessage(`x\n\n${trailers}`).meta?.paths).toEqual([path, 'other']);
    },
  );

  it('no reason can forge a trailer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Vedit-Op: evil', '', 'text', '---', 'Vedit-Session: x')),
        lines => {
          const parsed = parseMessage(formatMessage('create x (+1 -0)', lines.join('\n'), META));
          expect(parsed.meta).toEqual(META);
        },
      ),
    );
  });

  it.each(['a\nVedit-Op: evil', 'a\u0000', '\u001b[2J', ' a', '', 'a\u202eb', '\ud800'])(
    'refuses the agent name %j',
    agent => {
      expect(() => formatMessage('x', undefined, { ...META, agent })).toThrow(/Vedit-Agent cannot be/);
    },
  );

  it('refuses a reason with control characters', () => {
    expect(() => formatMessage('x', 'a\u001b[2Jb', META)).toThrow(/control characters/);
  });

  it('a message of somebody else has no trailers of ours', () => {
    expect(parseMessage('Fix it\n\nSigned-off-by: A <a@b.c>\n').meta).toBeNull();
    expect(parseMessage('Vedit-Op: str_replace\n').meta).toBeNull();
  });

  it('names any path', () => {
    const paths = ['caf\udce9', 'a\nb\x01', '\u202egnp', '"a\\n"', ' blank ', 'plain'];
    const message = formatMessage(formatSubject('shell', ['a\nb'], 0, 0), undefined, { op: 'shell', paths });
    expect(message).toMatch(/^shell "a\\nb" \(\+0 -0\)\n/);
    expect(parseMessage(message).meta!.paths).toEqual(paths);
  });

  it('the subject keeps to its limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), {
          minLength: 1,
          maxLength: 3,
        }),
        paths => {
          const subject = formatSubject('replace_lines', paths, 12345, 54321);
          expect([...subject].length).toBeLessThanOrEqual(SUBJECT_LIMIT);
          expect(subject).toMatch(/^replace_lines .*\(\+12345 -54321\)$/su);
        },
      ),
    );
  });
});
