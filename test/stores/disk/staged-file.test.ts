import { expect, it } from 'vitest';
import { isForWorkTree, isStagedName } from '../../../src/stores/disk/staged-file.ts';

const TOKEN = '0123456789abcdef01234567';

it.each<[string, boolean, boolean]>([
  [`${TOKEN}.1-0`, true, true],
  [`${TOKEN}.123-456`, true, true],
  [`${TOKEN}.1-0-again`, false, true],
  [`${TOKEN}.1-0.was`, false, false],
  [`${TOKEN}.1-ref`, false, false],
  [`x${TOKEN}.1-0`, false, false],
])('%s is the name of a staged file: %s, of one for the work tree: %s', (name, isStaged, isFor) => {
  expect([isStagedName(name), isForWorkTree(name)]).toEqual([isStaged, isFor]);
});
