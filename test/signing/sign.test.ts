/** Signed heads with real keys of ssh: what verify believes, and what was forged, cut off, replayed or rewritten. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { VerifyData, Workspace } from '../../src/index.ts';
import { edit as editIn, git, shared } from '../helpers/clones.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { newKey, signAsAda } from '../helpers/signing-key.ts';

/** A repository whose git signs with a key of Ada's, which the user's git trusts. */
interface Signing {
  repo: Place;
  userConfig: string;
  open(): Promise<Workspace>;
  edit(text: string): Promise<void>;
  sign(): Promise<string>;
  verify(): Promise<VerifyData>;
}

async function signing(make: (files: Record<string, string>) => Place = personRepo): Promise<Signing> {
  const repo = make({ 'a.ts': '0\n' });
  const { userConfig } = signAsAda(repo);
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
    repo.git('update-ref', 'refs/vedit/worktree/other', 'vedit/main');
    await using workspace = await repo.open({ trail: 'worktree/other' });
    repo.git('update-ref', 'refs/vedit-signed/vedit/worktree/other', second);
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
  const { repo, edit, verify, userConfig } = await signing();
  await edit('1\n');
  const [program, asked, answered] = ['program', 'asked', 'answered'].map(name => repo.path('..', name));
  const waits = `touch '${asked}'; while [ ! -e '${answered}' ]; do sleep 0.05; done`;
  writeFileSync(program!, `#!/bin/sh\n${waits}\nexec ssh-keygen "$@"\n`, { mode: 0o755 });
  await using workspace = await repo.open({ userConfig: `${userConfig}\tprogram = ${program}\n` });
  const signed = workspace.sign();
  await expect.poll(() => existsSync(asked!), { timeout: 10_000 }).toBe(true);
  await edit('2\n');
  writeFileSync(answered!, '');
  await signed;
  expect((await verify()).signed).toMatchObject({ unsigned: 1 });
});

/** Every setting by which git starts a program to sign or to check, naming one that tells that it ran. */
function hostile(repo: Place): string {
  const ran = repo.path('..', `ran-${Math.random()}`);
  const program = repo.path('hostile');
  writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\nexit 1\n`, { mode: 0o755 });
  for (const name of ['gpg.program', 'gpg.openpgp.program', 'gpg.x509.program', 'gpg.ssh.program'])
    repo.git('config', name, program);
  repo.git('config', 'gpg.ssh.defaultKeyCommand', program);
  return ran;
}

it('no program that the repository names signs or checks; the user’s does', async () => {
  const { repo, edit, sign, verify, userConfig } = await signing();
  await edit('1\n');
  const ran = hostile(repo);
  await sign();
  expect((await verify()).signed).toMatchObject({ unsigned: 0 });
  await edit('2\n');
  repo.git('config', '--unset', 'user.signingkey');
  expect(await codeOf(sign())).toBe('GIT_REFUSED');
  for (const format of ['x509', 'openpgp']) {
    repo.git('config', 'gpg.format', format);
    repo.git('config', 'user.signingkey', 'nobody');
    expect(await codeOf(sign())).toBe('GIT_REFUSED');
  }
  expect(existsSync(ran)).toBe(false);
  const own = repo.path('..', 'own-program');
  writeFileSync(own, `#!/bin/sh\ntouch '${ran}'\nexit 1\n`, { mode: 0o755 });
  await using workspace = await repo.open({ userConfig: `${userConfig}[gpg]\n\tprogram = ${own}\n` });
  expect(await codeOf(workspace.sign())).toBe('GIT_REFUSED');
  expect(existsSync(ran)).toBe(true);
});

const hasGpg = spawnSync('gpg', ['--version']).status === 0;

describe.skipIf(!hasGpg && !process.env.CI)('with gpg', () => {
  it('a head is signed and found; a key that is gone from the keyring is none', async () => {
    // The path of its socket has to be short.
    const home = mkdtempSync('/tmp/gpg-');
    vi.stubEnv('GNUPGHOME', home);
    onTestFinished(() => {
      spawnSync('gpgconf', ['--kill', 'all']);
      vi.unstubAllEnvs();
      rmSync(home, { recursive: true, force: true });
    });
    const gpg = (...args: string[]): string =>
      execFileSync('gpg', ['--batch', ...args], { encoding: 'utf8', stdio: 'pipe' });
    gpg('--passphrase', '', '--quick-gen-key', 'Ada <ada@example.com>', 'ed25519', 'sign', 'never');
    const key = /^fpr:+([0-9A-F]{40}):/m.exec(gpg('--with-colons', '--list-keys'))![1]!;
    const { repo, edit, sign, verify } = await signing();
    repo.git('config', 'gpg.format', 'openpgp');
    repo.git('config', 'user.signingkey', key);
    const ran = hostile(repo);
    await edit('1\n');
    await sign();
    await edit('2\n');
    expect((await verify()).signed).toMatchObject({ by: 'Ada <ada@example.com>', unsigned: 1 });
    expect(existsSync(ran)).toBe(false);
    gpg('--yes', '--delete-secret-and-public-key', key);
    expect(kinds(await verify())).toEqual(['signature']);
  });
});

