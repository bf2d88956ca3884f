import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What mostly waits goes first, beside what computes. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = ({ moduleId }: TestSpecification): number => Number(/kill|native/.test(moduleId));
    return (await super.sort(files)).sort((a, b) => waits(b) - waits(a));
  }
}

/** The long forms: every point, or very many, where the normal tests try some. */
export default defineConfig({
  test: {
    include: [
      'test/**/*.long.ts',
      'test/stores/disk/crash.test.ts',
      'test/repositories/line-ends-crash.test.ts',
      'test/git/packs/crash.test.ts',
      'test/crash/{hooks,killed-landing,person}.test.ts',
      'test/engine/transaction/{forged,other-disk}.test.ts',
      'test/sessions/corpus.test.ts',
    ],
    env: { VEDIT_LONG: 'yes' },
    globalSetup: ['test/setup.ts', 'test/crash/summary.ts'],
    maxWorkers: '100%',
    maxConcurrency: 2,
    sequence: { sequencer: WaitingFirst },
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
  },
});
