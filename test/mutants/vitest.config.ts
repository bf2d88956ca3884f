import { relative } from 'node:path';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const tests = process.env.TESTS!.split(',');

class AsListed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      tests.indexOf(relative(process.cwd(), moduleId));
    return files.sort((a, b) => place(a) - place(b));
  }
}

/** For the mutation tester: no build, since it has a copy of dist. */
const config: ViteUserConfig = defineConfig({
  test: { include: tests, sequence: { sequencer: AsListed }, testTimeout: 60_000, hookTimeout: 60_000 },
});
export default config;
