/** The transport by the system's git: what it is run with. */

import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../src/remote/failures.ts';
import { systemClient } from './clients.ts';

describe('what git is run with', () => {
  it('has no address, and no program of an address', async () => {
    const ada = await systemClient('ext::sh -c touch%20/tmp/never%20%S');
    await expect(ada.transport.list(['refs/*'])).rejects.toMatchObject({ code: 'REMOTE_FAILED' });
    expect(ada.calls.flatMap(({ args }) => args).join(' ')).not.toContain('ext::');
    expect(ada.calls.every(({ env }) => env?.GIT_TERMINAL_PROMPT === '0')).toBe(true);
  });

  it.each([
    [
      "fatal: unable to access 'https://ada:s3cret@example.com/x/': no",
      "fatal: unable to access 'https://example.com/x/': no",
    ],
    ['https://tok@en@example.com/', 'https://example.com/'],
    ['=> Send header: Authorization: Basic abc\nfatal: x', '[a header was left out]\nfatal: x'],
    ['GET /x?private_token=abc&b=1', 'GET /x?private_token=...&b=1'],
    ['git@example.com: Permission denied', 'git@example.com: Permission denied'],
  ])('is told without secrets: %s', (said, told) => {
    expect(withoutSecrets(said)).toBe(told);
  });
});
