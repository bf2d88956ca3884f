/** What 27 refusals cost a model, in tokens of o200k: the table of dev/measured.md. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runTool } from '../../../src/tools/index.ts';
import { textOf } from '../../../src/tools/run.ts';
import { personRepo } from '../../helpers/person-repo.ts';
import { tokensOf } from '../../surfaces/tool-lists.ts';
import { CHANGED, RATED, ROUTES, SESSION } from './rated-cases.ts';

const PATH = 'src/auth/session.ts';
const LONGEST = 150;
const MEAN = 62;

/** Each refusal by the name of its case. */
async function refusals(): Promise<Map<string, string>> {
  const repo = personRepo({
    [PATH]: SESSION,
    'src/routes.ts': ROUTES,
    'README.md': '# Shop\n\nA small shop.\n',
  });
  repo.write('.gitignore', 'dist/\n');
  repo.write('logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 1, 2, 3, 0, 0]));
  repo.write(
    'big.log',
    'a line of the log that is rather long, to fill the file up quickly ........\n'.repeat(900_000),
  );
  const session = await repo.session();
  const viewed = await runTool(session, 'view', { path: PATH });
  const found = new Map<string, string>();
  const calls = [...RATED.filter(one => !one.isStale), ...RATED.filter(one => one.isStale)];
  for (const { name, call, isStale } of calls) {
    const [tool, input] = call;
    if (isStale) repo.write(PATH, CHANGED);
    const version =
      isStale && tool === 'str_replace' ? { version: (viewed.data as { version: string }).version } : {};
    const result = await runTool(session, tool, { ...input, ...version });
    expect(result.ok, name).toBe(false);
    found.set(name, textOf(result));
  }
  return found;
}

it(`27 refusals have fewer than ${MEAN} tokens in the mean, and none more than ${LONGEST}`, async () => {
  const found = await refusals();
  const rows = RATED.map(({ name, before }) => [name, before, tokensOf(found.get(name)!)] as const);
  if (process.env.PRINT_REFUSALS)
    for (const [name, before, now] of rows)
      console.log(`== ${name} (${before}, now ${now})\n${found.get(name)}\n`);
  const mean = (column: 1 | 2): string =>
    (rows.reduce((sum, row) => sum + row[column], 0) / rows.length).toFixed(1);
  expect(rows).toHaveLength(27);
  expect(Math.max(...rows.map(([, , now]) => now))).toBeLessThanOrEqual(LONGEST);
  expect(Number(mean(2))).toBeLessThan(MEAN);
  const table = [...rows, ['mean', mean(1), mean(2)]].map(row => `| ${row.join(' | ')} |`).join('\n');
  expect(readFileSync(new URL('../../../dev/measured.md', import.meta.url), 'utf8')).toContain(`${table}\n`);
}, 60_000);
