/** Signed heads with real keys of ssh: what verify believes, and what was forged, cut off, replayed or rewritten. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { VerifyData, Workspace } from '../../../src/index.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

/** A repository whose git signs with a key of Ada's, which the user's git trusts. */
interface Signing {
  repo: Place;
  userConfig: string;
  open(): Promise<Workspace>;
  edit(text: string): Promise<void>;
  sign(): Promise<string>;
  verify(): Promise<VerifyData>;
}

function newKey(repo: Place, name: string): string {
  const path = join(repo.dir, '..', `${name}-${Math.random()}`);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path]);
  return path;
}

async function signing(make: (files: Record<string, string>) => Place = personRepo): Promise<Signing> {
  const repo = make({ 'a.ts': '0\n' });
  const key = newKey(repo, 'ada');
  const signers = `${key}.signers`;
  writeFileSync(signers, `ada@example.com ${readFileSync(`${key}.pub`, 'utf8')}`);
  for (const [name, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.com'],
    ['gpg.format', 'ssh'],
    ['user.signingkey', key],
  ])
    repo.git('config', name!, value!);
  const userConfig = `[gpg "ssh"]\n\tallowedSignersFile = ${signers}\n`;
  const open = (): Promise<Workspace> => repo.open({ userConfig });
  const within = async <T>(work: (workspace: Workspace) => Promise<T>): Promise<T> => {
    const workspace = await open();
    return work(workspace).finally(() => workspace.close());
  };
  return {
    repo,
    userConfig,
    open,
    edit: text =>
      within(async workspace => {
        await workspace
          .session({ agent: 'fixer' })
          .edit('create', { path: 'a.ts', file_text: text, overwrite: true });
      }),
    sign: () => within(async workspace => (await workspace.sign()).data.statement),
    verify: () => within(async workspace => (await workspace.verify()).data),
  };
}

const REF = 'refs/vedit-signed/vedit/main';

const kinds = ({ faults }: VerifyData): string[] => faults.map(({ kind }) => kind);

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('a signed head %s', (_, make) => {
  it('is found by verify, which says what came after it', async () => {
    const { edit, sign, verify, repo, open } = await signing(make);
    await edit('1\n');
    expect((await verify()).signed).toBe(null);
    const first = await sign();
    expect((await verify()).signed).toMatchObject({ statement: first, by: 'ada@example.com', unsigned: 0 });
    await edit('2\n');
    await edit('3\n');
    const { signed, sound } = await verify();
    expect([signed, sound]).toMatchObject([{ statement: first, unsigned: 2 }, true]);
    const second = await sign();
    expect((await verify()).signed).toMatchObject({ statement: second, unsigned: 0 });
    expect(repo.git('rev-parse', `${second}^1`).trim()).toBe(first);
    await using workspace = await open();
    expect(await codeOf(workspace.sign())).toBe('NO_CHANGE');
    expect((await workspace.verify()).message).toMatch(
      /Signed up to \w{12} by ada@example\.com at .*, which is the newest\./,
    );
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  });
});

