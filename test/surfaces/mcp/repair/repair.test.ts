/**
 * What reaches a model is enough to repair a refused call in one step: for every code, where the client shows the text
 * alone and where it shows the structure alone. The next call is made of what was shown and of nothing else.
 */

import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../../src/errors.ts';
import { EditError, type ErrorCode, openWorkspace } from '../../../../src/index.ts';
import { personRepo } from '../../../helpers/person-repo.ts';
import { BASE_CASES } from './base-cases.ts';
import type { Case } from './case.ts';
import { type Ask, FORMS, type Form, modelOf } from './model.ts';
import { PLACE_CASES } from './place-cases.ts';
import { TEXT_CASES } from './text-cases.ts';

const CASES: readonly Case[] = [...TEXT_CASES, ...BASE_CASES, ...PLACE_CASES];

/** Codes that no call of an MCP client can come to, and why. */
const UNREACHABLE: Partial<Record<ErrorCode, string>> = {
  REMOTE_FAILED: 'only push and fetch ask a server; they are commands of people, and no tools',
  REMOTE_REFUSED: 'only push asks a server to take something',
  REJECTED: 'only a person rejects, between two calls; test/surfaces/rejections.test.ts has the story',
  GIT_REFUSED: 'only landing runs git, its hooks and its signing; land is a command of people, and no tool',
};

/** In characters: no refusal is longer. */
const LONGEST = 20_500;

describe.each(FORMS)('a model that is shown the %s alone', form => {
  it.each(CASES.map(one => [one.code, one.name, one] as const))(
    'repairs %s: %s',
    async (_code, _name, one) => {
      const repo = personRepo(one.files ?? {});
      one.make?.(repo);
      const options = { root: repo.dir, ...one.options?.(repo) };
      const open = (): ReturnType<typeof openWorkspace> => openWorkspace(options);
      const ask = await modelOf({ open, session: { agent: 'model' } }, form);
      await prepare(one, ask, await modelOf({ open, session: { agent: 'other' } }, form));
      one.after?.(repo);

      const [, input] = one.call;
      const refused = await ask(one.call);
      expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(headOf(one.code)) });
      for (const words of one.says) expect(refused.text).toMatch(words);
      expect(refused.text.length).toBeLessThan(LONGEST);
      if (typeof one.repair === 'string') return;

      one.meanwhile?.(repo);
      const next = one.repair(refused.text, input);
      expect(await ask(next)).toMatchObject({ isError: false });
      if (one.gives) expect(repo.read(one.gives[0])).toMatch(one.gives[1]);
    },
  );
});

async function prepare({ first = [], another = [] }: Case, ask: Ask, other: Ask): Promise<void> {
  for (const call of first) expect(await ask(call)).toMatchObject({ isError: false });
  for (const call of another) expect(await other(call)).toMatchObject({ isError: false });
}

/** The code comes first, and whether the same call can succeed right after it. */
function headOf(code: ErrorCode): RegExp {
  const { retryable } = new EditError(code, '');
  return new RegExp(`^${code}${retryable ? String.raw` \(retryable\)` : ''}: \\S`);
}

describe('the table', () => {
  it('has every code, or why it cannot come', () => {
    const known = [...new Set(CASES.map(one => one.code)), ...Object.keys(UNREACHABLE)];
    expect(known.sort()).toEqual(Object.keys(ERROR_CODES).sort());
  });

  it.each(FORMS)('a failure to open the workspace has a code, too: %s', async (form: Form) => {
    const ask = await modelOf({ open: () => Promise.reject(new TypeError('no such thing')) }, form);
    const { text, isError } = await ask(['view', { path: '.' }]);
    expect({ text, isError }).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^INTERNAL_ERROR: .*no such thing/),
    });
  });

  it('the host’s own rule for a session is asked', async () => {
    const repo = personRepo({});
    const session = { beforeCommit: (): { deny: string } => ({ deny: 'Not on Fridays.' }) };
    const ask = await modelOf({ open: () => openWorkspace({ root: repo.dir }), session }, 'text');
    expect((await ask(['create', { path: 'a', file_text: 'a\n' }])).text).toMatch(
      /^DENIED: .*Not on Fridays/,
    );
  });
});
