/** What a run of all tests says: every twenty seconds how far it is, what failed, and in its last line how many passed. */

import { MinimalReporter, type TestModule, type TestRunEndReason, type TestSpecification } from 'vitest/node';

/** Milliseconds between two lines. */
const PACE = 20_000;

export default class Progress extends MinimalReporter {
  #began = 0;
  #files = 0;
  #done = 0;
  #failed = 0;
  #said = 0;

  override onTestRunStart(files: readonly TestSpecification[]): void {
    super.onTestRunStart(files);
    [this.#began, this.#said, this.#files] = [Date.now(), Date.now(), files.length];
    this.log(`${files.length} files of tests`);
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    this.#done++;
    this.#failed += [...module.children.allTests('failed')].length;
    if (Date.now() - this.#said < PACE) return;
    this.#said = Date.now();
    const seconds = Math.round((this.#said - this.#began) / 1000);
    this.log(`${this.#done}/${this.#files} files, ${this.#failed} failed, ${seconds} s`);
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: Parameters<MinimalReporter['onTestRunEnd']>[1],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason);
    const count = (state: 'passed' | 'failed'): number =>
      modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
    // A file that cannot be loaded has no tests that could fail.
    const broken = modules.filter(
      module => !module.ok() && [...module.children.allTests('failed')].length === 0,
    );
    this.log(`${count('passed')} passed, ${count('failed') + broken.length + errors.length} failed`);
  }
}
