import { expect, it } from 'vitest';
import { personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

it('sign says what git says, and that there is nothing to sign', async () => {
  const repo = personRepo();
  expect(await veditJson(repo, ['sign'])).toMatchObject({ ok: false, code: 'NO_CHANGE', exit: 1 });
  await vedit(repo, ['create', 'n.txt', '--text', 'n', '--agent', 'fixer']);
  repo.git('config', 'gpg.format', 'ssh');
  repo.git('config', 'user.signingkey', '/no/such/key');
  const { code, err } = await vedit(repo, ['sign']);
  expect([code, err]).toEqual([1, expect.stringContaining('/no/such/key')]);
});
