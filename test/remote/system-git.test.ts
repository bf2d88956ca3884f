/** The transport by the system's git, against real servers. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EditError } from '../../src/errors.ts';
import { systemGit } from '../../src/git/native/system-git.ts';
import type { GitCall } from '../../src/git/run-git.ts';
import { withoutSecrets } from '../../src/remote/failures.ts';
import { pushRefs } from '../../src/remote/push-refs.ts';
import { type SystemGitOptions, SystemGitTransport } from '../../src/remote/system-git.ts';
import { repository, type Sandbox } from '../git/real-git.ts';
import { bareServer, httpServer, serverHook, sshStandIn } from './servers.ts';

const OWN = 'refs/vedit-peers/ada-00000001/trail/main';
const PACE = { pause: 5 };

interface Client extends Sandbox {
  transport: SystemGitTransport;
  /** What git was started with. */
  calls: GitCall[];
  commit(text: string): string;
}

function client(url: string, options: Partial<SystemGitOptions> & { env?: object } = {}): Client {
  const box = repository();
  box.git('remote', 'add', 'origin', url);
  const calls: GitCall[] = [];
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...options.env };
  const run = systemGit(env);
  const git: typeof run = call => {
    calls.push(call);
    return run(call);
  };
  const transport = new SystemGitTransport({ git, cwd: box.dir, remote: 'origin', ...options });
  const commit = (text: string): string => {
    box.write('a.txt', text);
    box.git('add', '-A');
    box.git('commit', '-qm', text);
    return box.git('rev-parse', 'HEAD');
  };
  return { ...box, transport, calls, commit };
}

function quarantine(box: Sandbox): string {
  const dir = box.path('.git', 'quarantine', 'objects');
  mkdirSync(`${dir}/info`, { recursive: true });
  writeFileSync(`${dir}/info/alternates`, `${box.path('.git', 'objects')}\n`);
  return dir;
}

const WAYS: ReadonlyArray<readonly [string, () => Promise<{ server: Sandbox; url: string; env?: object }>]> =
  [
    [
      'a folder',
      async () => {
        const server = bareServer();
        return { server, url: server.dir };
      },
    ],
    [
      'http',
      async () => {
        const server = bareServer();
        return { server, url: (await httpServer(server)).url };
      },
    ],
    [
      'http with a password in the address',
      async () => {
        const server = bareServer();
        const { url } = await httpServer(server, { auth: 'ada:s3cret' });
        return { server, url: url.replace('//', '//ada:s3cret@') };
      },
    ],
    [
      'ssh',
      async () => {
        const server = bareServer();
        return { server, url: `git@example.com:${server.dir}`, env: { GIT_SSH_COMMAND: sshStandIn(server) } };
      },
    ],
  ];

describe.each(WAYS)('over %s', (_, make) => {
  it('lists, pushes with the expected old value, and fetches into quarantine', async () => {
    const { server, url, env } = await make();
    const ada = client(url, { ...(env ? { env } : {}) });
    expect(await ada.transport.list(['refs/vedit-peers/*'])).toEqual([]);
    const [one, two] = [ada.commit('one'), ada.commit('two')];
    const push = (old: string | null, oid: string | null) =>
      pushRefs(ada.transport, [{ ref: OWN, old, oid }], PACE);
    expect(await push(null, one)).toEqual([{ ref: OWN, result: 'done' }]);
    expect(await push(one, two)).toEqual([{ ref: OWN, result: 'done' }]);
    expect(await push(one, ada.commit('three'))).toEqual([{ ref: OWN, result: 'moved', now: two }]);
    expect(server.git('for-each-ref', '--format=%(refname) %(objectname)')).toBe(`${OWN} ${two}`);

    const bob = client(url, { ...(env ? { env } : {}) });
    bob.commit('his own');
    const before = bob.git('count-objects', '-v') + bob.git('for-each-ref');
    const objects = quarantine(bob);
    await bob.transport.fetch([OWN], objects);
    expect(bob.git('count-objects', '-v') + bob.git('for-each-ref')).toBe(before);
    expect(() => bob.git('cat-file', '-e', two)).toThrow();
    expect(await push(two, null)).toEqual([{ ref: OWN, result: 'done' }]);
    expect(await ada.transport.list(['refs/vedit-peers/*'])).toEqual([]);
  });
});

