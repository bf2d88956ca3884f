/** Commands that look after a repository: purge, init, policy, gc. */

import { EditError } from '../errors.ts';
import { dryRunOption, trailOptions } from './options.ts';
import { UsageError, type Use, use } from './use.ts';

export const purge: Use = /* @__PURE__ */ use({
  details:
    'Rewrites the histories of edits so that the text is in none: each occurrence becomes "[purged]", of a path each line. A commit says who did it, when and why, and old ids still find their edits in this clone. Branches, tags, stashes, the index and files stay; those that hold the text are listed, with the command against it; vedit push replaces what the server has. Other clones keep what they fetched. Take the text out of the files first, or the next edit records it again.',
  arguments: [['[path]', 'a file, or a folder with the files in it, of which every version goes', 'file']],
  options: [
    ['--text-file <file>', 'the text to purge, wherever it stands; - is standard input'],
    ['--reason <text>', 'why; kept in the history'],
    ['--yes', 'do not ask'],
    dryRunOption,
    ...trailOptions,
  ],
  examples: [
    ['vedit purge -n config/key.pem --reason "a key"', 'what would go, and where it would still be'],
    ['vedit purge --text-file - --reason "a password" --yes < secret.txt', ''],
  ],
  busy: 'purging',
  async work({ args: [given], options, workspace, path, text: textOf, agentBy }) {
    const { reason, textFile, dryRun, yes } = options;
    if (!reason?.trim()) throw new UsageError('say why, for the history: --reason <text>');
    if (given !== undefined && textFile !== undefined)
      throw new UsageError('give a path or --text-file, not both');
    if (agentBy !== null) throw notByAgents(agentBy);
    const text = await textOf('the text', undefined, { file: textFile });
    const wanted = { reason, text, path: given === undefined ? undefined : path(given) };
    return workspace.purge({ ...wanted, dryRun: dryRun || !yes });
  },
  asks: ({ ok, message: plan }, { dryRun, yes }) =>
    ok && !dryRun && !yes
      ? {
          plan,
          words: 'Purge it for good? [y/N] ',
          nobody: 'look with -n what would go, then say --yes: it cannot be taken back',
          yes: { yes: true },
        }
      : null,
});

function notByAgents(variable: string): EditError {
  const words = `An agent runs this (${variable} is set), and only a person removes history. Ask them to run it. Nothing was changed.`;
  return new EditError('DENIED', words, { reason: 'only a person purges', rule: 'purge', policy: 'vedit' });
}

export const init: Use = /* @__PURE__ */ use({
  details:
    'A repository that is there already needs no init: vedit keeps its history beside your branch, in refs/vedit/, and leaves your branch, HEAD and index alone.',
  arguments: [['[dir]', 'the folder, made if it is missing; default: this one']],
  options: [
    ['--bare', 'without files on disk: they live in the history alone'],
    ['--nested', 'also inside another repository'],
    ['-b, --initial-branch <name>', 'the first branch; default: main'],
  ],
  examples: [
    ['vedit init notes', 'a new folder, ready for agents'],
    ['vedit init --bare memory.git', 'files that are only in git'],
  ],
  async alone({ args: [name = ''], options: { bare, nested, initialBranch: branch }, at }) {
    const { initRepository } = await import('../workspace/opening/init.ts');
    const data = await initRepository({ root: at(name), bare, branch, nested });
    const message = data.created
      ? `Made an empty repository in ${data.gitDir}`
      : `There is a repository in ${data.gitDir} already; it was left as it is, and vedit works in it`;
    return { message, data };
  },
});

export const policy: Use = /* @__PURE__ */ use({
  details:
    'A policy is a JSON file that git config vedit.policy of the user or the system names, or .vedit/policy.json of the repository. All of them hold at once. Exits with 1 where the file may not change.',
  arguments: [
    ['<check>', 'the word check'],
    ['<file>', 'the file'],
  ],
  options: trailOptions,
  examples: [
    ['vedit policy check infra/main.tf', 'which rule of which policy stands against a change'],
    ['git config --global vedit.policy ~/.config/vedit/policy.json', 'the policy of the user'],
  ],
  async work({ args: [word, file], workspace, path }) {
    if (word !== 'check') throw new UsageError('policy has one thing to do: vedit policy check FILE');
    return workspace.policy({ path: path(file!) });
  },
  exit: ({ may_change }: { may_change: boolean }) => (may_change ? undefined : 'refused'),
});

export const gc: Use = /* @__PURE__ */ use({
  details:
    'Runs git gc where loose objects or packs have added up. Each edit, or some that come together, leaves a pack, and git joins them: git gc --auto is started in the background now and then, unless gc.auto or maintenance.auto says no. It is safe beside edits. Histories are only deleted when asked for, and only those of work trees that are gone; what has edits that are on no branch stays.',
  options: [
    dryRunOption,
    [
      '--prune-trails <age>',
      'delete landed histories of work trees that are gone, and whose newest commit is older, such as 90d',
      'time',
    ],
    ['--unlanded', 'with --prune-trails: also those that have not landed'],
    ['--prompts', 'also forget what agents were asked, where vedit.prompts kept it'],
    ['--no-git', 'do not run git'],
    ...trailOptions,
  ],
  examples: [
    ['vedit gc', ''],
    ['vedit gc -n --prune-trails 90d', 'what would go'],
  ],
  busy: 'tidying up',
  async work({ options, workspace, git }) {
    const { dryRun, pruneTrails: pruneBefore, unlanded, prompts } = options;
    return workspace.gc({
      ...{ dryRun, pruneBefore, unlanded, prompts },
      git: options.git === false ? undefined : await git(),
    });
  },
});