describe('verify refuses', () => {
  async function twice(): Promise<Signing & { first: string; second: string }> {
    const all = await signing();
    await all.edit('1\n');
    const first = await all.sign();
    await all.edit('2\n');
    const second = await all.sign();
    return { ...all, first, second };
  }

  it('a history that was cut off below what was signed, and signs nothing over it', async () => {
    const { repo, verify, sign, second } = await twice();
    repo.git('update-ref', 'refs/vedit/main', 'refs/vedit/main~1');
    const data = await verify();
    expect([kinds(data), data.signed]).toEqual([['signature'], null]);
    expect(data.faults[0]!.message).toContain('was signed as commit 2 of the history');
    expect(await codeOf(sign())).toBe('CORRUPT');
    expect(repo.git('rev-parse', REF).trim()).toBe(second);
  });

  it('a history that was rewritten, with the same files', async () => {
    const { repo, verify } = await twice();
    const text = repo.git('show', '-s', '--format=%B', 'vedit/main');
    const other = repo
      .git('commit-tree', '-p', 'vedit/main~1', '-m', `${text}\n`, 'vedit/main^{tree}')
      .trim();
    repo.git('update-ref', 'refs/vedit/main', other);
    expect(kinds(await verify())).toContain('signature');
  });

  it('a statement of a key that the user does not trust, or of none', async () => {
    const { repo, verify, edit, second } = await twice();
    await edit('3\n');
    const text = repo
      .git('show', '-s', '--format=%B', second)
      .replaceAll(/[0-9a-f]{40}/g, repo.git('rev-parse', 'vedit/main').trim())
      .replace('Count: 2', 'Count: 3');
    const parents = ['-p', second, '-p', 'refs/vedit/main'];
    const eve = newKey(repo, 'eve');
    const forged = repo
      .git(
        '-c',
        `user.signingkey=${eve}`,
        'commit-tree',
        '-S',
        ...parents,
        '-m',
        text.trim(),
        'vedit/main^{tree}',
      )
      .trim();
    const unsigned = repo.git('commit-tree', ...parents, '-m', text.trim(), 'vedit/main^{tree}').trim();
    for (const statement of [forged, unsigned]) {
      repo.git('update-ref', REF, statement);
      const data = await verify();
      expect([kinds(data), data.signed]).toEqual([['signature'], null]);
      expect(data.faults[0]!.message).toContain('no good signature of a key that the user');
    }
  });

  it('the same where the repository says who is trusted, and by which program', async () => {
    const { repo, verify, edit, second } = await twice();
    await edit('3\n');
    const eve = newKey(repo, 'eve');
    writeFileSync(repo.path('signers'), `ada@example.com ${readFileSync(`${eve}.pub`, 'utf8')}`);
    repo.git('config', 'gpg.ssh.allowedSignersFile', repo.path('signers'));
    writeFileSync(
      repo.path('yes'),
      '#!/bin/sh\necho "Good \\"git\\" signature for ada@example.com with ED25519 key SHA256:x"\n',
      { mode: 0o755 },
    );
    repo.git('config', 'gpg.ssh.program', repo.path('yes'));
    const head = repo.git('rev-parse', 'vedit/main').trim();
    const text = `signed head of refs/vedit/main\n\nVedit-Signs: ${head}\nVedit-Trail: refs/vedit/main\nVedit-Count: 3`;
    const forged = repo
      .git(
        '-c',
        `user.signingkey=${eve}`,
        '-c',
        'gpg.ssh.program=ssh-keygen',
        'commit-tree',
        '-S',
        '-p',
        second,
        '-p',
        head,
        '-m',
        text,
        `${head}^{tree}`,
      )
      .trim();
    repo.git('update-ref', REF, forged);
    expect((await verify()).signed).toBe(null);
    repo.git('update-ref', REF, second);
    repo.git('replace', '-f', second, forged);
    expect((await verify()).signed).toMatchObject({ statement: second, unsigned: 1 });
  });

  it('a statement of another trail, of another place in the chain, or that is none', async () => {
    const { repo, verify, first, second, open } = await twice();
    await using workspace = await repo.open({ trail: 'other' });
    await workspace.session().edit('create', { path: 'o', file_text: 'o\n' });
    repo.git('update-ref', 'refs/vedit-signed/vedit/other', second);
    const other = (await workspace.verify()).data;
    expect([kinds(other), other.signed]).toEqual([['signature'], null]);
    const text = repo.git('show', '-s', '--format=%B', first).trim();
    const again = repo
      .git('commit-tree', '-S', '-p', second, '-p', `${first}^1`, '-m', text, `${first}^{tree}`)
      .trim();
    for (const replayed of [again, repo.git('rev-parse', 'vedit/main').trim()]) {
      repo.git('update-ref', REF, replayed);
      expect([kinds(await verify()), (await verify()).signed]).toEqual([['signature'], null]);
    }
    // An old statement is true as far as it goes: what came after it is told to be unsigned.
    repo.git('update-ref', REF, first);
    expect((await verify()).signed).toMatchObject({ statement: first, unsigned: 1 });
    await (await open()).close();
  });
});

it('land signs where the user’s config asks for it, and not where the repository does', async () => {
  const { repo, edit, userConfig, verify } = await signing();
  await edit('1\n');
  repo.git('config', 'vedit.sign', 'land');
  const land = async (config: string) => {
    await using workspace = await repo.open({ userConfig: config });
    return (await workspace.land({ message: 'Land it' })).data.notes;
  };
  expect(await land(userConfig)).not.toContainEqual(expect.stringContaining('Signed'));
  expect((await verify()).signed).toBe(null);
  await edit('2\n');
  expect(await land(`${userConfig}[vedit]\n\tsign = push, land\n`)).toContainEqual(
    expect.stringContaining('Signed'),
  );
  expect((await verify()).signed).toMatchObject({ unsigned: 0 });
});

it('sign says what git says where it has no key', async () => {
  const { repo, edit, sign } = await signing();
  await edit('1\n');
  repo.git('config', 'user.signingkey', '/no/such/key');
  expect(await codeOf(sign())).toBe('GIT_REFUSED');
  expect(await codeOf((await personRepo({}).open()).sign())).toBe('NO_CHANGE');
});

it('a signing program that asks a person keeps nobody from editing', async () => {
  const { repo, edit, sign, verify } = await signing();
  await edit('1\n');
  const [program, asked, answered] = ['program', 'asked', 'answered'].map(name => repo.path('..', name));
  const waits = `touch '${asked}'; while [ ! -e '${answered}' ]; do sleep 0.05; done`;
  writeFileSync(program!, `#!/bin/sh\n${waits}\nexec ssh-keygen "$@"\n`, { mode: 0o755 });
  repo.git('config', 'gpg.ssh.program', program!);
  const signed = sign();
  await expect.poll(() => existsSync(asked!), { timeout: 10_000 }).toBe(true);
  await edit('2\n');
  writeFileSync(answered!, '');
  await signed;
  expect((await verify()).signed).toMatchObject({ unsigned: 1 });
});
