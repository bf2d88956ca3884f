/**
 * The engine, opened for one command. It is loaded here and not before, so that help, version and completion are
 * instant.
 */

import { realpathSync } from 'node:fs';
import type { Person } from '../../engine/editor.ts';
import { EditError } from '../../errors.ts';
import type { RunGit } from '../../land/git/system-git.ts';
import type { EditorOptions } from '../../table/options.ts';
import { UsageError } from '../../table/use.ts';
import type { Workspace } from '../../workspace/open.ts';
import type { Located } from '../../workspace/opening/locate.ts';
import type { SessionOptions, WorkspaceOptions } from '../../workspace/opening/workspace-options.ts';
import type { Session } from '../../workspace/session.ts';
import { markerOfAgent, personsOnly } from './agent-marker.ts';
import type { Call } from './command.ts';
import { FLAGS } from './flags.ts';
import { WorkingFolder } from './input/names.ts';
import type { Terminal } from './terminal/terminal.ts';
import { readUser, unknownPerson } from './user.ts';

export interface Engine {
  workspace: Workspace;
  session: Session;
  place: WorkingFolder;
  /** Absolute: the top of the work tree, git's folder for it, and that of all its work trees. */
  root: string;
  gitDir: string;
  commonDir: string;
}

export interface EngineOptions {
  workspace?: Partial<WorkspaceOptions>;
  /** See SessionUse; default `reads`. */
  session?: SessionUse;
}

/** As `withFolder`, with a session for the command. */
export async function withEngine<T>(
  call: Call<EditorOptions>,
  work: (engine: Engine) => Promise<T>,
  { workspace: further, session: use = 'reads' }: EngineOptions = {},
): Promise<T> {
  const { interpretSchemas } = await import('../../workspace/open.ts');
  interpretSchemas();
  const inFolder = async ({ workspace, root, gitDir, commonDir, bare, folder, user }: Opened): Promise<T> => {
    const session = workspace.session(await sessionFor(call, { use, workspace, user }));
    const place = new WorkingFolder(root, bare ? root : folder);
    return work({ workspace, session, place, root, gitDir, commonDir });
  };
  return withFolder(call, inFolder, further);
}

export interface Opened extends Located {
  workspace: Workspace;
  /** Whom git's config names. */
  user: Person | undefined;
  /** The call's folder, links resolved. */
  folder: string;
}

/** Opens the work tree that the call's folder is in, does `work`, and closes it. Throws EditError. */
export async function withFolder<T>(
  call: Call<EditorOptions>,
  work: (opened: Opened) => Promise<T>,
  further?: Partial<WorkspaceOptions>,
): Promise<T> {
  const opened = await openFolder(call, further);
  return work(opened).finally(() => opened.workspace.close());
}

/** Opens the work tree that the call's folder is in, with the identity that the user's git has. Throws EditError. */
export async function openFolder(
  call: Call<EditorOptions>,
  further: Partial<WorkspaceOptions> = {},
): Promise<Opened> {
  const folder = realFolder(call.folder);
  const { locateRepository, parseConfig } = await import('../../workspace/opening/locate.ts');
  const located = await locateRepository(folder);
  const { root, config } = located;
  const { person, shown, ...own } = readUser(call.terminal.env, {
    config,
    root,
    parse: parseConfig,
  });
  Object.assign(call.terminal, shown);
  const { openChecked } = await import('../../workspace/open.ts');
  const { trail, mount, allowIgnored, syntax, recordRefusals } = call.options;
  const options = {
    root,
    trail,
    mount,
    allowIgnored,
    syntax,
    recordRefusals,
    user: person,
    vocabulary: FLAGS,
    ...own,
    ...further,
  };
  return { ...located, folder, user: person, workspace: await openChecked(options) };
}

/** An agent waits for its hooks, and an editor for each message: others may be writing, but not for long. */
export const PATIENCE = { engine: 5_000, git: 2_000 } as const;

/** The git of this machine, with the environment of the command. */
export async function gitOf({ env }: Pick<Terminal, 'env'>): Promise<RunGit> {
  const { systemGit } = await import('../../land/git/system-git.ts');
  return systemGit(env);
}

function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    throw new EditError('NOT_A_REPOSITORY', `There is no folder ${folder}.`);
  }
}

/**
 * The use of a session by a command: it only `reads`, or `filters`, where options choose what is shown and do not say who
 * looks; it makes `edits`, for which a session may be new; it goes `back` in one that there must be; or it runs calls of
 * an `agent`, who is nobody at the terminal.
 */
export type SessionUse = 'reads' | 'filters' | 'edits' | 'back' | 'agent';

/** Throws INVALID_INPUT for a session that is not known and has to be, and for the start of several. */
async function sessionFor(
  call: Call<EditorOptions>,
  { use, workspace, user }: { use: SessionUse; workspace: Workspace; user: Person | undefined },
): Promise<SessionOptions> {
  const {
    agent,
    asMe,
    model,
    session: given,
  }: EditorOptions & { asMe?: boolean } = use === 'filters' ? {} : call.options;
  if (asMe) checkAsMe(call, agent);
  const id = given === undefined ? undefined : await namedSession(workspace, given, use);
  const isNamed = agent !== undefined || (use === 'reads' && given !== undefined);
  const isPersons = asMe || (use !== 'agent' && isPersonAt(call));
  if (isNamed || !isPersons) return { agent, model, id };
  const person = user ?? unknownPerson(call.terminal.env);
  return { person, id: id ?? person.email };
}

/** Throws INVALID_INPUT where an agent runs the command, UsageError where one is named. */
function checkAsMe({ terminal }: Call, agent: string | undefined): void {
  if (agent !== undefined) throw new UsageError('--as-me and --agent are different people: give one of them');
  const marker = markerOfAgent(terminal.env);
  if (marker !== null) throw personsOnly(marker.name, 'edit in a person’s name');
}

/** The start of an id that the engine or a client has made, as `vedit log` shows it cut off. */
const START = /^[0-9a-f]{4,11}$/;

async function namedSession(workspace: Workspace, given: string, use: SessionUse): Promise<string> {
  if (use === 'back') return workspace.findSession(given);
  if (!START.test(given)) return given;
  return workspace.findSession(given).catch(error => {
    if (error?.data?.candidates) throw error;
    return given;
  });
}

/** True when a person reads what the command says. */
function isPersonAt({ terminal }: Call): boolean {
  return terminal.isMessagesTerminal && markerOfAgent(terminal.env) === null;
}
