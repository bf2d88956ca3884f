/** What nobody understands nobody follows: options that there are not are refused by name, and nothing is done. */

import { describe, expect, it } from 'vitest';
import {
  EditError,
  initRepository,
  memoryFs,
  openWorkspace,
  runTool,
  type Session,
  toolset,
  type Workspace,
} from '../../src/index.ts';
import { aiTools, memoryExecute, textEditorExecute } from '../../src/surfaces/ai.ts';
import { answerToolUses, customTools, memoryTool, textEditorTool } from '../../src/surfaces/anthropic.ts';
import { langchainTools } from '../../src/surfaces/langchain/index.ts';
import { McpConnection } from '../../src/surfaces/mcp/server.ts';
import { agentTools, answerItems, chatTools, functionTools } from '../../src/surfaces/openai.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

/** A program in JavaScript: no compiler looks at it. */
type Loose = (options: never) => unknown;

async function refusalOf(call: () => unknown): Promise<EditError> {
  try {
    const answer = await call();
    if (answer !== null && typeof answer === 'object' && Symbol.asyncIterator in answer)
      for await (const _ of answer as AsyncIterable<unknown>) break;
  } catch (error) {
    expect(error).toBeInstanceOf(EditError);
    return error as EditError;
  }
  throw new Error('was not refused');
}

async function edited(): Promise<{ repo: Place; workspace: Workspace; session: Session }> {
  const repo = personRepo({ 'a.txt': 'one\n' });
  const workspace = await repo.open();
  const session = workspace.session({ id: 's1' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: '1' });
  return { repo, workspace, session };
}

describe('a dry run', () => {
  it.each([['dryRun'], ['dry_run'], ['dry_Run'], ['dryrun'], ['preview']])(
    'is one, or is refused, when it is asked for by %s',
    async name => {
      const { repo, session, workspace } = await edited();
      const asked = { [name]: true };
      const head = repo.git('rev-parse', 'vedit/main');
      const calls: Array<() => Promise<{ data: { dry_run?: true } }>> = [
        () => session.undo(asked),
        () => session.rollback('~1', asked),
        () => session.revert('@', asked),
        () => session.restore({ path: 'a.txt', from: '~1', ...asked }),
        () => session.change([{ edit: 'delete', path: 'a.txt' }], asked),
        () => workspace.land(asked) as never,
      ];
      for (const call of calls) {
        const code = await call().then(
          ({ data }) => data.dry_run,
          error => error.code,
        );
        expect(code).toBe(name === 'dryRun' ? true : 'INVALID_INPUT');
      }
      expect(repo.git('rev-parse', 'vedit/main')).toBe(head);
      expect(repo.git('log', '--format=%s', 'main')).toBe('start');
      expect(repo.read('a.txt')).toBe('1\n');
    },
  );
});

describe('the methods of a session refuse an option that there is not:', () => {
  const methods: Record<string, (session: Session, options: never) => unknown> = {
    view: (session, options) => session.view(options),
    read: (session, options) => session.read(options),
    change: (session, options) => session.change([{ edit: 'delete', path: 'a.txt' }], options),
    undo: (session, options) => session.undo(options),
    redo: (session, options) => session.redo(options),
    rollback: (session, options) => session.rollback('~1', options),
    revert: (session, options) => session.revert('@', options),
    restore: (session, options) => session.restore(options),
    record: (session, options) => session.record(['a.txt'], options),
    log: (session, options) => session.log(options),
    entries: (session, options) => session.entries(options),
    export: (session, options) => session.export(options),
    timeline: (session, options) => session.timeline(options),
    blame: (session, options) => session.blame(options),
    diff: (session, options) => session.diff(options),
    refusals: (session, options) => session.refusals(options),
    verify: (session, options) => session.verify(options),
    inTurn: (session, options) => session.inTurn(async () => {}, options),
  };

  it.each(Object.entries(methods))('%s', async (name, call) => {
    const { repo, session } = await edited();
    const unknown = await refusalOf(() => call(session, { nonsense: 1, path: 'a.txt' } as never));
    expect(unknown).toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: expect.arrayContaining(['nonsense']) },
    });
    expect(unknown.message).toMatch(
      new RegExp(`^session\\.${name}: there is no option \`nonsense\`.* Nothing was done\\.`),
    );
    expect(unknown.message).not.toMatch(/[a-z]_[a-z]/);
    for (const options of [5, 'x', [], true]) {
      expect((await refusalOf(() => call(session, options as never))).code).toBe('INVALID_INPUT');
    }
    expect(repo.git('rev-list', '--count', 'main..vedit/main')).toBe('1');
  });

  it('and say where an option of another call goes, whichever it is', async () => {
    const { workspace, session } = await edited();
    const optionsOf = async (call: (options: never) => unknown): Promise<string[]> => {
      const { message } = await refusalOf(async () => call({ root: '/r', nonsense: 1 } as never));
      return /Options: ([^.]+)\./.exec(message)![1]!.split(', ');
    };
    const own = await optionsOf(session.view.bind(session));
    const lists: Record<string, string[]> = {
      openWorkspace: await optionsOf(openWorkspace),
      'workspace.session': await optionsOf(workspace.session.bind(workspace)),
      'session.undo': await optionsOf(options => session.revert('@', options)),
      initRepository: await optionsOf(initRepository),
    };
    const counts = Object.values(lists).flat();
    for (const [home, names] of Object.entries(lists))
      for (const name of names.filter(one => !own.includes(one) && one !== 'id')) {
        const { message } = await refusalOf(() => session.view({ path: 'a.txt', [name]: 1 } as never));
        const isOne = counts.filter(one => one === name).length === 1;
        expect(message).toMatch(
          isOne
            ? `: it goes to ${home === 'session.undo' ? 'calls that change files, as in session.undo' : home}(`
            : ': it goes to ',
        );
      }
    expect(
      (await refusalOf(() => workspace.accept({ path: 'a.txt', dryRun: true } as never))).message,
    ).toContain('there is no option `dryRun`: it goes to calls that change files');
  });

  it('and one that means something to another call', async () => {
    const { session } = await edited();
    for (const call of [
      () => session.revert('@', { count: 2 } as never),
      () => session.rollback('~1', { scope: 'trail' } as never),
      () => session.undo({ paths: ['a.txt'] } as never),
    ])
      expect((await refusalOf(call)).message).toMatch(/there is no option/);
  });

  it('and tell of it as of any refusal', async () => {
    const repo = personRepo({ 'a.txt': 'one\n' });
    const told: unknown[] = [];
    const session = await repo.session('s1', { onEvent: event => told.push(event) });
    await refusalOf(() => session.undo({ dryrun: true } as never));
    expect(told).toMatchObject([{ kind: 'refusal', op: 'undo', error: { code: 'INVALID_INPUT' } }]);
  });
});

