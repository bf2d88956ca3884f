import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../../src/queries/log/history.ts';
import { textOf } from '../../../../src/surfaces/cli/terminal/style.ts';
import { onelinePieces } from '../../../../src/surfaces/cli/views/log.ts';

const ENTRY = {
  commit: '1a2b3c4d5e6f',
  time: '2026-11-20T15:04:00Z',
  agent: 'fixer',
  author: 'fixer',
  session: 's1',
  op: 'str_replace',
  subject: 'str_replace src/a.ts (+1 -1)',
  reason: 'why it is so, at length\n\nand more',
  status: { now: 'open', by: null, landed_in: null, marks: [], lines: {} },
} as unknown as LogEntry;

const BACK = {
  ...ENTRY.status,
  now: 'taken back',
  by: '9f8e7d6c5b4a',
} as const satisfies LogEntry['status'];

/** What follows the id, the time and the name, which take 32 columns. */
const WHEN = '2026-11-20 15:04';
function line(entry: Partial<LogEntry>, columns: number): string {
  const text = onelinePieces({ ...ENTRY, ...entry }, { room: columns, when: () => WHEN })
    .map(textOf)
    .join('');
  expect(text).toMatch(/^1a2b3c4 2026-11-20 \d\d:\d\d fixer: /);
  return text.slice(32);
}

describe('an edit on one line', () => {
  it.each<[number, string]>([
    [Number.POSITIVE_INFINITY, 'str_replace src/a.ts (+1 -1): why it is so, at length'],
    [85, 'str_replace src/a.ts (+1 -1): why it is so, at length'],
    [84, 'str_replace src/a.ts: why it is so, at length'],
    [77, 'str_replace src/a.ts: why it is so, at length'],
    [76, 'src/a.ts: why it is so, at length'],
    [65, 'src/a.ts: why it is so, at length'],
    [64, 'src/a.ts: why it is so, at len..'],
    [54, 'src/a.ts: why it is ..'],
    [53, 'src/a.ts'],
  ])('in %s columns loses the counts, then the operation, and the reason last', (columns, text) => {
    expect(line({}, columns)).toBe(text);
  });

  it('keeps the reason rather than the beginning of a long path', () => {
    const subject = 'create src/surfaces/cli/terminal/message-editor.ts (+1 -0)';
    const text = line({ op: 'create', subject }, 70);
    expect(text).toBe('..inal/message-editor.ts: why it is ..');
    expect(line({ op: 'create', subject }, 20)).toBe('..-editor.ts');
    expect(line({ op: 'create', subject, reason: '' }, 80)).toBe(
      'src/surfaces/cli/terminal/message-editor.ts',
    );
    expect(line({ op: 'create', subject, reason: '' }, 95)).toBe(subject);
  });

  it.each<[Partial<LogEntry>, string]>([
    [{ op: 'undo', subject: 'undo src/a.ts (+1 -1)' }, 'undo src/a.ts: why it is so,..'],
    [{ op: null, subject: 'Merge src (+1 -1)' }, 'Merge src (+1 -1): why it is so,..'],
    [{ op: null, subject: 'Merge src (+1 -1)', reason: 'as it was' }, 'Merge src (+1 -1): as it was'],
    [{ status: BACK }, 'src/a.ts: why it is so,.. (taken back by 9f8e7d6c5b4a)'],
  ])('keeps what says more than the operation: %j', (entry, text) => {
    expect(line(entry, text.length + 32)).toBe(text);
  });
});
