/** The tools as one agent is offered them: sets, prefixes, names and words of one's own. */

import { describe, expect, it } from 'vitest';
import { tools } from '../../../src/tools/index.ts';
import { toolset } from '../../../src/tools/toolset/toolset.ts';
import { SETS } from '../../../src/tools/toolset/words.ts';
import { codeOf, personRepo } from '../../helpers/person-repo.ts';

const names = (options: Parameters<typeof toolset>[0]): string[] => toolset(options).map(one => one.name);

describe('sets', () => {
  it('hold tools that there are, each more than the one before', () => {
    const all = tools.map(tool => tool.name);
    for (const set of Object.values(SETS)) expect(all).toEqual(expect.arrayContaining([...set]));
    expect(names({ tools: 'standard' })).toEqual(expect.arrayContaining(names({ tools: 'minimal' })));
    expect(names({ tools: 'all' })).toEqual(all);
  });

  it('are standard, unless something else is said', () => {
    expect(names({})).toEqual(names({ tools: 'standard' }));
    expect(names({ tools: ['undo', 'view'] })).toEqual(['view', 'undo']);
    expect(names({ tools: 'standard', readOnly: true })).toEqual(['view', 'preview', 'log']);
  });

  it.each(['bogus', ['view', 'viev']] as const)('refuse %j', async set => {
    const call = async (): Promise<unknown> => toolset({ tools: set as never });
    expect(await codeOf(call())).toBe('INVALID_INPUT');
  });
});

describe('names', () => {
  it('have a prefix, and may be others', () => {
    const offered = toolset({ prefix: 'article_', names: { str_replace: 'replace' }, tools: 'minimal' });
    expect(offered.map(one => one.name)).toEqual([
      'article_view',
      'article_replace',
      'article_insert',
      'article_create',
      'article_undo',
    ]);
    expect(offered[1]!.tool).toBe('str_replace');
  });

  it('may not be the same twice, nor be given to a tool that there is not', async () => {
    expect(await codeOf((async () => toolset({ names: { insert: 'view' } }))())).toBe('INVALID_INPUT');
    expect(await codeOf((async () => toolset({ descriptions: { viev: 'Look.' } }))())).toBe('INVALID_INPUT');
  });

  it('take the place of `path` wherever it is said', async () => {
    const repo = personRepo({ 'a.md': 'hello\n' });
    const session = await repo.session();
    const [view, replace] = toolset({ pathField: 'article_id', tools: ['view', 'str_replace'] });
    expect(view!.inputSchema).toMatchObject({
      required: ['article_id'],
      properties: { article_id: { type: 'string' } },
    });
    expect(replace!.example).toHaveProperty('article_id');
    const input = { article_id: 'a.md', old_str: 'hello', new_str: 'bye' };
    expect(await replace!.run(session, input)).toMatchObject({ ok: true });
    expect(repo.read('a.md')).toBe('bye\n');
    const refused = await replace!.run(session, { old_str: 'bye' });
    expect(refused).toMatchObject({
      ok: false,
      code: 'INVALID_INPUT',
      message: expect.stringContaining('`article_id` is required'),
    });
    expect(await replace!.run(session, { ...input, path: 'a.md' })).toMatchObject({
      message: expect.stringContaining('no field `path`'),
    });
  });

  it('are those inside a change, too', async () => {
    const repo = personRepo({ 'a.md': 'hello\n' });
    const session = await repo.session();
    const options = {
      prefix: 'doc_',
      names: { str_replace: 'replace' },
      pathField: 'doc',
      tools: ['change'],
    };
    const [change] = toolset(options);
    expect(change!.example).toMatchObject({ edits: [{ edit: 'doc_replace', doc: 'a.ts' }, { doc: 'b.ts' }] });
    const edits = ['doc_replace', 'replace', 'str_replace'].map((edit, n) => {
      return { edit, doc: 'a.md', old_str: `hello${'!'.repeat(n)}`, new_str: `hello${'!'.repeat(n + 1)}` };
    });
    expect(await change!.run(session, { edits })).toMatchObject({ ok: true });
    expect(repo.read('a.md')).toBe('hello!!!\n');
    expect(await change!.run(session, { edits: ['x'] })).toMatchObject({ ok: false, code: 'INVALID_INPUT' });
  });

  it.each(['old_str', 'version'])('may not be that of another field: %s', async pathField => {
    const call = async (): Promise<unknown> => toolset({ pathField });
    expect(await codeOf(call())).toBe('INVALID_INPUT');
  });

  it('and descriptions of one’s own reach the model', () => {
    const [view] = toolset({ descriptions: { view: 'Read an article.' }, tools: ['view'] });
    expect(view!.description).toBe('Read an article.');
  });
});

describe('an input', () => {
  const [replace] = toolset({ tools: ['str_replace'] });

  it('gets the id of the call, unless the model gave one', async () => {
    const repo = personRepo({ 'a.md': 'hello\n' });
    const session = await repo.session();
    await replace!.run(session, { path: 'a.md', old_str: 'hello', new_str: 'b' }, 'call-1');
    await replace!.run(session, { path: 'a.md', old_str: 'b', new_str: 'c', call_id: 'own' }, 'call-2');
    const trailers = repo.git(
      'log',
      '-2',
      '--format=%(trailers:key=Vedit-Call,valueonly,separator=%x2C)',
      'vedit/main',
    );
    expect(trailers).toBe('own\ncall-1');
  });
});
