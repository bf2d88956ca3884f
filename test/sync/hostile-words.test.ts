/** The names, reasons and subjects of a peer are claims of whoever may push: no terminal obeys them, and no line is forged. */

import { expect, it } from 'vitest';
import { edit, git, shared, using } from '../helpers/clones.ts';
import { storeCommit } from '../helpers/tampering.ts';
import { vedit } from '../helpers/vedit.ts';

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const EVIL = '\u001b]0;pwned\u0007\u001b[2J\u009b31m\u202egnp.exe';

it('a trail with hostile words is read and compared without them reaching a terminal', async () => {
  const { server, ada, bob } = shared({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' });
  await edit(ada, 'a.txt', 'two', '2');
  const { data } = await using(ada, one => one.push({ git }));
  const { ref, to } = data.trails[0]!;
  const raw = ada.pipe('', 'cat-file', 'commit', to).toString();
  const words = raw
    .replace(/^author .* </m, `author Eve ${EVIL} <`)
    .replace(/\n\nstr_replace a\.txt/, `\n\nstr_replace a.txt ${EVIL}`)
    .replace('two to 2', `two to 2 ${EVIL}`)
    .replace(/^Vedit-Agent: .*$/m, `Vedit-Agent: ${EVIL}`)
    .replace(/^Vedit-Session: .*$/m, `Vedit-Session: s ${EVIL}`);
  const forged = storeCommit(ada, words);
  ada.git('push', '-q', '--force', 'origin', `${forged}:${ref}`);
  expect(server.git('log', '-1', '--format=%B', ref!)).toContain('pwned');
  const name = `${data.clone}/main`;
  const color = { env: { NO_COLOR: '1', PAGER: 'cat' }, tty: ['out', 'err'] as const };
  const commands = [
    ['fetch'],
    ['peers'],
    ['log', '--trail', name],
    ['log', '--trail', name, '--oneline'],
    ['show', '@', '--trail', name],
    ['blame', 'a.txt', '--trail', name],
    ['sessions', '--trail', name],
    ['status', '--trail', name],
    ['review', '--list', '--trail', name],
    ['verify', '--trail', name],
  ];
  const ran = [];
  for (const command of commands) ran.push({ command, ...(await vedit(bob, command, color)) });
  // A line that tells how far it is is cleared.
  const shown = (text: string): string => text.replaceAll('\r', '').replaceAll('\u001b[K', '');
  const told = ran.filter(({ out, err }) => CONTROL.test(shown(out)) || CONTROL.test(shown(err)));
  expect(told).toEqual([]);
  expect(ran.filter(({ err }) => err.includes('    at '))).toEqual([]);
});
