/** What an agent reads when a call is refused: that it holds what the next call needs, and how much it is. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Session, Workspace } from '../../../src/index.ts';
import { textOf } from '../../../src/tools/run.ts';
import { toolset } from '../../../src/tools/toolset/toolset.ts';
import { personRepo } from '../../helpers/person-repo.ts';
import { CASES, type RefusalCase } from './cases.ts';
import { FILES } from './files.ts';
import { tokens } from './tokens.ts';

const offered = toolset({ tools: 'all' });

function run(session: Session, name: string, input: object): ReturnType<(typeof offered)[0]['run']> {
  return offered.find(one => one.name === name)!.run(session, input);
}

async function refused(workspace: Workspace, one: RefusalCase): Promise<string> {
  const { name, before = [], others = [], call } = one;
  const session = workspace.session({ id: name.replaceAll(/[^a-z]+/g, '-') });
  const other = workspace.session({ id: `${session.id}-other`, agent: 'codex' });
  for (const [tool, input] of before) expect(await run(session, tool, input)).toMatchObject({ ok: true });
  for (const [tool, input] of others) expect(await run(other, tool, input)).toMatchObject({ ok: true });
  return textOf(await run(session, ...call));
}

/** What is wrong with a refusal, in words. */
function faults({ name, code, needs, never = [] }: RefusalCase, text: string): string[] {
  return [
    ...(text.startsWith(`${code}: `) || text.startsWith(`${code} (retryable): `)
      ? []
      : [`${name} is not ${code}`]),
    ...needs.filter(need => !text.includes(need)).map(need => `${name} lacks ${JSON.stringify(need)}`),
    ...never.filter(one => text.includes(one)).map(one => `${name} has ${JSON.stringify(one)}`),
  ];
}

/** Small changes of words are no reason to write the table anew. */
const ROUGHLY = 8;

/** The table of the docs. */
function toldSizes(): Map<string, number> {
  const page = readFileSync(new URL('../../../dev/measured.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('## What a refusal costs'));
  return new Map(
    [...table.matchAll(/^\| (.*) \| (\d+) \|$/gm)].map(([, name, size]) => [name!, Number(size)]),
  );
}

it('each of the 27 refusals holds what the next call needs, and they are short', async () => {
  const workspace = await personRepo(FILES).open();
  const found: string[] = [];
  const sizes: number[] = [];
  const told = toldSizes();
  for (const one of CASES) {
    const text = await refused(workspace, one);
    sizes.push(tokens(text));
    found.push(...faults(one, text));
    if (!(Math.abs((told.get(one.name) ?? 0) - tokens(text)) <= ROUGHLY))
      found.push(`dev/measured.md: ${one.name} has ${tokens(text)}`);
    if (process.env.PRINT_REFUSALS) console.log(`== ${one.name} (${tokens(text)})\n${text}\n`);
  }
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  if (process.env.PRINT_REFUSALS) console.log(`mean ${mean}`);
  expect(found).toEqual([]);
  expect(sizes).toHaveLength(27);
  expect(mean).toBeLessThan(80);
}, 60_000);
