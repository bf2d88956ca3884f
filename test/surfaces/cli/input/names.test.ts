import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { WorkingFolder } from '../../../../src/surfaces/cli/input/names.ts';
import { sandbox } from '../../../helpers/real-git.ts';

describe('Place', () => {
  const top = new WorkingFolder('/work', '/work');
  const deep = new WorkingFolder('/work', '/work/src/deep');

  it.each([
    ['a.txt', 'a.txt', 'src/deep/a.txt'],
    ['./a.txt', 'a.txt', 'src/deep/a.txt'],
    ['../a.txt', '../a.txt', 'src/a.txt'],
    ['../../a.txt', '../../a.txt', 'a.txt'],
    ['../../../a.txt', '../../../a.txt', '../a.txt'],
    ['x//y/./z', 'x/y/z', 'src/deep/x/y/z'],
    ['..foo', '..foo', 'src/deep/..foo'],
    ['/work/src/a.txt', 'src/a.txt', 'src/a.txt'],
    ['/workshop/a.txt', '/workshop/a.txt', '/workshop/a.txt'],
    ['', '', ''],
  ])('%j is %j at the top and %j below', (given, atTop, below) => {
    expect([top.path(given), deep.path(given)]).toEqual([atTop, below]);
  });

  it.each([
    ['.', undefined, 'src/deep'],
    ['../..', '../..', undefined],
    ['src/', 'src', 'src/deep/src'],
    ['/work', undefined, undefined],
  ])('as a scope, %j is %j at the top and %j below', (given, atTop, below) => {
    expect([top.scope(given), deep.scope(given)]).toEqual([atTop, below]);
  });

  it('knows an absolute path that is spelled by way of a link', () => {
    const box = sandbox();
    mkdirSync(box.path('real'));
    symlinkSync('real', box.path('link'));
    expect(new WorkingFolder(box.path('real'), box.path('real')).path(box.path('link', 'a.txt'))).toBe(
      'a.txt',
    );
  });
});
