/** Commands that share histories with other clones: push, fetch, peers, sign. */

import { trailOptions } from './options.ts';
import { type Job, type OptionsOf, UsageError, type Use, use } from './use.ts';

/** Options of the commands that speak to a git server. */
const remoteOptions = [
  ['--remote <name>', 'another remote than git config vedit.remote, origin, or the only one'],
  ...trailOptions,
] as const;

type RemoteOptions = OptionsOf<typeof remoteOptions>;

/** The person's own git speaks to the server; it asks for a password only where they can answer. */
async function serverOf({ options: { remote }, git, canAsk }: Job<RemoteOptions>): Promise<object> {
  return { git: await git(), remote, mayAsk: canAsk };
}

const pushOptions = [
  ['-n, --dry-run', 'show what would be seen and pushed, change nothing'],
  ['--with-outside', 'also text of people that was recorded as outside changes'],
  ['--with-unpushed-commits', 'also commits of HEAD that are on no branch of the remote'],
  ['--with-reviews', 'also what people accepted of the histories: their accepted text, and who they are'],
  ['--prune', 'take histories off the remote that have landed and are 30 days old'],
  ...remoteOptions,
] as const;

export const push: Use = /* @__PURE__ */ use({
  details:
    'Each clone has its own refs on the remote, refs/vedit-peers/<clone>/trail/<branch>. A history holds more than edits: commits of HEAD, amended ones too, and what people had typed and not committed. What the remote does not have is listed first, and of those two you are asked; where nobody can be asked, give the two options.',
  options: pushOptions,
  examples: [
    ['vedit push -n', 'what would be seen'],
    ['vedit push', ''],
    ['vedit push --trail main --with-outside', ''],
  ],
  async work(job) {
    const { dryRun, withOutside, withUnpushedCommits, withReviews, prune, expect } =
      job.options as PushOptions;
    const own = { dryRun, withOutside, withUnpushedCommits, withReviews, prune, expect };
    return job.workspace.push({ ...(await serverOf(job)), ...own });
  },
  asks({ code, message, data }) {
    const { counts, tips: expect } = Object(data) as { counts?: object; tips?: string[] };
    if (code !== 'INVALID_INPUT' || counts === undefined || expect === undefined) return null;
    const seen = message.split('\n').slice(1, -1);
    return {
      plan: ['Whoever may read the remote would also see', ...seen, LEFT_IN].join('\n'),
      words: 'Publish them? [y/N] ',
      yes: { withOutside: true, withUnpushedCommits: true, expect },
    };
  },
});

/** `expect`: what a person was shown and allowed. */
type PushOptions = OptionsOf<typeof pushOptions> & { expect?: string[] };

const LEFT_IN = 'These cannot be left out: the ids of all later edits hold them.';

export const fetch: Use = /* @__PURE__ */ use({
  details:
    'They are read with vedit log, show, diff or blame --trail <clone>/<branch>; the branches are merged by git. No file, branch or tag changes. What a server sends is looked at before it moves in: a history that was rewound or rewritten, or that holds names no edit could write, is refused and named (exit 1), and the others come all the same.',
  arguments: [['[clones...]', 'only of these clones; default: all']],
  options: [['--max-bytes <n>', 'the most that is taken at once; default 1 GiB', bytesIn], ...remoteOptions],
  examples: [
    ['vedit fetch', ''],
    ['vedit log --trail ada-12345678/main', 'what she and her agents did'],
  ],
  busy: 'fetching',
  othersAsk: true,
  async work(job) {
    const { maxBytes } = job.options;
    const clones = job.args.length > 0 ? job.args : undefined;
    return job.workspace.fetch({ ...(await serverOf(job)), maxBytes, clones });
  },
  exit: ({ refused }: { refused: readonly unknown[] }) => (refused.length > 0 ? 'refused' : undefined),
});

function bytesIn(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError(`--max-bytes must be a number of bytes, not ${JSON.stringify(text)}`);
}

export const peers: Use = /* @__PURE__ */ use({
  details: 'vedit fetch brings them; vedit log, show, diff and blame --trail <clone>/<branch> read them.',
  examples: [['vedit peers', '']],
  work: ({ workspace }) => workspace.peers(),
});

export const sign: Use = /* @__PURE__ */ use({
  details:
    'Git signs with the key of user.signingKey, as it signs commits (gpg.format). The statement names the newest commit of the history, so that vedit verify finds a history that was cut off or rewritten below it, and says since when nothing is signed. It is a commit on refs/vedit-signed/, which vedit push publishes with the history.',
  options: trailOptions,
  examples: [
    ['vedit sign && vedit verify', ''],
    ['git config --global vedit.signEvery 50', 'from now on by itself, too'],
  ],
  work: ({ workspace }) => workspace.sign(),
});
