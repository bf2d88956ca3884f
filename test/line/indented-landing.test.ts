import { expect, it } from 'vitest';
import { ADA, git } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

/** HEAD, what an agent makes of it, and what a person makes of that. */
type Case = readonly [what: string, head: string, agent: string, person: string];

async function made([, head, agent, person]: Case): Promise<Place> {
  const repo = personRepo({ 'p.js': head });
  const session = await repo.session();
  await session.edit('create', { path: 'p.js', file_text: agent, overwrite: true });
  repo.write('p.js', person);
  return repo;
}

const HEAD = 'begin();\nreturn x;\n';

const WRAPPED: readonly Case[] = [
  ['a person wraps', HEAD, 'begin();\nlog(x);\nreturn x;\n', 'begin();\nif (x) {\n  log(x);\n}\nreturn x;\n'],
  [
    'a person wraps with HEAD’s lines around it',
    HEAD,
    'begin();\nlog(x);\nreturn x;\n',
    'if (y) {\n  begin();\n  log(x);\n  return x;\n}\n',
  ],
  [
    'that replaced HEAD’s, with an empty line between, a person wraps',
    HEAD,
    'begin();\nlog(x);\n\nreturn x + 1;\n',
    'begin();\nif (x) {\n  log(x);\n\n  return x + 1;\n}\n',
  ],
  [
    'within a block that a person takes away',
    'if (a) {\n  begin();\n}\nreturn x;\n',
    'if (a) {\n  begin();\n  log(x);\n}\nreturn x;\n',
    'begin();\nlog(x);\nreturn x;\n',
  ],
];

it.each(WRAPPED)('lines %s do not land without what is around them', async (...one) => {
  const repo = await made(one);
  const workspace = await repo.open({ user: ADA });
  await expect(workspace.land({ git })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('you changed there a part of what'),
    data: { revised: [{ path: 'p.js' }] },
  });
  expect(repo.git('log', '--format=%s')).toBe('start');
  await workspace.land({ git, outside: true });
  expect(`${repo.git('show', 'HEAD:p.js')}\n`).toBe(one[3]);
});

const ALONE: readonly Case[] = [
  ['a person indents alone', HEAD, 'begin();\nlog(x);\nreturn x;\n', 'begin();\n  log(x);\nreturn x;\n'],
  [
    'a person indents, and types elsewhere',
    HEAD,
    'begin();\nlog(x);\nreturn x;\n',
    'begin();\n  log(x);\nreturn x;\ntyped();\n',
  ],
  [
    'a formatter gives tabs, where a person types beside it',
    '  begin();\n  return x;\n',
    '  begin();\n  log(x);\n  return x;\n',
    '\tbegin();\n\tlog(x);\n\ttyped();\n\treturn x;\n',
  ],
];

it.each(ALONE)('a line that %s lands', async (...one) => {
  const repo = await made(one);
  await (await repo.open({ user: ADA })).land({ git });
  expect(repo.git('show', 'HEAD:p.js')).toContain('log(x);');
  expect(repo.git('show', 'HEAD:p.js')).not.toContain('typed');
});
