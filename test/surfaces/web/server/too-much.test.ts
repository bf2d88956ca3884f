/** More than anybody needs: bodies, connections, news. None is held in memory, and others are served. */

import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ask, serve, ticketOf } from './serving.ts';

type Told = { cursor: string; events: unknown[]; missed: boolean };

describe('too much', () => {
  it('of a body is refused before it is read, and a gigabyte that comes all the same is cut off', async () => {
    const { port, bearer } = await serve();
    const long = { act: 'undo', reason: 'x'.repeat(300_000) };
    expect((await ask(port, 'POST', '/api/act', { bearer, body: long })).status).toBe(413);
    const before = process.memoryUsage().rss;
    const sent = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/api/act',
      headers: {
        Authorization: `Bearer ${bearer}`,
        'Content-Type': 'application/json',
        'Content-Length': 1e9,
      },
    });
    let bytes = 0;
    const over = new Promise<void>(resolve => {
      sent.once('error', () => resolve());
      sent.once('close', () => resolve());
    });
    const chunk = Buffer.alloc(1 << 20, 'x');
    const pump = (): void => {
      while (!sent.destroyed && bytes < 1e9) {
        bytes += chunk.length;
        if (!sent.write(chunk)) return void sent.once('drain', pump);
      }
    };
    pump();
    await over;
    expect(bytes).toBeLessThan(1e8);
    expect(process.memoryUsage().rss - before).toBeLessThan(3e8);
    expect((await ask(port, 'GET', '/api/history', { bearer })).status).toBe(200);
  });

  it('of connections is cut off, and those who have one are still answered', async () => {
    const { port, bearer } = await serve();
    const sockets: Socket[] = [];
    for (let n = 0; n < 1000; n++) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
    }
    const open = (): Socket[] => sockets.filter(one => !one.destroyed && one.readyState === 'open');
    await expect.poll(() => open().length, { timeout: 10_000 }).toBeLessThanOrEqual(100);
    for (const socket of sockets) socket.destroy();
    await sleep(100);
    expect((await ask(port, 'GET', '/api/history', { bearer })).status).toBe(200);
  });

  it('of events is not kept: who asks late is told to read all again', async () => {
    const { port, bearer, repo } = await serve();
    const told = async (since?: string): Promise<Told> =>
      (await ask(port, 'GET', `/api/events${since === undefined ? '' : `?since=${since}`}`, { bearer }))
        .json as never;
    const first = await told();
    expect(first).toMatchObject({ events: [], missed: true });
    const session = await repo.session();
    const edit = (n: number): Promise<unknown> =>
      session.edit('create', { path: `${n}.txt`, file_text: `${n}\n`, overwrite: true });
    await edit(0);
    await expect.poll(async () => (await told(first.cursor)).events.length, { timeout: 20_000 }).toBe(1);
    const second = await told(first.cursor);
    expect(second.missed).toBe(false);
    for (let n = 1; n <= 210; n++) await edit(n);
    await expect.poll(async () => (await told(first.cursor)).missed, { timeout: 20_000 }).toBe(true);
    expect((await told('another.1')).missed).toBe(true);
  });

  it('of half-open connections and slow headers does not lock out the person, and each has a clock of its own', async () => {
    const { port, bearer, server } = await serve();
    const sockets: Socket[] = [];
    const stranger = (begins: string): void => {
      const socket = connect(port, '127.0.0.1', () => socket.write(begins));
      socket.on('error', () => {});
      sockets.push(socket);
    };
    for (let n = 0; n < 60; n++) {
      stranger('');
      stranger('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
      stranger(
        'POST /api/enter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      );
    }
    await sleep(300);
    expect((await ask(port, 'GET', '/', {})).status).toBe(200);
    expect((await ask(port, 'GET', '/api/history', { bearer })).status).toBe(200);
    const body = { ticket: ticketOf(server.address()) };
    expect((await ask(port, 'POST', '/api/enter', { body })).json.ok).toBe(true);
    // Those who still drip are ended by their own clocks.
    const drip = setInterval(() => {
      for (const one of sockets) if (!one.destroyed) one.write('x');
    }, 1_000);
    await expect
      .poll(() => sockets.every(one => one.destroyed || one.readyState === 'closed'), { timeout: 20_000 })
      .toBe(true);
    clearInterval(drip);
  });

  it('of questions by strangers does not keep the server from being idle', async () => {
    const { port, bearer, server } = await serve();
    await ask(port, 'GET', '/api/history', { bearer });
    await sleep(400);
    await ask(port, 'GET', '/');
    await ask(port, 'POST', '/api/enter', { body: { ticket: 'x' } });
    await ask(port, 'GET', '/api/history', { bearer: 'x' });
    expect(server.idle).toBeGreaterThanOrEqual(400);
    await ask(port, 'GET', '/api/history', { bearer });
    expect(server.idle).toBeLessThan(400);
  });
});
