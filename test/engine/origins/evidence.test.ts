import { describe, expect, it } from 'vitest';
import { type AgentEvent, WRITES } from '../../../src/engine/origins/agent-events.ts';
import { evidenceFor, whenChanged } from '../../../src/engine/origins/origins.ts';
import { at, CLIENT, connected, minute, SERVER, told } from '../../agents/story.ts';

type Then = Parameters<typeof told>[1] & { recorded?: number; looked?: number };

/** Whose a change at this minute is; `null`: nobody knows when it was. */
function whose(
  events: readonly AgentEvent[],
  changed: number | null,
  { recorded, looked, ...then }: Then = {},
): string {
  const moment = (at?: number | null): bigint | undefined => (at == null ? undefined : minute(at));
  const moments = { changed: moment(changed) ?? null, recorded: moment(recorded), after: moment(looked) };
  const found = evidenceFor(told(events, then), whenChanged(moments, minute(1)));
  if (found.by === 'during') return `during ${found.calls.map(({ call }) => call).join(' ')}`;
  return found.by === 'unclaimed' ? `unclaimed ${found.agents.join(' ')}` : found.by;
}

/** A prompt, a command from 12 to 14, the end of the turn. */
const TURN = [at(10, 'prompt', '1'), at(12, 'before', 'c1'), at(14, 'after', 'c1'), at(16, 'stop', '2')];
const OPEN = TURN.slice(0, 3);
const WROTE = [connected(5), connected(6, { tool: WRITES })];

