/** Errors as a program meets them: told by their code, with data of the shape that the code promises. tsc checks the types. */

import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type ChangedBy,
  EditError,
  type ERROR_CODES,
  type ErrorCode,
  type ErrorDataByCode,
  isEditError,
} from '../src/errors.ts';

const stale = new EditError('STALE', 'a.txt changed.', {
  path: 'a.txt',
  version: 'f00',
  commit: null,
  base: null,
  base_version: null,
  diff: null,
  changed_by: [{ commit: null, op: 'outside', by: 'outside' }],
});

describe('instanceof EditError', () => {
  it('narrows to the codes and their data, not to any', () => {
    const error: unknown = stale;
    if (!(error instanceof EditError)) throw new Error('it is one');
    expectTypeOf(error.code).toEqualTypeOf<ErrorCode>();
    expectTypeOf(error.data).not.toBeAny();
    expectTypeOf(error.data.whatever).toBeUnknown();
    if (error.code !== 'STALE') throw new Error('it is STALE');
    expectTypeOf(error.data.version).toEqualTypeOf<string | null>();
    expect(error.data.version).toBe('f00');
    for (const other of [null, 'x', new Error('x'), { name: 'EditError' }])
      expect((other as unknown) instanceof EditError).toBe(false);
  });
});

describe('isEditError', () => {
  it('narrows to the code, and the data to its shape', () => {
    const error: unknown = stale;
    if (!isEditError(error, 'STALE')) throw new Error('it is STALE');
    expectTypeOf(error.code).toEqualTypeOf<'STALE'>();
    expectTypeOf(error.data.version).toEqualTypeOf<string | null>();
    expectTypeOf(error.data.changed_by).toEqualTypeOf<readonly ChangedBy[]>();
    expectTypeOf(error.data.whatever).toBeUnknown();
    expect(error.data.changed_by[0]!.by).toBe('outside');
  });

  it('takes several codes, or none', () => {
    const error: unknown = stale;
    expect(isEditError(error, 'LOCKED')).toBe(false);
    expect(isEditError(error)).toBe(true);
    if (isEditError(error, 'STALE', 'LOCKED')) expectTypeOf(error.code).toEqualTypeOf<'STALE' | 'LOCKED'>();
    if (isEditError(error)) expectTypeOf(error.code).toEqualTypeOf<ErrorCode>();
    // @ts-expect-error There is no such code.
    expect(isEditError(error, 'STAIL')).toBe(false);
  });

  it.each([
    null,
    'STALE',
    new Error('x'),
    { name: 'EditError', code: 'STALE' },
    Object.assign(new Error('x'), { name: 'EditError', code: 'toString' }),
  ])('is false for what is none: %#', thrown => {
    expect(isEditError(thrown)).toBe(false);
  });

  it('narrows by a comparison of the code, too', () => {
    const error: unknown = stale;
    if (!isEditError(error, 'STALE', 'LOCKED')) throw new Error('it is STALE');
    if (error.code === 'STALE') expectTypeOf(error.data.version).toEqualTypeOf<string | null>();
    expect(error.code === 'STALE' ? error.data.diff : error.data.holder).toBeNull();
  });

  it('knows an error of another copy of the package', () => {
    const other = Object.assign(new Error('x'), { name: 'EditError', code: 'STALE', data: {} });
    expect(isEditError(other, 'STALE')).toBe(true);
  });
});

describe('EditError', () => {
  it('is made with what its code promises', () => {
    // @ts-expect-error NOT_VIEWED promises the version.
    new EditError('NOT_VIEWED', 'x', { path: 'a.txt' });
    // @ts-expect-error FILE_EXISTS promises the path.
    new EditError('FILE_EXISTS', 'x');
    expect(new EditError('LOCKED', 'x').data).toEqual({});
  });

  it('has a shape of data for every code', () => {
    expectTypeOf<keyof ErrorDataByCode>().toEqualTypeOf<keyof typeof ERROR_CODES>();
  });

  it('tells by its code what its data is', () => {
    const told = (error: EditError<'NO_MATCH'> | EditError<'LOCKED'>): unknown =>
      error.code === 'NO_MATCH' ? error.data.nearest?.start_line : error.data.holder?.pid;
    expect(told(new EditError('LOCKED', 'x', { holder: { pid: 7, host: 'h' } }))).toBe(7);
  });
});
