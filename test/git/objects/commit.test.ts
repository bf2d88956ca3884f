import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromLatin1, utf8 } from '../../../src/bytes.ts';
import {
  type Commit,
  encodeCommit,
  formatIdentity,
  parseCommit,
  parseCommitHead,
} from '../../../src/git/objects/commit.ts';
import { EMPTY_TREE } from '../../../src/git/objects/object.ts';
import { repository } from '../../helpers/real-git.ts';

const ADA = { name: 'Ada Löwe', email: 'ada@example.com', seconds: 1700000000, offsetMinutes: 90 };
const BOB = { name: 'bob', email: 'bob', seconds: 0, offsetMinutes: -480 };
const COMMIT: Commit = {
  tree: EMPTY_TREE,
  parents: [],
  author: ADA,
  committer: BOB,
  message: 'Subject\n\nBody\n',
};

test('git accepts a commit made here, and reads the same from it', () => {
  const box = repository();
  expect(box.pipe('', 'mktree').toString().trim()).toBe(EMPTY_TREE);
  const first = box
    .pipe(encodeCommit(COMMIT), 'hash-object', '-t', 'commit', '-w', '--stdin')
    .toString()
    .trim();
  const second = encodeCommit({ ...COMMIT, parents: [first], message: 'no newline at the end' });
  const oid = box.pipe(second, 'hash-object', '-t', 'commit', '-w', '--stdin').toString().trim();
  box.git('update-ref', 'refs/heads/main', oid);
  expect(box.git('fsck', '--strict')).toBe('');
  expect(box.git('log', '--format=%an|%ae|%ad|%cn|%ce|%cd|%s|%P', '--date=raw')).toBe(
    `Ada Löwe|ada@example.com|1700000000 +0130|bob|bob|0 -0800|no newline at the end|${first}\n` +
      'Ada Löwe|ada@example.com|1700000000 +0130|bob|bob|0 -0800|Subject|',
  );
});