describe('a value of another kind is refused by the name of its option:', () => {
  it.each<[string, (session: Session) => unknown, RegExp]>([
    [
      'undo',
      session => session.undo({ dryRun: 'yes' } as never),
      /`dryRun` must be true or false, but "yes"/,
    ],
    ['undo', session => session.undo({ count: 0 }), /`count` must be more than 0/],
    ['undo', session => session.undo({ scope: 'all' } as never), /`scope` must be one of "session", "trail"/],
    ['undo', session => session.undo(3 as never), /options must be given as an object, but 3 was given/],
    ['change', session => session.change([], { onStale: 'merge' } as never), /`onStale` must be one of/],
    ['view', session => session.view({ path: 5 } as never), /`path` must be a text, but 5/],
    [
      'view',
      session => session.view({ path: 'a.txt', viewRange: [1] }),
      /`viewRange` must have exactly 2 numbers/,
    ],
    ['view', session => session.view(undefined as never), /but undefined was given/],
    [
      'log',
      session => session.log({ since: 'yesterday' } as never),
      /`since` must be a Date, but "yesterday"/,
    ],
    ['log', session => session.log({ limit: 'all' } as never), /`limit` must be a whole number/],
    ['verify', session => session.verify({ onCommit: 'log' } as never), /`onCommit` must be a function/],
    ['show', session => session.show(undefined as never), /`commit` is required \(a text\)/],
    ['rollback', session => session.rollback(1 as never), /`commit` must be a text, but 1/],
    ['revert', session => session.revert({ commit: '@' } as never), /`commit` must be a text/],
    ['restore', session => session.restore({ path: 'a.txt', from: 1 as never }), /`from` must be a text/],
    ['record', session => session.record('a.txt' as never), /`paths` must be a list of texts/],
    ['open', session => session.open(1 as never), /`path` must be a text/],
  ])('%s', async (name, call, words) => {
    const { repo, session } = await edited();
    const error = await refusalOf(() => call(session));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).toMatch(words);
    expect(error.message).toContain(`session.${name}`);
    expect(repo.read('a.txt')).toBe('1\n');
  });
});

