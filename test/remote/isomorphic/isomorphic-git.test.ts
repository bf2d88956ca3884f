/** What isomorphic-git takes from git's config. */

import { expect, it } from 'vitest';
import { parseConfig } from '../../../src/git/repository/config.ts';
import { addressOf, headersOf } from '../../../src/remote/isomorphic/isomorphic-git.ts';
import type { TransportPlace } from '../../../src/remote/transport.ts';

const addressIn = (text: string, given?: string): string =>
  addressOf({ remote: 'origin', repo: { config: parseConfig(text) } } as TransportPlace, given);

it.each([
  ['[remote "origin"]\nurl = https://example.com/a.git/', 'https://example.com/a.git'],
  [
    '[remote "origin"]\nurl = gh:a.git\n[url "https://github.com/"]\ninsteadOf = gh:',
    'https://github.com/a.git',
  ],
  [
    '[remote "origin"]\nurl = gh:b/a\n[url "https://x.org/"]\ninsteadOf = gh:\n[url "https://y.org/"]\ninsteadOf = gh:b/',
    'https://y.org/a',
  ],
])('the address of %j', (config, address) => {
  expect(addressIn(config)).toBe(address);
});

it('an address that was given goes before that of config', () => {
  expect(addressIn('[remote "origin"]\nurl = https://example.com/a.git', 'http://localhost/b')).toBe(
    'http://localhost/b',
  );
});

it('headers for this address alone', () => {
  const config = parseConfig(
    '[http]\nextraHeader = A: 1\n[http "https://example.com/"]\nextraHeader = Authorization: Basic eA==\n' +
      '[http "https://example.com.evil"]\nextraHeader = B: 2\n[http "https://example.com/other"]\nextraHeader = C: 3\n',
  );
  expect(headersOf(config, 'https://ada:pw@example.com/a.git')).toEqual({
    A: '1',
    Authorization: 'Basic eA==',
  });
});
