/** Keys in their published forms are found, and nothing else is. No key stands here: all are made when the test runs. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findSecrets, KEY_MARKS } from '../../src/text/secrets.ts';
import { KEYS, randomOf } from './key-forms.ts';

describe.each(Object.entries(KEYS))('%s', (kind, make) => {
  it('is found in ten random keys, wherever it stands', () => {
    for (let n = 0; n < 10; n++) {
      const key = make();
      const places = [key, `KEY=${key}\n`, `{"key":"${key}"}`, `first\n  key: '${key}',`, `"a\\n${key}\\n"`];
      for (const text of places) {
        const found = findSecrets(text);
        expect([text, found.map(one => one.kind)]).toEqual([text, [kind]]);
      }
    }
  });

  it('is none where it is cut short, or a part of something longer', () => {
    const key = make();
    const short = key.slice(0, key.includes('PRIVATE KEY') ? 40 : 18);
    expect(findSecrets(`a ${short} b`)).toEqual([]);
    if (!key.includes('PRIVATE KEY')) expect(findSecrets(`x${key.slice(0, 30)}`)).toEqual([]);
  });
});

it('is tried in every form that is looked for, with 300 keys and more', () => {
  const keys = Object.values(KEYS).flatMap(make => Array.from({ length: 40 }, make));
  expect(KEY_MARKS.filter(mark => !keys.some(key => key.includes(mark)))).toEqual([]);
  expect(Object.keys(KEYS).length * 10).toBeGreaterThanOrEqual(300);
});

describe('a text', () => {
  it('tells the line of each key, in their order', () => {
    const [first, second] = [KEYS['an npm token']!(), KEYS['an AWS access key']!()];
    const found = findSecrets(`one\n${first}\n\nfour ${second}`);
    expect(found.map(({ kind, line }) => [kind, line])).toEqual([
      ['an npm token', 2],
      ['an AWS access key', 4],
    ]);
  });

  it.each([
    ['the example of AWS', `${'AKIA'}IOSFODNN7EXAMPLE`],
    ['a key of one letter', `ghp_${'x'.repeat(36)}`],
    ['a key of a pattern', `npm_${'1234567890'.repeat(4).slice(0, 36)}`],
    ['a blob id', randomOf('0123456789abcdef', 40)],
    ['a UUID', '6f1c0d9e-5d7b-4d51-9f9c-2f0c3b7c5a11'],
    ['an integrity of npm', `sha512-${randomOf('abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789+/', 86)}==`],
    ['a public key', `-----BEGIN PUBLIC KEY-----\n${randomOf('ABCDEFGHIJ0123456789', 64)}`],
    ['a header of a key without one', `${'-----BEGIN RSA PRIVATE '}KEY-----\n...\n`],
    ['a test key of Stripe', `sk_test_${randomOf('abcdefghijklmnopqrstuvwxyzABCDEFGH0123456789', 24)}`],
    ['a name with the mark of a key', 'const hf_tokenizer_configuration_of_the_model = ghs_count;'],
  ])('has none in %s', (_, text) => {
    expect(findSecrets(text)).toEqual([]);
  });

  it('is searched in no time, whatever it repeats', () => {
    const begin = `${'-----BEGIN PRIVATE '}KEY-----`;
    for (const part of [`${begin} `, `${begin}\na: `, 'sk-a-', `sk-${'a'.repeat(99)}`, '1:AA', ' \\n'])
      expect(findSecrets(`${begin}T3BlbkFJ:AA${part.repeat(20_000)}`)).toEqual([]);
  });
});

it('is handed on by the front of the hooks, whatever its form', () => {
  const front = readFileSync('bin/vedit-hook', 'utf8');
  for (const mark of KEY_MARKS) expect(front).toContain(`*${mark.replace(' ', '\\ ')}*`);
});

it('finds none in 200,000 lines of public sources', () => {
  let lines = 0;
  for (const name of [
    'typescript',
    'zod',
    'vitest',
    'vite',
    'preact',
    'commander',
    '@types/node',
    'isomorphic-git',
  ])
    for (const file of readdirSync(`node_modules/${name}`, { recursive: true, encoding: 'utf8' })) {
      if (!/\.([cm]?[jt]s|md|json)$/.test(file)) continue;
      const text = readFileSync(`node_modules/${name}/${file}`, 'utf8');
      lines += text.split('\n').length;
      expect([file, findSecrets(text).map(({ kind, line }) => [kind, line])]).toEqual([file, []]);
    }
  expect(lines).toBeGreaterThan(200_000);
});
