import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseEventName } from '../../../src/engine/origins/agent-events.ts';
import { openWorkspace } from '../../../src/workspace/open.ts';
import { aMoment } from '../../helpers/agent-events.ts';
import { connect } from '../../helpers/mcp-client.ts';
import { BIN, cleanEnv, personRepo } from '../../helpers/vedit.ts';

describe('a client without hooks', () => {
  it('is at work from its start to its end', async () => {
    const box = personRepo();
    box.git('config', 'user.name', 'Ada');
    box.git('config', 'user.email', 'ada@example.com');
    const events = (): string[] =>
      readdirSync(box.path('.git/vedit/agents'))
        .map(parseEventName)
        .filter(one => one !== null)
        .map(({ kind, agent }) => `${kind} ${agent}`.trim())
        .sort();
    const { client, call } = await connect(box);
    await expect.poll(events).toEqual(['connect', 'connect test-client']);
    await aMoment();
    box.write('a.txt', 'ONE\ntwo\nthree\n');
    await aMoment();
    await call('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
    const outside = '--format=%an|%(trailers:key=Vedit-Certain,key=Vedit-During,valueonly,separator=%x2c )';
    expect(box.git('log', '-1', outside, 'vedit/main~1')).toBe('outside|unclaimed, test-client');
    const [server] = readdirSync(box.path('.git/vedit/agents')).map(parseEventName);
    process.kill(Number(/^\d+/.exec(server!.client)![0]), 'SIGTERM');
    await expect.poll(events).toContain('gone');
    await client.close();
    await aMoment();
    box.write('a.txt', 'ONE\nTWO\nTHREE\n');
    const again = await connect(box);
    await again.call('str_replace', { path: 'a.txt', old_str: 'TWO', new_str: '2' });
    expect(box.git('log', '-1', outside, 'vedit/main~1')).toBe('Ada|');
  });

  it('is no suspect while it only reads', async () => {
    const box = personRepo();
    box.git('config', 'user.name', 'Ada');
    box.git('config', 'user.email', 'ada@example.com');
    const { client, call } = await connect(box);
    await call('view', { path: 'a.txt' });
    await aMoment();
    box.write('a.txt', 'ONE\ntwo\nthree\n');
    await call('view', { path: 'a.txt' });
    await using workspace = await openWorkspace({ root: box.dir });
    await workspace.session().edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
    expect(box.git('log', '-1', '--format=%an', 'vedit/main~1')).toBe('Ada');
    await client.close();
  });
});

it.each(['.git/config', '.git/vedit'])(
  'is ended by Ctrl-C while a disk hangs that is read to open %s',
  async path => {
    const box = personRepo();
    // A call of the system that never comes back: nothing of the process runs any more.
    const hang = `const fs = require('node:fs');
    const { openSync } = fs;
    fs.openSync = (file, ...more) => {
      if (!String(file).includes(${JSON.stringify(path)})) return openSync(file, ...more);
      process.stderr.write('hangs');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    };`;
    box.write('hang.cjs', hang);
    const env = cleanEnv(box, { NODE_OPTIONS: `--require ${box.path('hang.cjs')}` });
    const server = spawn(process.execPath, [BIN, 'mcp'], { cwd: box.dir, env });
    const ended = once(server, 'exit');
    let said = '';
    server.stderr.on('data', text => {
      said += text;
    });
    await expect.poll(() => said, { timeout: 10_000 }).toContain('hangs');
    server.kill('SIGINT');
    const isEnded = await Promise.race([
      ended.then(() => true),
      new Promise(done => setTimeout(done, 3_000, false)),
    ]);
    server.kill('SIGKILL');
    expect(isEnded).toBe(true);
  },
);
