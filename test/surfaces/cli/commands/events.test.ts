/** events: on the command line, for people and for programs. */

import { expect, it } from 'vitest';
import { personRepo } from '../../../helpers/person-repo.ts';
import { vedit } from '../../../helpers/vedit.ts';

it('prints a line for each event, or an object with a cursor to go on from', async () => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  await vedit(repo, ['replace', 'a.txt', 'one', 'two', '-m', 'why\nmore', '--agent', 'fixer']);
  await vedit(repo, ['undo', '--agent', 'fixer']);
  const { out, code } = await vedit(repo, ['events']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^[0-9a-f]{7} \d{4}-\d\d-\d\d [:\d]{8} [-+]\d{4} vedit\/main fixer: why\.\.\. \(a\.txt\)\n.* fixer: undo a\.txt/,
  );
  const lines = (await vedit(repo, ['events', '--json'])).out.trimEnd().split('\n');
  const events = lines.map(line => JSON.parse(line));
  expect(events.map(({ kind }) => kind)).toEqual(['edit', 'undo']);
  const rest = await vedit(repo, ['events', '--json', '--since', events[0].cursor]);
  expect(rest.out).toBe(`${lines[1]}\n`);
  repo.git('update-ref', '-d', 'refs/vedit/main');
  const gone = await vedit(repo, ['events', '--since', events[1].cursor]);
  expect(gone.out).toMatch(/^[0-9a-f]{7} .* vedit\/main vedit\/main was deleted\n$/);
});

it('says what a cursor is', async () => {
  const ran = await vedit(personRepo({}), ['events', '--since', 'yesterday']);
  expect(ran.code).toBe(1);
  expect(ran.err).toMatch(/"yesterday" is not a cursor\. Give the `cursor` of an event, `start`/);
});
