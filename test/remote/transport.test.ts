/** What the transport does against real servers. */

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EditError } from '../../src/errors.ts';
import { withoutSecrets } from '../../src/remote/failures.ts';
import { pushRefs } from '../../src/sync/push/push.ts';
import { bareServer, type HttpOptions, httpServer, serverHook, sshStandIn } from '../helpers/git-servers.ts';
import type { Sandbox } from '../helpers/real-git.ts';
import { type ClientOptions, client, quarantine } from './clients.ts';

const OWN = 'refs/vedit-peers/ada-00000001/trail/main';
const PAUSE = 5;

interface Way {
  server: Sandbox;
  url: string;
  options?: ClientOptions;
}

async function http(options: HttpOptions = {}, user = ''): Promise<Way> {
  const server = bareServer();
  const { url } = await httpServer(server, options);
  return { server, url: url.replace('//', `//${user}`) };
}

const WAYS: ReadonlyArray<readonly [string, () => Promise<Way>]> = [
  [
    'a folder',
    async () => {
      const server = bareServer();
      return { server, url: server.dir };
    },
  ],
  [
    'ssh',
    async () => {
      const server = bareServer();
      const env = { GIT_SSH_COMMAND: sshStandIn(server) };
      return { server, url: `git@example.com:${server.dir}`, options: { env } };
    },
  ],
  ['http', () => http()],
  ['http with a password', () => http({ auth: 'ada:s3cret' }, 'ada:s3cret@')],
];

describe.each(WAYS)('over %s', (_, make) => {
  it('lists, pushes with the expected old value, and fetches into quarantine', async () => {
    const { server, url, options } = await make();
    const ada = client(url, options);
    expect(await ada.transport.list(['refs/vedit-peers/*'])).toEqual([]);
    const [one, two] = [ada.commit('one'), ada.commit('two')];
    const push = (old: string | null, oid: string | null) =>
      pushRefs(ada.transport, [{ ref: OWN, old, oid }], PAUSE);
    expect(await push(null, one)).toEqual([{ ref: OWN, result: 'done' }]);
    expect(await push(one, two)).toEqual([{ ref: OWN, result: 'done' }]);
    expect(await push(one, ada.commit('three'))).toEqual([{ ref: OWN, result: 'moved', now: two }]);
    expect(server.git('for-each-ref', '--format=%(refname) %(objectname)')).toBe(`${OWN} ${two}`);
    expect(server.git('fsck', '--strict')).not.toMatch(/error|missing/);

    const bob = client(url, options);
    bob.commit('his own');
    const before = bob.git('count-objects', '-v') + bob.git('for-each-ref');
    const objects = quarantine(bob);
    await bob.transport.fetch([OWN], objects);
    expect(bob.git('count-objects', '-v') + bob.git('for-each-ref')).toBe(before);
    expect(() => bob.git('cat-file', '-e', two)).toThrow();
    expect(readdirSync(`${objects}/pack`).filter(name => /\.(pack|idx)$/.test(name))).toHaveLength(2);
    expect(await push(two, null)).toEqual([{ ref: OWN, result: 'done' }]);
    expect(await ada.transport.list(['refs/vedit-peers/*'])).toEqual([]);
  });
});

describe('a server that refuses', () => {
  it.each([
    ['hidden refs', { 'receive.hideRefs': 'refs/vedit-peers' }, ''],
    ['a pre-receive rule', {}, 'echo "only people of example.com push here" >&2; exit 1'],
  ])('%s: three tries, then its words', async (_, config, hook) => {
    const { server, url } = await http();
    for (const [key, value] of Object.entries(config)) server.git('config', key, value);
    if (hook) serverHook(server, 'pre-receive', hook);
    const ada = client(url);
    const outcomes = await pushRefs(ada.transport, [{ ref: OWN, old: null, oid: ada.commit('one') }], PAUSE);
    expect(outcomes).toMatchObject([{ ref: OWN, result: 'refused' }]);
    if (hook) expect(outcomes).toMatchObject([{ words: expect.stringContaining('people of example.com') }]);
  });

  it('takes the refs that it allows of one push, and refuses the others', async () => {
    const { server, url } = await http();
    serverHook(server, 'update', 'case "$1" in *bad*) echo no >&2; exit 1;; esac');
    const ada = client(url);
    const oid = ada.commit('one');
    const updates = ['good', 'bad'].map(name => ({
      ref: `refs/vedit-peers/a-1/trail/${name}`,
      old: null,
      oid,
    }));
    const outcomes = await pushRefs(ada.transport, updates, PAUSE);
    expect(outcomes.map(({ result }) => result)).toEqual(['done', 'refused']);
  });

  it('that is locked for a moment is asked again', async () => {
    const { server, url } = await http();
    serverHook(server, 'pre-receive', 'test -e seen || { touch seen; exit 1; }');
    const ada = client(url);
    const outcomes = await pushRefs(ada.transport, [{ ref: OWN, old: null, oid: ada.commit('one') }], PAUSE);
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
    const { url } = await http({
      before: (_request, response) => {
        response.writeHead(status, { 'Content-Type': 'text/html' }).end(body);
        return true;
      },
    });
    const ada = client(url);
    const failure = { code: 'REMOTE_FAILED', retryable: true };
    await expect(ada.transport.list(['refs/vedit-peers/*'])).rejects.toMatchObject(failure);
    const update = { ref: OWN, old: null, oid: ada.commit('one') };
    await expect(pushRefs(ada.transport, [update], PAUSE)).rejects.toMatchObject(failure);
    await expect(ada.transport.fetch([OWN], quarantine(ada))).rejects.toMatchObject(failure);
  });

  it('down, or without the password: REMOTE_FAILED, and nobody is asked', async () => {
    const { url } = await http({ auth: 'ada:s3cret' });
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
    const { url } = await http({
      before: (request, response) => {
        if (request.method !== 'POST' || !request.url!.endsWith('git-receive-pack')) return false;
        // The server does its work, and nobody hears of it.
        response.end = (() => response.destroy()) as never;
        return false;
      },
    });
    const ada = client(url);
    const outcomes = await pushRefs(ada.transport, [{ ref: OWN, old: null, oid: ada.commit('one') }], PAUSE);
    expect(outcomes).toEqual([{ ref: OWN, result: 'done' }]);
  });

  it('that never answers is given up', async () => {
    const { url } = await http({ before: () => true });
    const ada = client(url, { timeout: 300 });
    await expect(ada.transport.list(['refs/*'])).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringContaining('no answer within'),
    });
  });

  it('that sends half of its list of refs is not taken at its word', async () => {
    const { server, url } = await http({
      before: (request, response) => {
        if (request.method !== 'GET') return false;
        const end = response.end.bind(response);
        // After a whole packet, so that only the end is missing.
        response.end = ((chunk: Buffer) => {
          response.removeHeader('content-length');
          const text = chunk.toString('latin1');
          return end(chunk.subarray(0, text.lastIndexOf('\n', text.lastIndexOf('\n') - 1) + 1));
        }) as never;
        return false;
      },
    });
    const ada = client(url);
    const oid = ada.commit('one');
    for (const name of ['a', 'b', 'c']) {
      ada.git('push', '-q', server.dir, `HEAD:refs/heads/${name}`);
    }
    await expect(ada.transport.list(['refs/heads/*'])).rejects.toMatchObject({ code: 'REMOTE_FAILED' });
    const update = { ref: 'refs/heads/c', old: null, oid };
    await expect(pushRefs(ada.transport, [update], PAUSE)).rejects.toMatchObject({ code: 'REMOTE_FAILED' });
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
