/** What every transport does against real servers. */

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EditError } from '../../src/errors.ts';
import { pushRefs } from '../../src/remote/push-refs.ts';
import { bareServer, type HttpOptions, httpServer, serverHook, sshStandIn } from '../helpers/git-servers.ts';
import type { Sandbox } from '../helpers/real-git.ts';
import {
  type ClientMaker,
  type ClientOptions,
  isomorphicClient,
  quarantine,
  systemClient,
  TRANSPORTS,
} from './clients.ts';

const OWN = 'refs/vedit-peers/ada-00000001/trail/main';
const PACE = { pause: 5 };

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

const WAYS: ReadonlyArray<readonly [string, ClientMaker, () => Promise<Way>]> = [
  [
    'the git of the machine, a folder',
    systemClient,
    async () => {
      const server = bareServer();
      return { server, url: server.dir };
    },
  ],
  [
    'the git of the machine, ssh',
    systemClient,
    async () => {
      const server = bareServer();
      const env = { GIT_SSH_COMMAND: sshStandIn(server) };
      return { server, url: `git@example.com:${server.dir}`, options: { env } };
    },
  ],
  ...TRANSPORTS.flatMap(([name, make]) => [
    [`${name}, http`, make, () => http()] as const,
    [`${name}, http with a password`, make, () => http({ auth: 'ada:s3cret' }, 'ada:s3cret@')] as const,
  ]),
];

