/** Whoever should not get anything from the server of the live page, and what becomes of what they try. */

import { describe, expect, it } from 'vitest';
import { personRepo } from '../../../helpers/person-repo.ts';
import { startWatch } from '../page/live/watching.ts';
import { ask, serve, ticketOf } from './serving.ts';

describe('names', () => {
  it('are those of this machine: a name that was rebound to it is refused, whatever it knows', async () => {
    const { port, bearer } = await serve();
    for (const host of [
      'evil.example',
      'evil.example:80',
      `127.0.0.1.evil.example:${port}`,
      '127.0.0.1@evil',
      '0.0.0.0',
    ])
      for (const path of ['/', '/api/history']) {
        const got = await ask(port, 'GET', path, { bearer, headers: { Host: host } });
        expect([host, path, got.status]).toEqual([host, path, 403]);
        expect(got.text).not.toContain('a.txt');
      }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST'])
      expect((await ask(port, 'GET', '/api/history', { bearer, headers: { Host: host } })).status).toBe(200);
  });

  it.each([
    ['ssh -L 9000', 'localhost:9000', 'http://localhost:9000', []],
    ['ssh -L by number', '127.0.0.1:9000', 'http://127.0.0.1:9000', []],
    ['ssh -L from another machine by name', 'devbox:9000', 'http://devbox:9000', ['devbox']],
    [
      'Codespaces that keep Host',
      'name-7777.app.github.dev',
      'https://name-7777.app.github.dev',
      ['name-7777.app.github.dev'],
    ],
    [
      'Codespaces that rewrite Host',
      'localhost:7777',
      'https://name-7777.app.github.dev',
      ['name-7777.app.github.dev'],
    ],
    ['dev containers', 'localhost:32768', 'http://localhost:32768', []],
    ['a name with its port', 'box.local:9000', 'http://box.local:9000', ['box.local:9000']],
  ])('reach it through %s', async (_, host, origin, allowHosts) => {
    const { port, bearer } = await serve({ allowHosts });
    const headers = { Host: host, Origin: origin, 'Sec-Fetch-Site': 'same-origin' };
    expect((await ask(port, 'GET', '/', { headers: { Host: host } })).status).toBe(200);
    expect((await ask(port, 'POST', '/api/act', { bearer, headers, body: { act: 'undo' } })).json.code).toBe(
      'NO_CHANGE',
    );
    if (allowHosts.length === 0) return;
    const other = await serve();
    expect((await ask(other.port, 'GET', '/api/history', { bearer: other.bearer, headers })).status).toBe(
      403,
    );
  });
});

describe('other pages', () => {
  it.each([
    'https://evil.example',
    'http://localhost:3000',
    'http://127.0.0.1:1',
    'null',
    'file://',
    'http://localhost:3000@127.0.0.1',
  ])('of %s are refused, with a token too', async origin => {
    const { port, bearer, repo } = await serve();
    const asked = { bearer, headers: { Origin: origin }, body: { act: 'undo' } };
    expect((await ask(port, 'POST', '/api/act', asked)).status).toBe(403);
    expect((await ask(port, 'GET', '/api/history', { bearer, headers: { Origin: origin } })).status).toBe(
      403,
    );
    expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
  });

  it('are refused by what the browser says of them', async () => {
    const { port, bearer } = await serve();
    for (const site of ['cross-site', 'same-site', 'else'])
      expect(
        (await ask(port, 'GET', '/api/history', { bearer, headers: { 'Sec-Fetch-Site': site } })).status,
      ).toBe(403);
    const frame = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'iframe',
    };
    expect((await ask(port, 'GET', '/', { headers: frame })).status).toBe(403);
    const link = { ...frame, 'Sec-Fetch-Dest': 'document' };
    expect((await ask(port, 'GET', '/', { headers: link })).status).toBe(200);
  });

  it('are told nothing by CORS', async () => {
    const { port, bearer } = await serve();
    const headers = { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'POST' };
    const asked = await ask(port, 'OPTIONS', '/api/act', { headers });
    expect(asked.status).toBe(403);
    const own = await ask(port, 'OPTIONS', '/api/act', { bearer });
    expect(own.status).toBe(404);
    for (const { headers: sent } of [asked, own, await ask(port, 'GET', '/')])
      expect(
        Object.keys(sent).filter(name => name.startsWith('access-control') || name === 'set-cookie'),
      ).toEqual([]);
  });

  it('cannot send a form: what changes something is JSON, which a form cannot be', async () => {
    const { port, bearer, repo } = await serve();
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain', '']) {
      const asked = { bearer, body: '{"act":"undo"}', headers: { 'Content-Type': type } };
      expect((await ask(port, 'POST', '/api/act', asked)).json.code).toBe('INVALID_INPUT');
    }
    expect((await ask(port, 'GET', '/api/act?act=undo', { bearer })).status).toBe(404);
    expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
  });
});

