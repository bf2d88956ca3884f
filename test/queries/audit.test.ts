import { expect, it } from 'vitest';
import type { AuditRecord } from '../../src/index.ts';
import { place } from '../helpers/person-repo.ts';
import { personRepo, vedit } from '../helpers/vedit.ts';

it('audit tells edits, ways back, refusals, reviews, landings, outside changes and gaps in their order', async () => {
  const box = personRepo();
  box.git('config', 'user.name', 'Ada');
  box.git('config', 'user.email', 'ada@example.com');
  const repo = place(box);
  let now = Date.UTC(2026, 10, 24);
  const tick = (): Date => new Date((now += 1000));
  await using workspace = await repo.open({ recordRefusals: true, now: tick });
  const session = workspace.session({ id: 's1', agent: 'fixer' });
  await session.edit('create', { path: 'n.txt', file_text: 'n\n', reason: 'new' });
  await session.edit('create', { path: 'n.txt', file_text: 'n\n' }).catch(() => {});
  await session.edit('create', { path: 'm.txt', file_text: 'm\n' });
  await session.undo();
  repo.write('n.txt', 'n\nby hand\n');
  await session.edit('str_replace', { path: 'n.txt', old_str: 'n\nby', new_str: 'N\nby' });
  await workspace.accept({ path: 'n.txt' });
  await workspace.land({ message: 'Land it', outside: true });
  repo.write('n.txt', 'N\nby hand\nagain\n');
  const records: AuditRecord[] = [];
  for await (const one of workspace.audit()) records.push(one);
  const kinds = records.map(({ kind }) => kind);
  expect(new Set(records.map(({ schema }) => schema))).toEqual(new Set(['vedit-audit/1']));
  expect(kinds[0]).toBe('history');
  expect(kinds.at(-1)).toBe('end');
  expect(kinds.filter(kind => ['edit', 'way_back', 'outside', 'refusal'].includes(kind))).toEqual([
    'edit',
    'refusal',
    'edit',
    'way_back',
    'outside',
    'edit',
  ]);
  expect(kinds).toContain('landing');
  expect(records.find(({ kind }) => kind === 'review')).toMatchObject({ op: 'accept', reviewer: 'Ada' });
  expect(records.find(({ kind }) => kind === 'gap')).toMatchObject({ path: 'n.txt' });
  expect(records.find(({ kind }) => kind === 'refusal')).toMatchObject({
    code: 'FILE_EXISTS',
    agent: 'fixer',
  });
  expect(records.at(-1)).toMatchObject({ sound: true, signed: null, records: kinds.length - 3 });
  await repo.close();
  const { out, code } = await vedit(box, ['export', '--audit']);
  expect([code, out.trim().split('\n').length]).toEqual([0, records.length]);
  expect((await vedit(box, ['export', '--audit', 'n.txt'])).code).toBe(2);
});