describe('a server that refuses', () => {
  it.each([
    ['hidden refs', { 'receive.hideRefs': 'refs/vedit-peers' }, ''],
    ['a pre-receive rule', {}, 'echo "only people of example.com push here" >&2; exit 1'],
  ])('%s: three tries, then its words', async (_, config, hook) => {
    const server = bareServer(config);
    if (hook) serverHook(server, 'pre-receive', hook);
    const ada = client(server.dir);
    const outcomes = await pushRefs(ada.transport, [{ ref: OWN, old: null, oid: ada.commit('one') }], PACE);
    expect(outcomes).toMatchObject([{ ref: OWN, result: 'refused' }]);
    expect(ada.calls.filter(({ args }) => args.includes('push'))).toHaveLength(3);
    if (hook) expect(outcomes).toMatchObject([{ words: expect.stringContaining('people of example.com') }]);
  });

  it('takes the refs that it allows of one push, and refuses the others', async () => {
    const server = bareServer();
    serverHook(server, 'update', 'case "$1" in *bad*) echo no >&2; exit 1;; esac');
    const ada = client(server.dir);
    const oid = ada.commit('one');
    const updates = ['good', 'bad'].map(name => ({
      ref: `refs/vedit-peers/a-1/trail/${name}`,
      old: null,
      oid,
    }));
    const outcomes = await pushRefs(ada.transport, updates, PACE);
    expect(outcomes.map(({ result }) => result)).toEqual(['done', 'refused']);
  });

  it('that is locked for a moment is asked again', async () => {
    const server = bareServer();
    serverHook(server, 'pre-receive', 'test -e seen || { touch seen; exit 1; }');
    const ada = client(server.dir);
    const outcomes = await pushRefs(ada.transport, [{ ref: OWN, old: null, oid: ada.commit('one') }], PACE);
    expect(outcomes).toEqual([{ ref: OWN, result: 'done' }]);
  });
});

describe('a server that fails', () => {
  const answers = [
    ['500', 500, 'oops'],
    ['403', 403, 'no'],
    ['413', 413, 'too much'],
    ['an HTML page', 200, '<html>log in</html>'],
  ] as const;

  it.each(answers)('%s is REMOTE_FAILED, which may be tried again', async (_, status, body) => {
    const server = bareServer();
    const before: Parameters<typeof httpServer>[1] = {
      before: (_request, response) => {
        response.writeHead(status, { 'Content-Type': 'text/html' }).end(body);
        return true;
      },
    };
    const ada = client((await httpServer(server, before)).url);
    const failure = { code: 'REMOTE_FAILED', retryable: true };
    // Git takes a page for a dumb server without refs.
    const listed = await ada.transport.list(['refs/vedit-peers/*']).catch(error => error);
    if (status === 200) expect(listed).toEqual([]);
    else expect(listed).toMatchObject(failure);
    const update = { ref: OWN, old: null, oid: ada.commit('one') };
    await expect(pushRefs(ada.transport, [update], PACE)).rejects.toMatchObject(failure);
    await expect(ada.transport.fetch([OWN], quarantine(ada))).rejects.toMatchObject(failure);
  });

  it('down, or without the password: REMOTE_FAILED, and nobody is asked', async () => {
    const { url } = await httpServer(bareServer(), { auth: 'ada:s3cret' });
    for (const address of [url, url.replace('//', '//ada:wr0ng@'), 'http://127.0.0.1:9/server.git']) {
      const failed = await client(address)
        .transport.list(['refs/*'])
        .catch(error => error);
      expect(failed).toBeInstanceOf(EditError);
      expect(failed.code).toBe('REMOTE_FAILED');
      expect(JSON.stringify([failed.message, failed.data])).not.toMatch(/wr0ng|s3cret/);
    }
  });

  it('whose answer is lost after the ref moved: the ref tells', async () => {
    const server = bareServer();
    const { url } = await httpServer(server, {
      before: (request, response) => {
        if (request.method !== 'POST' || !request.url!.endsWith('git-receive-pack')) return false;
        // The server does its work, and nobody hears of it.
        response.end = (() => response.destroy()) as never;
        return false;
      },
    });
    const ada = client(url);
    const outcomes = await pushRefs(ada.transport, [{ ref: OWN, old: null, oid: ada.commit('one') }], PACE);
    expect(outcomes).toEqual([{ ref: OWN, result: 'done' }]);
  });

  it('that never answers is given up', async () => {
    const { url } = await httpServer(bareServer(), { before: () => true });
    const ada = client(url, { timeout: 300 });
    await expect(ada.transport.list(['refs/*'])).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringContaining('no answer within'),
    });
  });
});

describe('what git is run with', () => {
  it('has no address, and no program of an address', async () => {
    const ada = client('ext::sh -c touch%20/tmp/never%20%S');
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
