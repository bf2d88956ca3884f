/** What datasette-agent-edit does, feature by feature, in the same order as the table of it in dev/from-other-tools.md. */

import { beforeEach, describe, expect, it } from 'vitest';
import {
  initRepository,
  openWorkspace,
  type Session,
  toolset,
  type WorkspaceEvent,
} from '../../src/index.ts';
import { type MemoryStore, memoryStore } from '../../src/stores/simple.ts';
import { repository } from '../helpers/real-git.ts';

const PAGE = '<h1>Hello</h1>\n<p>one</p>\n<p>two</p>\n';

describe('an app’s pages as documents of an agent', () => {
  let store: MemoryStore;
  let session: Session;
  let events: WorkspaceEvent[];
  let call: (name: string, input: object) => Promise<{ ok: boolean; message: string; data: unknown }>;

  beforeEach(async () => {
    const root = repository().path('history.git');
    await initRepository({ root, bare: true, nested: true });
    store = memoryStore();
    await store.set('page', PAGE);
    events = [];
    const workspace = await openWorkspace({ root, store, onEvent: event => events.push(event) });
    session = workspace.session({ agent: 'app' });
    const options = {
      prefix: 'app_',
      pathField: 'page_id',
      descriptions: { str_replace: 'Change a page of the app.' },
      tools: ['view', 'str_replace', 'insert', 'create', 'change'],
    };
    const tools = toolset(options);
    call = (name, input) => tools.find(tool => tool.name === name)!.run(session, input);
    expect(tools[1]).toMatchObject({ name: 'app_str_replace', description: 'Change a page of the app.' });
    expect(tools[1]!.inputSchema.properties).toHaveProperty('page_id');
  });

  const text = (): string => new TextDecoder().decode(store.get('page')!);

  it('views a range with line numbers, -1 being the end', async () => {
    const { message } = await call('app_view', { page_id: 'page', view_range: [2, -1] });
    expect(message).toMatch(/^ +2\t<p>one<\/p>\n +3\t<p>two<\/p>\n\[/);
  });

  it('replaces a text that is there exactly once', async () => {
    const input = { page_id: 'page', old_str: '<p>', new_str: '<p class="x">' };
    expect(await call('app_str_replace', input)).toMatchObject({ ok: false, code: 'AMBIGUOUS' });
    await call('app_str_replace', { ...input, old_str: '<p>one' });
    expect(text()).toBe(PAGE.replace('<p>one', '<p class="x">'));
  });

  it('inserts after a line, 0 being the beginning', async () => {
    await call('app_view', { page_id: 'page' });
    await call('app_insert', { page_id: 'page', insert_line: 0, insert_text: '<!doctype html>' });
    expect(text()).toBe(`<!doctype html>\n${PAGE}`);
  });

  it('makes several edits as one revision, or none when one of them fails', async () => {
    const edits = [
      { edit: 'app_str_replace', page_id: 'page', old_str: 'one', new_str: '1' },
      { edit: 'app_str_replace', page_id: 'page', old_str: '<p>1', new_str: '<p>uno' },
    ];
    const failing = [...edits, { edit: 'app_str_replace', page_id: 'page', old_str: 'three', new_str: '3' }];
    const refused = await call('app_change', { edits: failing });
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('edit 3 of 3') });
    expect(text()).toBe(PAGE);
    await call('app_change', { edits });
    expect(text()).toBe(PAGE.replace('one', 'uno'));
    expect((await session.log({ op: 'str_replace' })).data).toMatchObject({ entries: [{ subject: /page/ }] });
  });

  it('answers a version with every success, and takes it as what an edit was decided on', async () => {
    const { data } = await call('app_str_replace', { page_id: 'page', old_str: 'one', new_str: '1' });
    const { version } = (data as { paths: Array<{ version: string }> }).paths[0]!;
    await store.set('page', 'somebody else\n');
    const late = { page_id: 'page', old_str: 'else', new_str: 'new', version };
    expect(await call('app_str_replace', late)).toMatchObject({ ok: false, code: 'STALE' });
    expect(text()).toBe('somebody else\n');
  });

  it('keeps every version, and goes back to any', async () => {
    await call('app_str_replace', { page_id: 'page', old_str: 'one', new_str: '1' });
    await call('app_str_replace', { page_id: 'page', old_str: 'two', new_str: '2' });
    expect((await session.view({ path: 'page', at: '~1' })).message).toContain('<p>two</p>');
    await session.undo({ count: 2 });
    expect(text()).toBe(PAGE);
  });

  it('creates, and tells the host what to render', async () => {
    await call('app_create', { page_id: 'about', file_text: '<h1>About</h1>\n' });
    expect(events).toMatchObject([{ kind: 'edit', paths: ['about'], files: [{ kind: 'create' }] }]);
  });
});