describe('evidence', () => {
  const TABLE: ReadonlyArray<readonly [string, readonly AgentEvent[], number | null, string, Then?]> = [
    ['nobody was there', [], 5, 'person'],
    ['before the turn', TURN, 9, 'person'],
    ['between the calls of a client that tells of them', TURN, 11, 'person'],
    ['in a call', TURN, 13, 'during c1'],
    ['at its first moment', TURN, 12, 'during c1'],
    ['at its last', TURN, 14, 'during c1'],
    ['after it', TURN, 15, 'person'],
    ['after the turn', TURN, 20, 'person'],
    ['after it, where what began with it lives on', TURN, 20, 'during c1', { orphans: [13] }],
    ['after it, where what lives began before or later', TURN, 20, 'person', { orphans: [11, 15] }],
    ['no call was told of yet', [at(10, 'prompt', '1')], 11, 'unclaimed claude-code', { now: 12 }],
    [
      'its first call is told of now',
      [at(10, 'prompt', '1'), at(12, 'before', 'c1')],
      11,
      'person',
      { now: 12 },
    ],
    ['hooks of edits alone', [at(12, 'before', 'c1'), at(14, 'after', 'c1')], 15, 'unclaimed claude-code'],
    [
      'a call that was told of only after it',
      [at(10, 'prompt'), at(12, 'after', 'c1'), at(13, 'before', 'c2')],
      11,
      'unclaimed claude-code',
    ],
    [
      'what an after event was of is not known',
      [...TURN.slice(0, 2), at(13, 'after', '')],
      15,
      'during c1',
      { now: 16 },
    ],
    ['an after event did not come', [...TURN.slice(0, 2), at(16, 'stop')], 15, 'during c1'],
    [
      '... and nothing of the client lives',
      [...TURN.slice(0, 2), at(16, 'stop'), at(17, 'quiet', '1')],
      18,
      'person',
    ],
    [
      '... the next prompt ends the turn',
      [...TURN.slice(0, 2), at(16, 'prompt')],
      15,
      'during c1',
      { blind: true },
    ],
    [
      '... and nobody can look at processes',
      [...TURN.slice(0, 2), at(16, 'stop')],
      18,
      'person',
      { blind: true },
    ],
    [
      'in the background',
      [at(10, 'prompt'), at(12, 'background', 'c1'), at(13, 'after', 'c1')],
      15,
      'during c1',
      { now: 16 },
    ],
    [
      'in the background, beyond the turn',
      [at(10, 'prompt'), at(12, 'background', 'c1'), at(16, 'stop')],
      50,
      'during c1',
      { now: 60, busy: [CLIENT] },
    ],
    [
      '... whose end is seen only now',
      [at(10, 'prompt'), at(12, 'background', 'c1'), at(16, 'stop')],
      50,
      'during c1',
      { now: 60 },
    ],
    [
      '... and was seen before',
      [at(10, 'prompt'), at(12, 'background', 'c1'), at(16, 'stop'), at(40, 'quiet', '1')],
      50,
      'person',
      { now: 60 },
    ],
    [
      'two calls',
      [
        at(10, 'prompt'),
        at(11, 'before', 'c1'),
        at(12, 'before', 'c2'),
        at(14, 'after', 'c1'),
        at(15, 'after', 'c2'),
      ],
      13,
      'during c1 c2',
    ],
    [
      '30 minutes after the last event',
      [at(12, 'before', 'c1'), at(14, 'after', 'c1')],
      43,
      'unclaimed claude-code',
    ],
    ['... and later', [at(12, 'before', 'c1'), at(14, 'after', 'c1')], 45, 'person'],
    ['a client without hooks', WROTE, 50, 'unclaimed codex'],
    ['... that only read', [connected(5)], 50, 'person'],
    ['... before it wrote by its server', WROTE, 5, 'unclaimed codex'],
    ['... that ended', [...WROTE, { ...connected(20), kind: 'gone' }], 50, 'person'],
    ['... that ended unseen', WROTE, 50, 'person', { dead: [SERVER] }],
    ['... before it came', WROTE, 3, 'person'],
    ['after a call that ran since the look', TURN, 20, 'during c1', { looked: 11 }],
    ['... and what it did to the file is recorded', TURN, 20, 'person', { looked: 11, recorded: 15 }],
    ['... recorded while it ran', TURN, 20, 'during c1', { looked: 11, recorded: 13 }],
    ['... by a clock that jumped', TURN, 20, 'during c1', { looked: 11, recorded: 90 }],
    ['a file that is gone, and nobody was there', [], null, 'person'],
    ['a file that is gone, and a call ran since', TURN, null, 'during c1'],
    [
      '... and a turn was open whose calls are not told of',
      [at(10, 'prompt')],
      null,
      'unclaimed claude-code',
    ],
    [
      'a file that is gone since the turn was over',
      TURN.map(one => ({ ...one, at: one.at - minute(16) })),
      null,
      'person',
    ],
  ];

  for (const [what, events, changed, expected, then] of TABLE)
    it(what, () => expect(whose(events, changed, then)).toBe(expected));

  it('is the same in whatever order the events come, and with each twice', () => {
    for (const [, events, changed, expected, then] of TABLE)
      expect(whose([...events, ...events].reverse(), changed, then)).toBe(expected);
  });
});

describe('activity', () => {
  it('notes what is seen to have ended, once', () => {
    const left = [at(10, 'prompt'), at(12, 'background', 'c1'), at(16, 'stop')];
    const { seen } = told(left, { now: 20 });
    expect(seen.map(({ kind, session }) => [kind, session])).toEqual([['quiet', 's']]);
    const { seen: again, calls } = told([...left, ...seen], { now: 21 });
    expect(again).toEqual([]);
    expect(calls).toEqual([expect.objectContaining({ until: minute(20) })]);
  });

  it('ends a turn with its client, as far as that was heard of', () => {
    const { turns } = told(OPEN, { now: 20, dead: [CLIENT] });
    expect(turns).toEqual([expect.objectContaining({ from: minute(10), until: minute(14) })]);
    expect(told(OPEN, { now: 20 }).turns).toEqual([expect.objectContaining({ until: null })]);
  });

  it('begins a turn with a call, where no prompt was told of', () => {
    const { turns } = told([...TURN, at(18, 'before', 'c2'), at(19, 'stop', '3')]);
    expect(turns.map(({ from, until }) => [from, until])).toEqual([
      [minute(10), minute(16)],
      [minute(18), minute(19)],
    ]);
  });
});