describe('vedit.signEvery', () => {
  async function edited(
    every: number,
    edits: number,
    config = '',
  ): Promise<{ all: Signing; warnings: string[] }> {
    const all = await signing();
    all.repo.git('config', 'vedit.signEvery', '1');
    const own = every > 0 ? `[vedit]\n\tsignEvery = ${every}\n` : '';
    await using workspace = await all.repo.open({ userConfig: `${all.userConfig}${config}${own}` });
    const session = workspace.session({ agent: 'fixer' });
    const warnings: string[] = [];
    for (let n = 1; n <= edits; n++) {
      const input = { path: 'a.ts', file_text: `${n}\n`, overwrite: true };
      warnings.push(...((await session.edit('create', input)).data.warnings ?? []));
      // A signature takes as long as it takes; edits go on.
      if (n % 3 === 0) await new Promise(resolve => setTimeout(resolve, 300));
    }
    return { all, warnings };
  }

  it('signs by itself each time so many commits are not signed, and not where the repository asks for it', async () => {
    const { all } = await edited(3, 7);
    expect((await all.verify()).signed).toMatchObject({ unsigned: expect.any(Number) });
    expect((await all.verify()).signed!.unsigned).toBeLessThan(3);
    expect((await edited(0, 3)).all.repo.git('for-each-ref', 'refs/vedit-signed')).toBe('');
  });

  it('of another process counts what was made before, and one that fails is a warning of the next answer', async () => {
    const { all } = await edited(100, 2);
    const userConfig = `${all.userConfig}[vedit]\n\tsignEvery = 3\n`;
    for (const text of ['3', '4']) {
      await using workspace = await all.repo.open({ userConfig });
      await workspace.session().edit('create', { path: 'a.ts', file_text: text, overwrite: true });
    }
    expect((await all.verify()).signed).toMatchObject({ unsigned: 1 });
    const { warnings } = await edited(1, 4, '[gpg "ssh"]\n\tprogram = /no/such/program\n');
    expect(warnings).toContainEqual(expect.stringContaining('The newest commit was not signed'));
  });
});

describe('statements of a trail', () => {
  it('go up with its push, which signs first, and are checked by those who fetch it', async () => {
    const { ada, bob, server } = shared({ 'a.txt': 'a\n' });
    const key = newKey(ada, 'ada');
    writeFileSync(`${key}.signers`, `ada@example.com ${readFileSync(`${key}.pub`, 'utf8')}`);
    for (const at of [ada, bob]) at.git('config', 'gpg.format', 'ssh');
    ada.git('config', 'user.signingkey', key);
    const trusts = `[gpg "ssh"]\n\tallowedSignersFile = ${key}.signers\n`;
    const userConfig = `${trusts}[vedit]\n\tsign = push\n`;
    const push = async (): Promise<string> => {
      await editIn(ada, 'a.txt', ada.read('a.txt').trim(), Math.random().toString(36), 'fixer');
      await using workspace = await ada.open({ userConfig });
      const { data } = await workspace.push({ git, withUnpushedCommits: true });
      expect(data.notes).toContainEqual(expect.stringMatching(/^Signed /));
      expect(data.trails.map(({ trail }) => trail)).toEqual(['refs/vedit/main']);
      return data.clone!;
    };
    const clone = await push();
    const fetched = async () => {
      await using workspace = await bob.open({ userConfig: trusts });
      const { data } = await workspace.fetch({ git });
      await using theirs = await bob.open({ userConfig: trusts, trail: `${clone}/main` });
      return { data, report: (await theirs.verify()).data };
    };
    const first = await fetched();
    expect(first.data.fetched.map(({ name }) => name)).toEqual([`${clone}/main`]);
    expect(first.report).toMatchObject({ faults: [], signed: { by: 'ada@example.com', unsigned: 0 } });
    await push();
    expect((await fetched()).report.signed).toMatchObject({ unsigned: 0 });
    // Whoever may push there says that something else was signed.
    const ref = `refs/vedit-peers/${clone}/signed/main`;
    const good = server.git('rev-parse', ref);
    const forged = server.git(
      'commit-tree',
      '-p',
      good,
      '-m',
      'signed head of refs/vedit/main',
      `${good}^{tree}`,
    );
    server.git('update-ref', ref, forged);
    const { report } = await fetched();
    expect([kinds(report), report.signed]).toEqual([['signature'], null]);
    await using workspace = await bob.open({ userConfig: trusts });
    server.git('update-ref', ref, good);
    expect((await workspace.fetch({ git })).data.refused.map(({ why }) => why)).toEqual([
      expect.stringContaining('rewound or rewritten'),
    ]);
  });
});