test('what is written is read back', () => {
  const name = fc.stringMatching(/^[A-Za-zé☃"']([A-Za-z .é☃]*[A-Za-z.])?$/u);
  const identity = fc.record({
    name,
    email: name,
    seconds: fc.integer({ min: 0, max: 253402300799 }),
    offsetMinutes: fc.integer({ min: -1439, max: 1439 }),
  });
  const message = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .map(text => `x${text.replaceAll('\0', '')}\n`);
  const oid = fc.stringMatching(/^[0-9a-f]{40}$/);
  const commit = fc.record({
    tree: oid,
    parents: fc.array(oid, { maxLength: 3 }),
    author: identity,
    committer: identity,
    message,
  });
  fc.assert(
    fc.property(commit, value => {
      expect(parseCommit(encodeCommit(value))).toEqual({ ...value, headers: [] });
    }),
  );
});

test.each([
  ['an empty name', { author: { ...ADA, name: '' } }],
  ['a blank name', { author: { ...ADA, name: ' ' } }],
  ['a name with a line break', { author: { ...ADA, name: 'a\ncommitter Eve' } }],
  ['a name with <', { author: { ...ADA, name: 'a <b>' } }],
  ['a name with NUL', { committer: { ...ADA, name: 'a\0' } }],
  ['a name with an escape sequence', { committer: { ...ADA, name: 'a\x1b[31m' } }],
  ['an empty address', { committer: { ...ADA, email: '' } }],
  ['an address with >', { committer: { ...ADA, email: 'a>b' } }],
  ['a lone surrogate', { committer: { ...ADA, email: '\ud800' } }],
  ['a fraction of a second', { author: { ...ADA, seconds: 1.5 } }],
  ['a date before 1970', { author: { ...ADA, seconds: -1 } }],
  ['a date that is none', { author: { ...ADA, seconds: Number.NaN } }],
  ['a date out of range', { author: { ...ADA, seconds: 1e15 } }],
  ['a time zone of a day', { author: { ...ADA, offsetMinutes: 1440 } }],
  ['an empty message', { message: ' \n' }],
  ['a message with NUL', { message: 'a\0b' }],
  ['a short tree id', { tree: 'abc' }],
  ['a parent in capitals', { parents: ['A'.repeat(40)] }],
])('%s is refused', (_, change) => {
  expect(() => encodeCommit({ ...COMMIT, ...change })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
});

test('headers of several lines, other encodings and missing messages are read', () => {
  const head = `tree ${EMPTY_TREE}\nauthor J\xf6rg <j@x> 1 +0000\ncommitter C <c@x> 2 -0130\n`;
  const signed = parseCommit(
    fromLatin1(`${head}encoding ISO-8859-1\ngpgsig one\n two\n \n three\n\nm\xfc\n`),
  );
  expect(signed.author).toEqual({ name: 'Jörg', email: 'j@x', seconds: 1, offsetMinutes: 0 });
  expect(signed.committer.offsetMinutes).toBe(-90);
  expect(signed.message).toBe('mü\n');
  expect(signed.headers).toEqual([
    ['encoding', 'ISO-8859-1'],
    ['gpgsig', 'one\ntwo\n\nthree'],
  ]);
  expect(parseCommit(fromLatin1(head)).message).toBe('');
  expect(parseCommit(fromLatin1(`${head}encoding x-unknown\n\nm\xfc`)).message).toBe('mü');
});

test('broken author lines of old tools are read as far as they go', () => {
  const read = (line: string) => parseCommit(utf8(`tree ${EMPTY_TREE}\nauthor ${line}\n\nm`)).author;
  expect(read('A <a@b> 12')).toEqual({ name: 'A', email: 'a@b', seconds: 12, offsetMinutes: 0 });
  expect(read('A <a@b>')).toEqual({ name: 'A', email: 'a@b', seconds: 0, offsetMinutes: 0 });
  expect(read('<> 5 +0200')).toEqual({ name: '', email: '', seconds: 5, offsetMinutes: 120 });
});

test('a commit without a tree is damage', () => {
  const parse = () => parseCommit(utf8('author A <a> 1 +0000\n\nm'));
  expect(parse).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
});

test('an identity is written as in a reflog', () => {
  expect(formatIdentity({ ...BOB, offsetMinutes: -5 })).toBe('bob <bob> 0 -0005');
});

describe('the headers that walks need', () => {
  const [tree, one, two] = ['a', 'b', 'c'].map(digit => digit.repeat(40));
  const who = 'A. U. Thor <a@b.invalid>';
  const lines = [
    `tree ${tree}`,
    `parent ${one}`,
    `parent ${two}`,
    `author ${who} 12 +0100`,
    `committer ${who} 99 -0230`,
  ];
  const message = 'subject\n\nparent of all\n';

  test.each<[string, string[]]>([
    ['as git writes them', lines],
    ['without parents', [lines[0]!, ...lines.slice(3)]],
    ['with others after them', [...lines, 'encoding ISO-8859-1', `gpgsig parent ${one}`, ` parent ${two}`]],
    ['with a name in another encoding', [...lines.slice(0, 4), `committer \xe9 <\xff> 99 -0230`]],
    ['with a date that is none', [...lines.slice(0, 4), `committer ${who} soon`]],
    ['with a date without a zone', [...lines.slice(0, 4), `committer ${who} 77`]],
    ['with a date in a name', [...lines.slice(0, 4), 'committer A <a@b.invalid> 5 +0000> 6 +0000']],
    ['without a committer', lines.slice(0, 4)],
    ['without an author', [...lines.slice(0, 3), lines[4]!]],
  ])('are read %s as when all are read', (_, headers) => {
    const content = Buffer.from(`${headers.join('\n')}\n\n${message}`, 'latin1');
    const whole = parseCommit(content);
    expect(parseCommitHead(content)).toEqual({
      tree: whole.tree,
      parents: whole.parents,
      seconds: whole.committer.seconds,
    });
  });

  test.each([
    ['no tree', 'tree x\n'],
    [
      'a parent that is no id',
      `tree ${tree}\nparent ${one}0\nauthor ${who} 1 +0000\ncommitter ${who} 1 +0000\n\n`,
    ],
  ])('are refused where there is %s', (_, text) => {
    expect(() => parseCommitHead(Buffer.from(text))).toThrow(/no valid/);
  });
});