describe('tokens', () => {
  it('are needed for all but the empty page', async () => {
    const { port, bearer } = await serve();
    const wrong = [undefined, '', 'x', `${bearer}x`, bearer.slice(1), bearer.toUpperCase()];
    for (const [method, path] of [
      ['GET', '/api/history'],
      ['GET', '/api/events'],
      ['GET', '/api/open'],
      ['POST', '/api/act'],
      ['POST', '/api/ticket'],
    ] as const)
      for (const one of wrong)
        expect((await ask(port, method, path, one === undefined ? {} : { bearer: one })).status).toBe(401);
    const { text } = await ask(port, 'GET', '/');
    expect(text).not.toContain(bearer);
  });

  it('cannot be in an address or a cookie', async () => {
    const { port, bearer } = await serve();
    expect((await ask(port, 'GET', `/api/history?bearer=${bearer}&token=${bearer}`)).status).toBe(401);
    const Cookie = `vedit-bearer=${bearer}; Authorization=Bearer ${bearer}`;
    expect((await ask(port, 'GET', '/api/history', { headers: { Cookie } })).status).toBe(401);
  });

  it('come once for a ticket, and not for one of another server', async () => {
    const { port, server } = await serve();
    const other = await serve();
    const enter = (ticket: unknown) => ask(port, 'POST', '/api/enter', { body: { ticket } });
    const ticket = ticketOf(server.address());
    expect((await enter(ticket)).json.ok).toBe(true);
    for (const bad of [ticket, '', 'x', null, 7, {}, ticketOf(other.server.address())])
      expect((await enter(bad)).status).toBe(401);
    const late = server.address();
    for (let n = 0; n < 20; n++) server.address();
    expect((await enter(ticketOf(late))).status).toBe(401);
  });
});

describe('requests that make no sense', () => {
  it.each([
    ['GET', '/../../etc/passwd'],
    ['GET', '//evil.example/api/history'],
    ['GET', 'http://127.0.0.1/api/history'],
    ['GET', '/api/constructor'],
    ['GET', '/__proto__'],
    ['DELETE', '/api/history'],
    ['PUT', '/'],
    ['HEAD', '/api/act'],
  ])('get nothing: %s %s', async (method, path) => {
    const { port, bearer } = await serve();
    expect((await ask(port, method, path, { bearer })).status).toBe(404);
  });

  it('are refused as the library refuses, without a stack', async () => {
    const { port, bearer } = await serve();
    const act = (body: unknown) => ask(port, 'POST', '/api/act', { bearer, body });
    for (const body of [{}, { act: 'constructor' }, { act: 'toString' }, [], 7, 'x', { act: null }])
      expect((await act(body)).json).toMatchObject({ ok: false, code: 'INVALID_INPUT' });
    for (const body of [
      { act: 'revert', commit: '--all' },
      { act: 'revert' },
      { act: 'restore', path: '../../etc/passwd', commit: 'HEAD' },
      { act: 'land', message: 'm' },
    ]) {
      const { json, text } = await act(body);
      expect(json.ok).toBe(false);
      expect(text).not.toMatch(/\bat .*\.[jt]s:\d+/);
    }
    expect((await ask(port, 'GET', '/api/events?since=x', { bearer })).json.code).toBe('INVALID_INPUT');
    expect((await ask(port, 'GET', '/api/history?limit=1e99', { bearer })).status).toBe(200);
  });
});

it('a page that only shows changes nothing', async () => {
  const { port, bearer, repo } = await serve({ readOnly: true });
  const session = await repo.session();
  await session.edit('create', { path: 'b.txt', file_text: 'x\n' });
  const before = repo.git('for-each-ref');
  for (const act of ['undo', 'revert', 'restore', 'land', 'back', 'accept', 'claim', 'reject'])
    expect((await ask(port, 'POST', '/api/act', { bearer, body: { act } })).json.code).toBe('READ_ONLY');
  expect(repo.git('for-each-ref')).toBe(before);
});

it('a page that an agent started says nothing in the name of the person', async () => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
  const { address } = await startWatch(repo, { CLAUDECODE: '1' });
  const port = Number(new URL(address).port);
  const { json } = await ask(port, 'POST', '/api/enter', { body: { ticket: ticketOf(address) } });
  const bearer = String(json.bearer);
  const { hunks } = (await ask(port, 'GET', '/api/open', { bearer })).json as { hunks: unknown[] };
  for (const act of ['accept', 'reject', 'claim']) {
    const body = { act, hunk: hunks[0], reason: 'no' };
    expect((await ask(port, 'POST', '/api/act', { bearer, body })).json).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(
        `^To ${act} is the person's, and an agent started this page .CLAUDECODE is set.. Nothing was done. .*vedit watch, started by them.*another terminal`,
      ),
    });
  }
  expect((await (await repo.open()).review()).data.hunks).toHaveLength(1);
  expect(repo.git('for-each-ref', 'refs/vedit-review')).toBe('');
  expect(repo.read('a.txt')).toBe('two\n');
});

it('every answer keeps caches, frames, sniffing and referrers out', async () => {
  const { port, bearer } = await serve();
  for (const got of [
    await ask(port, 'GET', '/'),
    await ask(port, 'GET', '/api/history', { bearer }),
    await ask(port, 'GET', '/x'),
  ])
    expect(got.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    });
});
