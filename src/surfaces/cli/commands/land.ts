/** land: what the agents did becomes a commit of the user's. */

import type { LandData, LandOptions } from '../../../workspace/land/land.ts';
import type { RunGit } from '../../../workspace/land/system-git.ts';
import { attempt } from '../attempt.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { answer } from '../done.ts';
import { withEngine } from '../engine.ts';
import { type TrailOptions, trailOptions } from '../options.ts';
import { withProgress } from '../progress.ts';
import { shownDiff } from '../shown-diff.ts';
import { handingOnSignals } from '../signals.ts';
import { statPieces } from '../stat-view.ts';
import { styled } from '../style.ts';

interface Options extends TrailOptions {
  dryRun?: boolean;
  session?: string;
  onto?: string;
  each?: boolean;
  withOutside?: boolean;
  message?: string;
  coAuthor?: string[];
  git?: boolean;
}

export const land: CliCommand = defineCommand<Options>({
  details:
    'The commit is yours: you are its author, your hooks run and you sign it, all by git itself; agents are named in ' +
    'Assisted-by trailers, and Vedit-Lands leads back to the single edits. Files stay as they are, and so does what else you ' +
    'have staged or changed. What you took back by hand is left out: a file that you checked out again, or a part of one. ' +
    'Text of your own in the same files stays uncommitted, unless --with-outside.',
  arguments: [['[edits...]', 'single edits, or rows as <after>..<last>; default: all that has not landed']],
  options: [
    { flags: '-n, --dry-run', description: 'show the message and the diff, commit nothing' },
    { flags: '-m, --message <text>', description: 'the message, in place of a list of the edits' },
    { flags: '--each', description: 'one commit for each edit' },
    { flags: '--session <id>', description: 'only edits of this session' },
    { flags: '--onto <branch>', description: 'another branch than the checked-out one' },
    { flags: '--with-outside', description: 'also what was changed outside vedit in the same files' },
    {
      flags: '--co-author <person>',
      description: 'Co-authored-by: "Name <address>"; may be given several times',
      parse: (value, previous) => [...((previous as string[] | undefined) ?? []), value],
    },
    { flags: '--no-git', description: 'do not run git: no hooks, no signature' },
    ...trailOptions,
  ],
  examples: [
    ['vedit land -n', 'what would be committed'],
    [`vedit land -m 'Refuse expired tokens'`, ''],
    ['vedit land --session 7f3a --each', 'what one session did, edit by edit'],
    ['vedit land 1a2b3c4..@ --onto release', ''],
  ],
  run: async call => {
    const { systemGit } = await import('../../../workspace/land/system-git.ts');
    const git = await systemGit(call.terminal.env);
    return handingOnSignals(git, handed => run(call, handed));
  },
});

function run(call: Call<Options>, git: RunGit): Promise<number> {
  // Here --session chooses what lands; it does not say who is landing.
  return withEngine({ ...call, options: trailOnly(call) }, async ({ workspace }) => {
    const result = await withProgress(call.terminal, tell =>
      attempt(async () => {
        const onCommit = (count: number, of: number): void => tell(`${count} of ${of} commits made`);
        return workspace.land({ ...landOptions(call, git), onCommit });
      }),
    );
    return answer(call, result, () => tell(call, result.data as LandData));
  });
}

function trailOnly({ options }: Call<Options>): Call<TrailOptions>['options'] {
  const { session: _session, ...rest } = options;
  return rest;
}

function landOptions({ args, options }: Call<Options>, systemGit: RunGit): LandOptions {
  const { session, onto, each, withOutside: outside, message, coAuthor: coAuthors, dryRun } = options;
  const git = options.git === false ? undefined : systemGit;
  const commits = args.length > 0 ? args : undefined;
  return { session, commits, onto, each, outside, message, coAuthors, dryRun, git };
}

async function tell({ terminal }: Call<Options>, data: LandData): Promise<void> {
  if (data.dry_run) {
    for (const { message } of data.commits) await terminal.print(`${message}\n`);
    await terminal.print(await shownDiff(data.diff, terminal));
  } else await terminal.print(statPieces(data.paths, terminal.columns));
  for (const { commit, message } of data.commits) {
    const where = commit ? `${data.onto} ${commit.slice(0, 7)}` : 'dry run, nothing committed';
    await terminal.tell(styled('bold', `[${where}]`), ` ${message.split('\n')[0]}`);
  }
  for (const note of data.notes) await terminal.tell(note);
  for (const warning of data.warnings) await terminal.tell(styled('yellow', 'warning: '), warning);
}
