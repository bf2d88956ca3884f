/** Commands that look closer, or tell programs what there is: why, sessions, events, export. */

import { filterOf, filterOptions, trailOptions } from './options.ts';
import { type OptionsOf, UsageError, type Use, use } from './use.ts';

export const why: Use = /* @__PURE__ */ use({
  details:
    'The line is that of the file as it is now. Shown are the edit that wrote it, the agent or person, model, sub-agent, session and turn, what the agent was asked and the command that it ran (where vedit.prompts of git’s config keeps them), the reason, what became of the edit, and the commit of your branch that has it.',
  arguments: [
    ['<file>', 'the file, with the line in src/auth.ts:12'],
    ['[line]', 'the number of the line, where it is not behind the file'],
  ],
  options: trailOptions,
  examples: [
    ['vedit why src/auth.ts 12', 'as src/auth.ts:12'],
    ['vedit why src/auth.ts:12 --json | jq -r .data.edit.turn', 'the turn, for vedit undo --turn'],
  ],
  async work({ args, workspace, path: pathOf, range }) {
    const [file, line] = args;
    const { path, view_range: lines } = range(file!, line && `${line},${line}`);
    if (!lines || lines[0] !== lines[1])
      throw new UsageError(
        `name one line of a file, as in ${path}:12, not ${JSON.stringify(args.join(' '))}`,
      );
    return workspace.why({ path: pathOf(path), line: lines[0] });
  },
});

export const sessions: Use = /* @__PURE__ */ use({
  details:
    'Each with the agent and its model, or the person, the times of its first and its last edit, how many edits it made, and how many of them have not landed. Wherever a session is named, the start of its id is enough, where no other session begins so.',
  options: trailOptions,
  examples: [
    ['vedit sessions', ''],
    ['vedit log --session 7f3a --stat', 'what one of them did'],
    [
      "vedit sessions --json | jq -r '.data.sessions[] | select(.open > 0) | .session'",
      'those with open edits',
    ],
  ],
  work: ({ workspace }) => workspace.sessions(),
});

export const events: Use = /* @__PURE__ */ use({
  details:
    'Tells every edit, way back, recorded outside change, commit, review and landing of every process exactly once, parents first, and each ref that was deleted or rewound. --json prints one object a line with a cursor: give the last one that you read to --since, and nothing is missed and nothing comes twice. Refusals are told where --record-refusals keeps them.',
  options: [
    ['-f, --follow', 'go on as things happen'],
    [
      '--since <cursor>',
      'after an event; start: from the first edit on; now. Default: start, with --follow now',
    ],
  ],
  examples: [
    ['vedit events --follow', 'what agents do now'],
    ['vedit events --json | tail -1 | jq -r .cursor', 'where to go on later'],
    ['vedit events --follow --json --since "$cursor"', 'for a program'],
  ],
  items: ({ workspace, options: { follow, since } }) => workspace.events({ follow, since }),
});

const exportOptions = [
  ['--audit', 'edits, refusals, reviews, signatures and gaps, for auditors'],
  ['--jsonl', 'the log with all that is known, as JSON Lines'],
  ...filterOptions,
  ...trailOptions,
] as const;

const exported: Use = /* @__PURE__ */ use({
  details:
    'One JSON object a line. --jsonl: newest first, all that the history holds of each commit, with files, blob ids, line ranges and diffs. --audit: oldest first, with what is missing (docs/trust.md has the schema).',
  arguments: [['[path]', 'only edits of this file or folder']],
  options: exportOptions,
  examples: [
    ['vedit export --audit > audit.jsonl', ''],
    ["vedit export --jsonl src | jq -r '.agent'", 'who worked in src'],
  ],
  busy: 'exporting',
  items({ args: [path], options, workspace, session, scope }) {
    const { jsonl = false, audit = false } = options;
    if (jsonl === audit) throw new UsageError('say which format: --jsonl or --audit');
    if (audit) checkWhole(path, options);
    return audit ? workspace.audit() : session.export({ path: scope(path), ...filterOf(options) });
  },
});

/** Throws UsageError where only a part is asked for: it would show no gaps. */
function checkWhole(path: string | undefined, options: OptionsOf<typeof exportOptions>): void {
  const { session, agent, since, maxCount } = options;
  if ([path, session, agent, since, maxCount].some(one => one !== undefined))
    throw new UsageError('--audit is about the whole history: give no path, session, agent, time or number');
}

export { exported as export };
