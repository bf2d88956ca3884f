/** Options of a workspace and its sessions, and of a new repository. */

import * as z from 'zod';
import type { Edit } from '../../edits/edit.ts';
import { limitsOption, type WorkspaceLimits } from '../../engine/admission/limits.ts';
import type { BeforeRead } from '../../engine/admission/policy/denied.ts';
import { type CheckOptions, type FieldsOf, optionsCheck, shapeOf } from '../../engine/calls/call-options.ts';
import type { Listen, ListenError } from '../../engine/calls/events.ts';
import * as option from '../../engine/calls/option.ts';
import { vocabularyOption } from '../../engine/calls/scope.ts';
import type { Approve } from '../../engine/change/approval.ts';
import {
  type EditorFacts,
  type HostIdentity,
  isIdentityText,
  type Person,
  type Trailers,
} from '../../engine/editor.ts';
import type { PromisesFsModule } from '../../fs/promises-fs.ts';
import type { SimpleFsModule } from '../../fs/simple-fs.ts';
import type { Store } from '../../stores/store.ts';
import type { Vocabulary } from '../../wording.ts';
import type { Session } from '../session.ts';

/** See Approve. */
export type BeforeCommit = Approve<Session>;

export interface WorkspaceOptions {
  /** Absolute path of a folder in a work tree, or of a bare repository. */
  root: string;
  /**
   * Another absolute path that the root goes by: the one that models are prompted with, such as `/repo`. Paths below it are
   * taken as paths below `root`.
   */
  mount?: string | undefined;
  /** A file system such as memoryFs(), memfs or LightningFS; default: node's. */
  fs?: PromisesFsModule | SimpleFsModule | undefined;
  /** Where the files live instead of in a folder: a database, say. `root` is then the bare repository of their history. */
  store?: Store | undefined;
  /** Another trail than the repository's own: `HEAD`, or a name below `refs/vedit/`. */
  trail?: string | undefined;
  /** Files changed by others: record their content first (default), or refuse to edit them. */
  outside?: 'record' | 'refuse' | undefined;
  /**
   * The owner of such changes: always the user (`mine`), or nobody until somebody claims them (`unclaimed`). Default:
   * the user where no agent can have made them, by what hooks and servers tell of agents. `vedit.outside` of git's
   * config comes first.
   */
  outsideBy?: 'mine' | 'unclaimed' | undefined;
  /** Allow files that git ignores; their content then enters history. */
  allowIgnored?: boolean | undefined;
  /** The person whose repository it is; default: `user.name` and `user.email` of the repository's config. */
  user?: Person | undefined;
  /**
   * Absolute paths of policies that only the user or an administrator can write. Those that the repository brings hold,
   * too, and start no program.
   */
  policyFiles?: readonly string[] | undefined;
  /** The committer, the agents' addresses and the trailers of the commits, where the host wants its own. */
  identity?: HostIdentity | undefined;
  /** The most changes and bytes of this workspace, as for one tenant of many; DENIED names the limit. */
  limits?: WorkspaceLimits | undefined;
  /** Absolute paths of further ignore files, such as the user's own. */
  excludesFiles?: readonly string[] | undefined;
  /** The text of the user's own git config. Only `safe.directory` and, under the repository's, line ends are read. */
  userConfig?: string | undefined;
  /** User ids, beside this process's own, whose repositories are opened; git trusts SUDO_UID in this way. */
  trustOwners?: readonly number[] | undefined;
  /** Absolute paths of further attribute files, the most important first, such as the user's own. */
  attributesFiles?: readonly string[] | undefined;
  /**
   * The encodings of files that are no UTF-8, by globs as in .editorconfig: `{ 'legacy/**.txt': 'windows-1252' }`. What
   * .gitattributes declares comes first, what an .editorconfig declares last.
   */
  encodings?: Readonly<Record<string, string>> | undefined;
  /** The largest file in bytes; default 64 MiB. */
  maxFileBytes?: number | undefined;
  /**
   * The parts that are durable when an edit is answered. `journal` (default): the files, and a journal from which ref
   * and objects are made again: after a power cut git may find them missing until a workspace is opened here. `full`:
   * everything, in its own place, for those who want plain git alone to be enough.
   */
  durability?: 'full' | 'journal' | undefined;
  /** Milliseconds to wait for other writers: of the engine (10,000), and of git (3,000). */
  patience?: { engine?: number | undefined; git?: number | undefined } | undefined;
  /** The clock; default: the system's. */
  now?: (() => Date) | undefined;
  /** Edits of your own, made with defineEdit: their names go to `session.edit` and into history as those of the engine do. */
  edits?: readonly Edit[] | undefined;
  /** Told of every edit, refusal, outside change and undo. */
  onEvent?: Listen | undefined;
  /** Tell `onEvent` of reads too; default false. */
  tellReads?: boolean | undefined;
  /** Told what `onEvent` threw, which fails no call; without it, that is in the `warnings` of the next answer. */
  onEventError?: ListenError | undefined;
  /** Asked before every commit: allows it, denies it, or adds a note to its message. */
  beforeCommit?: BeforeCommit | undefined;
  /**
   * Asked before every change, and before the lock is taken, so that a person may take as long as they like. Answers as
   * beforeCommit does. Where the files changed meanwhile the change is refused as STALE. Dry runs and records of
   * what is done already are not asked about.
   */
  approve?: BeforeCommit | undefined;
  /** Asked before the content of a file is shown, in views and diffs: `deny` says why not, to the agent. */
  beforeRead?: BeforeRead | undefined;
  /** This process makes one call and ends: spare it what only pays for a longer life, and do not look for calls that wait for themselves. Default false. */
  brief?: boolean | undefined;
  /** The words for options in answers and refusals of the workspace and its sessions; default: those of programs. */
  vocabulary?: Vocabulary | undefined;
  /**
   * Parse errors that an edit brings: `tell` them in its answer (default, where what reads the language is installed beside
   * this package), `refuse` the edit, or look for none (`off`, the default of a `brief` process).
   */
  syntax?: 'tell' | 'refuse' | 'off' | undefined;
  /** Keep refusals beside the trail, for `session.refusals()`; default false. */
  recordRefusals?: boolean | undefined;
}

