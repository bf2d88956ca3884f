/** No credential in any list of processes, file, error or answer of ours. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { edit, git, shared, using } from '../helpers/clones.ts';
import { httpServer } from '../helpers/git-servers.ts';
import { vedit } from '../helpers/vedit.ts';

const SECRETS = /s3cret|p%40ss|p@ss/;

/** Lists the arguments of the processes below this one. `others`: those that are not, not to be looked at again. */
function argumentsBelow(others: Set<string>): string[] {
  const parents = new Map<string, string>();
  const said = new Map<string, string>();
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name) && !others.has(name)))
    try {
      said.set(pid, readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      parents.set(pid, /.*\) . (\d+)/s.exec(stat)![1]!);
    } catch {
      // It has ended.
    }
  const isBelow = (pid: string | undefined): boolean =>
    pid !== undefined && (pid === String(process.pid) || isBelow(parents.get(pid)));
  for (const pid of parents.keys()) if (!isBelow(pid)) others.add(pid);
  return [...said].filter(([pid]) => isBelow(parents.get(pid))).map(([, one]) => one);
}

function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

const PLACES = ['remote.origin.url', 'insteadOf', 'remote.origin.pushurl'];

describe.runIf(process.platform === 'linux')('a password in an address', () => {
  const withUser = (url: string): string => url.replace('//', '//ada:s3cret-p%40ss@');

  it.each(PLACES)('is in no list of processes and in no file: %s', async where => {
    const { server, ada } = shared({ 'a.txt': 'one\ntwo\n' });
    await edit(ada, 'a.txt', 'two', '2');
    const [seen, others] = [new Set<string>(), new Set<string>()];
    const look = (): void => {
      for (const one of argumentsBelow(others)) seen.add(one);
    };
    const looking = setInterval(look, 5);
    const { url } = await httpServer(server, {
      auth: 'ada:s3cret-p@ss',
      before: () => {
        look();
        return false;
      },
    });
    if (where === 'insteadOf') {
      ada.git('remote', 'set-url', 'origin', 'short:server.git');
      ada.git('config', `url.${withUser(url).replace('server.git', '')}.insteadOf`, 'short:');
    } else ada.git('config', where, withUser(url));
    const answers = [await using(ada, one => one.push({ git }).catch(error => error))];
    answers.push(await using(ada, one => one.fetch({ git }).catch(error => error)));
    clearInterval(looking);
    expect(answers[0].data?.trails).toMatchObject([{ result: 'pushed' }]);
    expect([...seen].filter(one => SECRETS.test(one))).toEqual([]);
    for (const { message, data, stack } of answers)
      expect(JSON.stringify([message, data, stack])).not.toMatch(SECRETS);
    const files = [...filesBelow(ada.dir)].filter(path => !path.endsWith('.git/config'));
    expect(files.filter(path => SECRETS.test(readFileSync(path, 'latin1')))).toEqual([]);
  });
});

it('a password that is wrong is not told, by the command line either', async () => {
  const { server, ada } = shared({ 'a.txt': 'one\ntwo\n' });
  await edit(ada, 'a.txt', 'two', '2');
  const { url } = await httpServer(server, { auth: 'ada:right' });
  ada.git('remote', 'set-url', 'origin', url.replace('//', '//ada:s3cret@'));
  const ran = await vedit(ada, ['push']);
  expect(ran.code).toBe(128);
  expect(ran.out + ran.err).not.toMatch(SECRETS);
});
