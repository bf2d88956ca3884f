/** More than anybody needs: bodies, connections, streams that are not read. None is held in memory, and others are served. */

import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ask, serve, ticketOf } from './serving.ts';

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

  it('is not stored for a stream that nobody reads', async () => {
    const { port, bearer, repo } = await serve();
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `GET /api/events?since=start HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${bearer}\r\n\r\n`,
    );
    await once(socket, 'readable');
    socket.pause();
    const session = await repo.session();
    for (let n = 0; n < 30; n++)
      await session.edit('create', { path: `${n}.txt`, file_text: `${n}\n`, reason: 'r'.repeat(60_000) });
    const held = process.memoryUsage().external;
    expect(held).toBeLessThan(5e8);
    expect((await ask(port, 'GET', '/api/history', { bearer })).status).toBe(200);
    socket.destroy();
  });

  it('of streams is refused', async () => {
    const { port, bearer } = await serve();
    const streams: Socket[] = [];
    for (let n = 0; n < 24; n++) {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${bearer}\r\n\r\n`);
      await once(socket, 'data');
      streams.push(socket);
    }
    expect((await ask(port, 'GET', '/api/events', { bearer })).json.code).toBe('BUSY');
    for (const one of streams) one.destroy();
    await sleep(200);
    const again = connect(port, '127.0.0.1');
    again.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${bearer}\r\n\r\n`);
    const [first] = await once(again, 'data');
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 /);
    again.destroy();
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
