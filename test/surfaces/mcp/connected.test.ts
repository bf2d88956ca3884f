import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseEventName } from '../../../src/engine/origins/agent-events.ts';
import { aMoment } from '../../helpers/agent-events.ts';
import { connect } from '../../helpers/mcp-client.ts';
import { personRepo } from '../../helpers/vedit.ts';

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
});
