/** The types of every entry as they are published: a change of the report is a change of the interface. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/source.ts';

const BUILT = join(ROOT, 'dist/lib');

/** Every declaration once, without comments, in the order of its text; then what each entry exports. */
function report(): string {
  const paths = readdirSync(BUILT, { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.d.ts'),
  );
  const texts = new Map(paths.map(path => [path, statements(readFileSync(join(BUILT, path), 'utf8'))]));
  const declared = [...texts.values()].flat().filter(one => !/^(import|export) /.test(one));
  const entries = [...texts].filter(([path]) => !path.startsWith('chunks'));
  const exported = entries.map(
    ([path, all]) => `${path}\n${all.filter(isExport).map(withoutPlace).join('\n')}\n`,
  );
  return `${[...new Set(declared)].sort().join('\n')}\n\n${exported.sort().join('\n')}`;
}

function statements(text: string): string[] {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/^\s*\n/gm, '');
  return bare.split(/^(?=[a-z])/m).map(one => one.trimEnd());
}

const isExport = (one: string): boolean => one.startsWith('export ');
const withoutPlace = (one: string): string => one.replace(/-[\w-]{8}\.js"/, '.js"');

it('is as written in api.txt (npx vitest run test/package/api.test.ts -u writes it)', async () => {
  await expect(report()).toMatchFileSnapshot('api.txt');
});