describe.each(WAYS)('over %s', (_, client, make) => {
  it('lists, pushes with the expected old value, and fetches into quarantine', async () => {
    const { server, url, options } = await make();
    const ada = await client(url, options);
    expect(await ada.transport.list(['refs/vedit-peers/*'])).toEqual([]);
    const [one, two] = [ada.commit('one'), ada.commit('two')];
    const push = (old: string | null, oid: string | null) =>
      pushRefs(ada.transport, [{ ref: OWN, old, oid }], PACE);
    expect(await push(null, one)).toEqual([{ ref: OWN, result: 'done' }]);
    expect(await push(one, two)).toEqual([{ ref: OWN, result: 'done' }]);
    expect(await push(one, ada.commit('three'))).toEqual([{ ref: OWN, result: 'moved', now: two }]);
    expect(server.git('for-each-ref', '--format=%(refname) %(objectname)')).toBe(`${OWN} ${two}`);
    expect(server.git('fsck', '--strict')).not.toMatch(/error|missing/);

    const bob = await client(url, options);
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

describe.each(TRANSPORTS)('%s, with a server that refuses', (_, client) => {
  it.each([
    ['hidden refs', { 'receive.hideRefs': 'refs/vedit-peers' }, ''],
    ['a pre-receive rule', {}, 'echo "only people of example.com push here" >&2; exit 1'],
  ])('%s: three tries, then its words', async (_, config, hook) => {
    const { server, url } = await http();
    for (const [key, value] of Object.entries(config)) server.git('config', key, value);
    if (hook) serverHook(server, 'pre-receive', hook);
    const ada = await client(url);
    const outcomes = await pushRefs(ada.transport, [{ ref: OWN, old: null, oid: ada.commit('one') }], PACE);
    expect(outcomes).toMatchObject([{ ref: OWN, result: 'refused' }]);
    if (hook) expect(outcomes).toMatchObject([{ words: expect.stringContaining('people of example.com') }]);
  });

  it('takes the refs that it allows of one push, and refuses the others', async () => {
    const { server, url } = await http();
    serverHook(server, 'update', 'case "$1" in *bad*) echo no >&2; exit 1;; esac');
    const ada = await client(url);
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
    const { server, url } = await http();
    serverHook(server, 'pre-receive', 'test -e seen || { touch seen; exit 1; }');
    const ada = await client(url);
    const outcomes = await pushRefs(ada.transport, [{ ref: OWN, old: null, oid: ada.commit('one') }], PACE);
    expect(outcomes).toEqual([{ ref: OWN, result: 'done' }]);
  });
});

describe.each(TRANSPORTS)('%s, with a server that fails', (_, client) => {
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
    const ada = await client(url);
    const failure = { code: 'REMOTE_FAILED', retryable: true };
    await expect(ada.transport.list(['refs/vedit-peers/*'])).rejects.toMatchObject(failure);
    const update = { ref: OWN, old: null, oid: ada.commit('one') };
    await expect(pushRefs(ada.transport, [update], PACE)).rejects.toMatchObject(failure);
    await expect(ada.transport.fetch([OWN], quarantine(ada))).rejects.toMatchObject(failure);
  });

  it('down, or without the password: REMOTE_FAILED, and nobody is asked', async () => {
    const { url } = await http({ auth: 'ada:s3cret' });
    for (const address of [url, url.replace('//', '//ada:wr0ng@'), 'http://127.0.0.1:9/server.git']) {
      const failed = await (await client(address)).transport.list(['refs/*']).catch(error => error);
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
    const ada = await client(url);
    const outcomes = await pushRefs(ada.transport, [{ ref: OWN, old: null, oid: ada.commit('one') }], PACE);
    expect(outcomes).toEqual([{ ref: OWN, result: 'done' }]);
  });

  it('that never answers is given up', async () => {
    const { url } = await http({ before: () => true });
    const ada = await client(url, { timeout: 300 });
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
    const ada = await client(url);
    const oid = ada.commit('one');
    for (const name of ['a', 'b', 'c']) {
      ada.git('push', '-q', server.dir, `HEAD:refs/heads/${name}`);
    }
    await expect(ada.transport.list(['refs/heads/*'])).rejects.toMatchObject({ code: 'REMOTE_FAILED' });
    const update = { ref: 'refs/heads/c', old: null, oid };
    await expect(pushRefs(ada.transport, [update], PACE)).rejects.toMatchObject({ code: 'REMOTE_FAILED' });
  });
});

describe('isomorphic-git', () => {
  it('is refused for an address that is not one of HTTP, which is not shown', async () => {
    for (const address of [
      'ssh://ada:s3cret@example.com/x',
      'git@example.com:x.git',
      '/srv/x.git',
      'ext::sh',
    ]) {
      const failed = await isomorphicClient(address).catch(error => error);
      expect(failed).toMatchObject({ code: 'INVALID_INPUT' });
      expect(JSON.stringify([failed.message, failed.data])).not.toMatch(/s3cret|example/);
    }
  });

  it('asks for a password, asks again when it was wrong, and three times at most', async () => {
    const { url } = await http({ auth: 'ada:s3cret' });
    const asked: unknown[] = [];
    const answering = (...passwords: string[]): ClientOptions => ({
      isomorphic: {
        credentials: request => {
          asked.push(request.refused?.password ?? null);
          expect(request).toMatchObject({ url, remote: 'origin' });
          return { username: 'ada', password: passwords[asked.length - 1] ?? 'wrong' };
        },
      },
    });
    const ada = await isomorphicClient(url, answering('typo', 's3cret'));
    expect(await ada.transport.list(['refs/*'])).toEqual([]);
    const update = { ref: OWN, old: null, oid: ada.commit('one') };
    expect(await pushRefs(ada.transport, [update], PACE)).toEqual([{ ref: OWN, result: 'done' }]);
    await ada.transport.fetch([OWN], quarantine(ada));
    expect(asked).toEqual([null, 'typo']);
    asked.length = 0;
    const eve = await isomorphicClient(url, answering());
    await expect(eve.transport.list(['refs/*'])).rejects.toMatchObject({ code: 'REMOTE_FAILED' });
    expect(asked).toHaveLength(3);
  });

  it('sends what the edits are, not the tree, and moves a ref only forward', async () => {
    const requests: number[] = [];
    const { server, url } = await http({
      before: request => {
        if (request.method === 'POST') requests.push(Number(request.headers['content-length'] ?? 0));
        return false;
      },
    });
    const ada = await isomorphicClient(url);
    for (let n = 0; n < 400; n++)
      ada.write(`folder ${n % 20}/${n}.txt`, `${n} ${Math.random()}\n`.repeat(20));
    const one = ada.commit('one');
    ada.git('push', '-q', server.dir, 'HEAD:refs/heads/main');
    const two = ada.commit('two');
    expect(await pushRefs(ada.transport, [{ ref: OWN, old: null, oid: two }], PACE)).toMatchObject([
      { result: 'done' },
    ]);
    expect(Math.max(...requests)).toBeLessThan(2_000);
    expect(server.git('fsck', '--strict')).not.toMatch(/error|missing/);
    const back = await pushRefs(ada.transport, [{ ref: OWN, old: two, oid: one }], PACE);
    expect(back).toMatchObject([{ result: 'refused', words: expect.stringContaining('fast-forward') }]);
    expect(server.git('rev-parse', OWN)).toBe(two);
  });

  it('takes no more than it may', async () => {
    const { server, url } = await http();
    const ada = await isomorphicClient(url, { maxBytes: 20_000 });
    const other = await systemClient(url);
    other.write('big.txt', Array.from({ length: 5_000 }, () => Math.random()).join('\n'));
    other.commit('much');
    other.git('push', '-q', server.dir, `HEAD:${OWN}`);
    const objects = quarantine(ada);
    await expect(ada.transport.fetch([OWN], objects)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(readdirSync(objects)).toEqual(['info']);
  });

  it('waits for a server that is silent for longer than the agent of Node does', async () => {
    const { url } = await http({
      before: (_request, response) => {
        const end = response.end.bind(response);
        response.end = ((chunk: Buffer) => void setTimeout(() => end(chunk), 6_000)) as never;
        return false;
      },
    });
    const ada = await isomorphicClient(url);
    expect(await ada.transport.list(['refs/*'])).toEqual([]);
  }, 30_000);
});