/** The editor of a session, and its id; `inTurn` names another sub-agent, turn or model for some of its calls. */
export interface SessionOptions extends EditorFacts {
  /** The session's id; default: a random one. */
  id?: string | undefined;
  /** Asked before every commit of this session, after the workspace's own. */
  beforeCommit?: BeforeCommit | undefined;
  /**
   * Do a tool call again when it arrives again with the id that it had; default false: where the id was made to be unique
   * (`toolu_...`, `call_` and at least 16 characters, one that an MCP client sends for the tool use), the same input is
   * answered with the first result.
   */
  repeatCalls?: boolean | undefined;
}

export interface InitOptions extends Pick<WorkspaceOptions, 'fs'> {
  /** Absolute path of the folder; made where it is missing. */
  root: string;
  /** A repository without a work tree: files live in the trail alone. */
  bare?: boolean | undefined;
  /** The first branch; default `main`. */
  branch?: string | undefined;
  /** Also inside another repository; refused otherwise. */
  nested?: boolean | undefined;
}

/** A file system that a workspace can live in besides the disk. */
export type FileSystem = NonNullable<WorkspaceOptions['fs']>;

const root = () =>
  z.custom<string>(
    value => typeof value === 'string' && /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(value),
    'the absolute path of a folder, as in { root: process.cwd() }',
  );

const fs = () =>
  z
    .custom<FileSystem>(
      value => typeof (value as FileSystem | null)?.promises === 'object',
      'a file system with its functions in `promises`, such as memoryFs() or memfs',
    )
    .optional();

const beforeCommit = option.callback<BeforeCommit>;

const person = (): z.ZodType<Person> => z.strictObject({ name: z.string(), email: z.string() });

const milliseconds = () => z.number().nonnegative().optional();

const IDENTITY =
  'a name and an address of one line each, not empty, without < and >, control characters or blanks at the ends';

const namedPerson = () =>
  person().refine(({ name, email }) => isIdentityText(name) && isIdentityText(email), IDENTITY);

/** Names as git has them; those of the engine say what a commit is. */
const trailerName = () =>
  z
    .string()
    .regex(/^(?!vedit-)[a-z][a-z0-9-]{0,63}$/i, 'a name such as Ticket, and none that begins with Vedit-');

const trailers = (): z.ZodOptional<z.ZodType<Trailers>> =>
  z.record(trailerName(), z.union([option.trailerOption, z.array(option.trailerOption)])).optional();

const identity = (): z.ZodOptional<z.ZodType<HostIdentity>> =>
  z
    .strictObject({
      committer: namedPerson().optional(),
      email: option.functionOf<(agent: string) => string>().optional(),
      trailers: trailers(),
    })
    .optional();

export const checkWorkspace: CheckOptions<WorkspaceOptions> = optionsCheck(
  {
    root,
    mount: () =>
      z
        .string()
        .regex(/^(\/|[A-Za-z]:[\\/])/, 'an absolute path, such as /repo')
        .optional(),
    fs,
    // What a store has to have, checkStore says better.
    store: () => z.custom<Store>().optional(),
    trail: option.text,
    outside: () => z.enum(['record', 'refuse']).optional(),
    outsideBy: () => z.enum(['mine', 'unclaimed']).optional(),
    allowIgnored: option.flag,
    user: () => person().optional(),
    identity,
    limits: limitsOption,
    policyFiles: option.texts,
    excludesFiles: option.texts,
    userConfig: option.text,
    trustOwners: () => z.array(z.int()).optional(),
    attributesFiles: option.texts,
    encodings: () => z.record(z.string(), z.string()).optional(),
    maxFileBytes: option.positive,
    durability: () => z.enum(['full', 'journal']).optional(),
    patience: () => z.strictObject({ engine: milliseconds(), git: milliseconds() }).optional(),
    now: option.callback<() => Date>,
    edits: () => z.array(z.custom<Edit>()).optional(),
    onEvent: option.callback<Listen>,
    tellReads: option.flag,
    onEventError: option.callback<ListenError>,
    beforeCommit,
    approve: beforeCommit,
    beforeRead: option.callback<BeforeRead>,
    brief: option.flag,
    vocabulary: () => vocabularyOption().optional(),
    syntax: () => z.enum(['tell', 'refuse', 'off']).optional(),
    recordRefusals: option.flag,
  },
  { root: '/home/ada/shop' },
);

const sessionFields: FieldsOf<SessionOptions> = {
  agent: option.trailer,
  model: option.trailer,
  person: () => namedPerson().optional(),
  client: option.trailer,
  id: option.trailer,
  subagent: option.trailer,
  turn: option.trailer,
  trailers,
  beforeCommit,
  repeatCalls: option.flag,
};

export const checkSession: CheckOptions<SessionOptions> = optionsCheck(sessionFields, {
  agent: 'fixer',
  model: 'm1',
});

/** Checks options of a session that are an option of something else. */
export const sessionOption = (): z.ZodOptional<z.ZodType<SessionOptions>> =>
  z.strictObject(shapeOf(sessionFields)).optional();

export const checkInit: CheckOptions<InitOptions> = optionsCheck(
  { root, fs, bare: option.flag, branch: option.text, nested: option.flag },
  { root: '/home/ada/shop', branch: 'main' },
);
