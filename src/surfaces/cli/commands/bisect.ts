import { relative } from 'node:path';
import { EditError } from '../../../errors.ts';
import { isSync } from '../../../operations.ts';
import type { LogEntry, ShowData } from '../../../queries/log/history.ts';
import { shortId } from '../../../wording.ts';
import type { Session } from '../../../workspace/session.ts';
import { type Bisection, bisect as search, type Tested } from '../bisection.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { gitOf, type Opened, withFolder } from '../engine.ts';
import { trailOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
import { answer, attempt } from '../run.ts';
import { SIGNAL_EXITS, SIGNALS, untilSignal } from '../terminal/signals.ts';
import { styled } from '../terminal/style.ts';
import { entryPieces, onelinePieces } from '../views/log-view.ts';
import { shownDiff } from '../views/shown-diff.ts';
import { counted } from '../views/words.ts';

/** The first bad edit, with all that `show` knows of it, and what was tested. */
type BisectData = ShowData & { tested: Tested[] };

const options = [
  ['--good <rev>', 'a commit that is good; default: the one before the first edit'],
  ['--bad <rev>', 'a commit that is bad; default: the newest'],
  ...trailOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'The command is run in a temporary work tree, for so many of the commits as a binary search needs; your files, index and ' +
    'HEAD stay as they are. It says by its exit code what a commit is: 0 good, 125 cannot tell, 1 to 127 bad. Both ends are ' +
    'tested first. Files that git does not have are not in that work tree: VEDIT_ROOT names your folder, VEDIT_COMMIT the ' +
    'commit. Options of vedit go before "run", those of the command after it.',
  arguments: [
    ['<run>', 'the word "run"'],
    ['<command...>', 'the program that tells good from bad, with its arguments'],
  ],
  passesThrough: true,
  options,
  examples: [
    ['vedit bisect run npm test', ''],
    [`vedit bisect run sh -c '! grep -q TODO src/a.ts'`, 'which edit brought the TODO'],
    [
      `vedit bisect run sh -c 'ln -sfn "$VEDIT_ROOT/node_modules" . && npm test'`,
      'with the packages that you have installed',
    ],
    ['vedit bisect --good ~20 run make check', ''],
  ],
  run: async call => {
    if (call.args[0] !== 'run')
      throw new UsageError(`vedit bisect run <command>: ${JSON.stringify(call.args[0])} is not "run"`);
    return withFolder(call, opened =>
      untilSignal(SIGNALS, async ended => {
        const result = await attempt(() => firstBad(call, opened, ended));
        if (ended.aborted) return SIGNAL_EXITS[ended.reason as keyof typeof SIGNAL_EXITS];
        return answer(call, result, ({ data }) => print(call, data));
      }),
    );
  },
});

async function firstBad(
  call: Call<Options>,
  { root, folder, bare, workspace }: Opened,
  signal: AbortSignal,
): Promise<{ message: string; data: BisectData }> {
  const { terminal, options, args } = call;
  const session = workspace.session();
  const [good, bad] = [await goodOf(session, options.good), (await session.show(options.bad ?? '@')).data];
  const found = await search({
    git: await gitOf(terminal),
    root,
    below: bare ? '' : relative(root, folder),
    command: args.slice(1),
    env: terminal.env,
    good,
    bad: bad.commit,
    signal,
    passOn: text => terminal.passOn(text),
    onSearch: async left => {
      const steps = Math.ceil(Math.log2(left));
      const words = `bisecting: one of ${left} edits (roughly ${counted(steps, 'step')})`;
      if (terminal.isMessagesTerminal) await terminal.tell(words);
    },
    onTest: async tested => terminal.tell(...testedPieces(tested, (await session.show(tested.commit)).data)),
  });
  const commit = only(found);
  const { message, data } = await session.show(commit);
  return {
    message: `${shortId(commit)} is the first bad edit.\n${message}`,
    data: { ...data, tested: found.tested },
  };
}

/** The commit before the first edit, where none is named. */
async function goodOf(session: Session, named: string | undefined): Promise<string> {
  if (named !== undefined) return (await session.show(named)).data.commit;
  let first: LogEntry | null = null;
  for await (const entry of session.entries()) first = entry;
  if (first === null)
    throw new EditError('NO_CHANGE', 'Nothing was edited yet, so there is nothing to search.');
  return first.parents[0] ?? first.commit;
}

/** Throws AMBIGUOUS where the command could not tell which one it is. */
function only({ commit, candidates, tested }: Bisection): string {
  if (commit !== null) return commit;
  const ids = candidates.map(one => shortId(one)).join(', ');
  const message = `The command could not tell (125) for what is left, so it is one of these: ${ids}. vedit show <id> shows each.`;
  throw new EditError('AMBIGUOUS', message, {
    path: '.',
    count: candidates.length,
    lines: [],
    occurrences: [],
    candidates,
    tested,
  });
}

const COLORS = { good: 'green', bad: 'red', skip: 'yellow' } as const;

function testedPieces({ result }: Tested, entry: LogEntry): Parameters<Call['terminal']['tell']> {
  return [styled(COLORS[result], result.padEnd(5)), ...onelinePieces(entry, Number.POSITIVE_INFINITY)];
}

async function print({ terminal }: Call<Options>, data: BisectData): Promise<void> {
  const { diff, stats: _stats, tested: _tested, ...entry } = data;
  await terminal.print('The first bad edit:\n', entryPieces(entry), diff === '' ? '' : '\n');
  await terminal.print(await shownDiff(diff, terminal));
  if (isSync(entry.op))
    await terminal.tell('it is where commits of the branch came in: git bisect finds the one among those');
}
