import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { home, personRepo, vedit } from '../../../helpers/vedit.ts';

it('policy check says which rule stands against a file, and exits with 1', async () => {
  const repo = personRepo();
  repo.write('.vedit/policy.json', JSON.stringify({ version: 1, read_only: ['infra/'] }));
  const no = await vedit(repo, ['policy', 'check', 'infra/a.tf']);
  expect([no.code, no.out]).toEqual([
    1,
    expect.stringContaining('infra/a.tf may not change: infra/a.tf is read-only'),
  ]);
  const yes = await vedit(repo, ['policy', 'check', 'a.ts', '--json']);
  expect([yes.code, JSON.parse(yes.out).data]).toMatchObject([
    0,
    { may_change: true, policies: [{ binding: false }] },
  ]);
  expect((await vedit(repo, ['policy', 'show', 'a.ts'])).code).toBe(2);
});

it('the user’s git config names a policy, which holds for an edit', async () => {
  const repo = personRepo();
  writeFileSync(join(home(repo), '.gitconfig'), '[vedit]\n\tpolicy = ~/policy.json\n');
  writeFileSync(join(home(repo), 'policy.json'), JSON.stringify({ version: 1, reason: true }));
  const refused = await vedit(repo, ['create', 'n.txt', '-', '--agent', 'fixer'], { input: 'n\n' });
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('rule reason of policy.json')]);
  expect((await vedit(repo, ['create', 'n.txt', '-', '-m', 'why'], { input: 'n\n' })).code).toBe(0);
});
