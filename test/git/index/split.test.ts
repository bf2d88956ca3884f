import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { IndexReader } from '../../../src/git/index/reader.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { type Sandbox, sandbox } from '../../helpers/real-git.ts';

function box(names: readonly string[], version: string): Sandbox {
  const made = sandbox();
  made.git('init', '-q');
  made.git('config', 'index.version', version);
  for (const name of names) made.write(name, `${name}\n`);
  made.git('add', '-A');
  made.git('commit', '-q', '--allow-empty', '-m', 'start');
  return made;
}

const NAMES = ['a', 'b/c', 'b/d/e', 'b-', 'f.txt', 'g', 'h/i/j', '\u00e9', 'z', 'b'].slice(0, 9);
const STEP = fc.record({
  op: fc.constantFrom('change', 'remove', 'add', 'intent', 'flag', 'split'),
  name: fc.constantFrom(...NAMES, 'new', 'b/new', 'zz'),
});

const listing = (repo: Sandbox): string =>
  repo.git('ls-files', '--stage', '-v', '--debug').replace(/flags: \w+/g, '');

test('a split index is read as git reads it', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom('2', '4'),
    fc.nat(200),
    fc.array(STEP, { maxLength: 8 }),
    async (version, many, steps) => {
      const others = Array.from({ length: many }, (_, n) => `many/${n}`);
      const repo = box([...NAMES, ...others], version);
      repo.git('config', 'splitIndex.maxPercentChange', '100');
      repo.git('update-index', '--split-index');
      for (const { op, name } of steps) {
        if (op === 'split') repo.git('update-index', '--split-index');
        else if (op === 'remove') repo.git('rm', '-q', '--cached', '--ignore-unmatch', '--', name);
        else if (op === 'flag') {
          // Only what the index has can be marked.
          if (repo.git('ls-files', '--', 'a') !== '') repo.git('update-index', '--assume-unchanged', 'a');
        } else {
          writeFileSync(repo.path(name.replace('b/new', 'h/new')), `${op}\n`);
          repo.git('add', ...(op === 'intent' ? ['-N'] : []), '--', name.replace('b/new', 'h/new'));
        }
      }
      const reader = new IndexReader(nodeFs(), repo.path('.git/index'), bytes => nativeCodec.sha1(bytes));
      const bytes = (await reader.read())!;
      expect(await reader.read()).toBe(bytes);
      const before = listing(repo);
      for (const one of readdirSync(repo.path('.git')))
        if (one.startsWith('sharedindex')) expect(bytes).not.toEqual(readFileSync(repo.path(`.git/${one}`)));
      writeFileSync(repo.path('.git/index'), bytes);
      expect(listing(repo)).toBe(before);
    },
  );
  await fc.assert(property, { numRuns: 15 });
});
