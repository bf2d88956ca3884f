import { describe, expect, it } from 'vitest';
import { unknownCommand } from '../../../src/surfaces/cli/program.ts';

describe('a command that other programs have', () => {
  it.each([
    ['approve', 'vedit accept'],
    ['discard', 'vedit undo'],
    ['commit', 'vedit land'],
    ['history', 'vedit log'],
    ['ls', 'vedit view .'],
    ['ui', 'vedit watch'],
    ['serve', 'vedit watch'],
    ['checkpoint', 'vedit rollback'],
    ['version', 'vedit --version'],
    ['config', 'git config vedit.'],
    ['pull', 'vedit fetch'],
  ])('%s is %s here', (word, line) => {
    expect(unknownCommand(word)).toContain(`(Did you mean ${line}`);
  });

  it.each(['revart', 'constructor', 'xyzzy'])('%s is not', word => {
    expect(unknownCommand(word)).not.toContain('undefined');
  });
});
