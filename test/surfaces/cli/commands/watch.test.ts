/** watch: how it starts and ends; the page itself is in test/surfaces/web. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { personRepo } from '../../../helpers/person-repo.ts';
import { BIN, cleanEnv, vedit } from '../../../helpers/vedit.ts';

it('prints an address of this machine with a ticket, and ends with a signal', async () => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const child = spawn(process.execPath, [BIN, '-C', repo.dir, 'watch'], { env: cleanEnv(repo) });
    const [line] = await once(createInterface(child.stdout), 'line');
    expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#ticket=[\w-]{43}$/);
    expect((await fetch(new URL(line).origin)).status).toBe(200);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect([signal, code]).toEqual([signal, 0]);
  }
});

it('says what is wrong with a port, and with a folder', async () => {
  const repo = personRepo({});
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const taken = await vedit(repo, ['watch', '--port', String(port)]);
  expect([taken.code, taken.err]).toEqual([
    2,
    expect.stringContaining(`port ${port} is used by another program: give another one`),
  ]);
  const wrong = await vedit(repo, ['watch', '--port', '70000']);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('ports go up to 65535')]);
  expect((await vedit(repo, ['watch', '-C', '/'])).code).toBe(128);
});