describe('a workspace', () => {
  it.each<[string, unknown, RegExp]>([
    ['a word misspelt', { outside: 'refus' }, /`outside` must be one of "record", "refuse", but "refus"/],
    ['an option misspelt', { outsid: 'refuse' }, /there is no option `outsid`, did you mean `outside`\?/],
    ['in the words of the command line', { 'allow-ignored': true }, /no option `allow-ignored`/],
    ['a word for yes', { allowIgnored: 'yes' }, /`allowIgnored` must be true or false/],
    ['a size in words', { maxFileBytes: '64 MiB' }, /`maxFileBytes` must be/],
    ['no root', { root: undefined }, /`root` must be the absolute path of a folder/],
    ['an empty root', { root: '' }, /`root` must be the absolute path of a folder/],
    ['a hook that is none', { beforeCommit: { deny: 'x' } }, /`beforeCommit` must be a function/],
    ['half a person', { user: { name: 'Ada' } }, /`user\.email` is required/],
    ['patience for another', { patience: { lock: 5 } }, /`patience` has no field `lock`/],
    ['no file system', { fs: {} }, /`fs` must be a file system/],
    ['no store', { store: { read: () => null } }, /`store` is not a Store: it has no resolve/],
    ['durability', { durability: 'none' }, /`durability` must be one of/],
    ['a callback', { onEvent: true }, /`onEvent` must be a function/],
  ])('is not opened with %s', async (_what, options, words) => {
    const repo = personRepo({});
    const error = await refusalOf(() => openWorkspace({ root: repo.dir, ...(options as object) } as never));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).toMatch(words);
    expect(error.message).toMatch(/^openWorkspace: /);
  });

  it('is opened with null for what is not said', async () => {
    const nothing = { trail: null, fs: null, user: undefined } as never;
    const workspace = await openWorkspace({ root: personRepo({}).dir, ...(nothing as object) });
    await workspace.close();
  });

  it.each<[string, (workspace: Workspace, options: never) => unknown]>([
    ['session', (workspace, options) => workspace.session(options)],
    ['land', (workspace, options) => workspace.land(options)],
    ['gc', (workspace, options) => workspace.gc(options)],
    ['verify', (workspace, options) => workspace.verify(options)],
  ])('refuses unknown options of %s', async (name, call) => {
    const { workspace } = await edited();
    const error = await refusalOf(() => call(workspace, { nonsense: 1 } as never));
    expect(error.message).toMatch(new RegExp(`^workspace\\.${name}: there is no option \`nonsense\``));
  });

  it('is not made with options that there are not', async () => {
    const fs = memoryFs();
    const error = await refusalOf(() => initRepository({ root: '/repo', fs, brnch: 'main' } as never));
    expect(error.message).toMatch(/^initRepository: there is no option `brnch`, did you mean `branch`\?/);
    await expect(fs.promises.readdir('/')).resolves.toEqual([]);
  });
});

describe('tools are not made with options that there are not:', () => {
  const session = null as unknown as Session;
  const makers: Record<string, Loose> = {
    toolset,
    aiTools: options => aiTools(session, options),
    textEditorExecute: options => textEditorExecute(session, options),
    memoryExecute: options => memoryExecute(session, options),
    textEditorTool: options => textEditorTool(session, options),
    memoryTool: options => memoryTool(session, options),
    customTools: options => customTools(session, options),
    answerToolUses: options => answerToolUses(session, [], options),
    answerItems: options => answerItems(session, [], options),
    functionTools,
    chatTools,
    agentTools: options => agentTools(session, options),
    langchainTools: options => langchainTools(session, (() => {}) as never, options),
    McpConnection: options =>
      new McpConnection({ open: async () => null as never, version: '1', ...(options as object) }),
  };

  it.each(Object.entries(makers))('%s', async (name, make) => {
    const error = await refusalOf(() => make({ read_only_: true } as never));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).toMatch(new RegExp(`^${name}: there is no option \`read_only_\``));
  });

  it('runTool, which answers what it refuses', async () => {
    const { session: own } = await edited();
    expect(await runTool(own, 'undo', {}, { hole: true } as never)).toMatchObject({
      ok: false,
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^runTool: there is no option `hole`, did you mean `whole`\?/),
    });
    expect((await own.log()).data.entries).toHaveLength(1);
  });

  it.each(['toolset', 'aiTools', 'McpConnection'])('nor %s with values of another kind', async name => {
    const error = await refusalOf(() => makers[name]!({ readOnly: 'yes' } as never));
    expect(error.message).toMatch(/`readOnly` must be true or false, but "yes"/);
  });
});

it('a promise in place of what it brings is told to be awaited, and nothing is done', async () => {
  const { repo, workspace, session } = await edited();
  const git = Promise.resolve(() => null) as never;
  const calls: Array<[string, () => unknown]> = [
    ['git', () => workspace.land({ git })],
    ['git', () => workspace.gc({ git })],
    ['git', () => workspace.push({ git })],
    ['git', () => workspace.fetch({ git })],
    ['git', () => session.recordAll({ git })],
    ['git', () => workspace.takeHook(new Uint8Array(), { named: 'codex', git })],
    ['onCommit', () => workspace.verify({ onCommit: git })],
    ['store', () => openWorkspace({ root: repo.dir, store: git })],
    ['fs', () => openWorkspace({ root: repo.dir, fs: git })],
    ['user', () => openWorkspace({ root: repo.dir, user: git })],
  ];
  for (const [name, call] of calls)
    expect(await refusalOf(call)).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(
        new RegExp(`: a promise was given for \`${name}\`: await it.*Nothing was done\\.$`),
      ),
      data: { fields: [name] },
    });
  expect(await refusalOf(() => workspace.takeHook(new Uint8Array(), { named: 'codex' }))).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('the event cannot be read'),
  });
});
