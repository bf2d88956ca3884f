import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitName } from '../../../c-quote.ts';
import type { ErrorData } from '../../../errors.ts';
import type { RunGit } from '../../../land/git/system-git.ts';
import type { LandHunk } from '../../../land/hunks.ts';
import type { LandData, LandOptions } from '../../../land/land.ts';
import type { LandUse } from '../../../table/reviewing.ts';
import { UsageError } from '../../../table/use.ts';
import { markerOfAgent } from '../agent-marker.ts';
import { type Attempt, answer, attempt } from '../answer.ts';
import type { Call } from '../command.ts';
import { type Engine, gitOf, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { namesIn } from '../input/names.ts';
import { type EditingPlace, editHunk, tellRefused } from '../picker/hunk-edit.ts';
import { type PickedHunk, Picker, type Picking } from '../picker/picker.ts';
import { editedMessage, editorCommand } from '../terminal/message-editor.ts';
import { withProgress } from '../terminal/progress.ts';
import { handingOnSignals } from '../terminal/signals.ts';
import { type Piece, styled, styleOf } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { askedDiff, hunkText, shownDiff } from '../views/shown-diff.ts';
import { statPieces } from '../views/stat-view.ts';

export async function run(call: Call<LandUse>): Promise<number> {
  if (call.options.patch && !call.terminal.canAsk)
    throw new UsageError('-p asks: run it on a terminal, or name what lands');
  if (call.options.edit && call.options.each)
    throw new UsageError('with --each every commit has the reason of its edit: leave --edit out');
  const git = await gitOf(call.terminal);
  return handingOnSignals(git, handed => landNamed(call, handed));
}

function landNamed(call: Call<LandUse>, git: RunGit): Promise<number> {
  const work = async (engine: Engine): Promise<number> => {
    const { workspace, place } = engine;
    const { revisions, paths } = await namesIn(call.args, { folder: call.folder, workspace });
    const wanted: LandOptions = {
      ...landOptions(call, git),
      ...(revisions.length > 0 ? { commits: revisions } : {}),
      paths: place.scopes(paths),
    };
    return landAsked({ call, engine }, wanted);
  };
  return withEngine(call, work, { session: 'filters' });
}

function landOptions({ options }: Call<LandUse>, systemGit: RunGit): LandOptions {
  const { session, agent, turn, onto, each, message, dryRun, verify, accepted } = options;
  const { withOutside: outside, coAuthor: coAuthors } = options;
  const git = options.git === false ? undefined : systemGit;
  const chosen = { session, agent, turn, accepted, outside };
  return { ...chosen, onto, each, message, coAuthors, dryRun, verify, git };
}

/** A landing that is under way. */
interface Landing {
  call: Call<LandUse>;
  engine: Engine;
}

/** Lands, with the message of the person, and with what the edits need where the person wants it. */
async function landAsked(landing: Landing, wanted: LandOptions): Promise<number> {
  const { terminal, options } = landing.call;
  const isPlanned = wanted.dryRun !== true && options.json !== true;
  const opensEditor = isPlanned && editorIsWanted(landing.call);
  const asks = options.patch === true && wanted.hunks === undefined && isPlanned;
  const first = await land(landing, opensEditor || asks ? { ...wanted, dryRun: true } : wanted);
  if (!first.ok) {
    const more = options.json ? null : await wantedAsWell(terminal, first);
    if (!more) return tellResult(landing, first);
    const all = { session: undefined, agent: undefined, turn: undefined, paths: undefined };
    return landAsked(landing, { ...wanted, ...all, ...more });
  }
  if (asks) {
    const hunks = await picked(landing, wanted, first.data.hunks!);
    if (hunks.length > 0) return landAsked(landing, { ...wanted, hunks });
    await terminal.tell('vedit: nothing landed: no hunk was chosen');
    return EXIT.refused;
  }
  return opensEditor ? landEdited(landing, wanted, first.data) : tellResult(landing, first);
}

/** As git: on a terminal, where no message is given. */
function editorIsWanted({ options, terminal }: Call<LandUse>): boolean {
  if (options.edit !== undefined) return options.edit;
  return options.message === undefined && !options.each && terminal.canAsk && terminal.isOutputTerminal;
}

/** Returns the ids of the places that the person wants to land. */
async function picked(landing: Landing, wanted: LandOptions, hunks: readonly LandHunk[]): Promise<string[]> {
  const { terminal } = landing.call;
  const again = async (): Promise<readonly LandHunk[]> => {
    const result = await land(landing, { ...wanted, dryRun: true });
    return result.ok ? result.data.hunks! : [];
  };
  const picking = new LandPicking({ ...landing.engine, terminal }, hunks, again);
  const picker = new Picker(terminal, picking, grouped(hunks));
  await picker.run();
  return picker.accepted.flatMap(({ places }) => places.map(({ id }) => id));
}

/** Lands with the message of the editor, which is kept until that succeeds. */
async function landEdited(landing: Landing, wanted: LandOptions, data: LandData): Promise<number> {
  const { terminal } = landing.call;
  const kept = join(landing.engine.gitDir, 'VEDIT_LAND_MSG');
  const message = await messageOf(landing, data, await readFile(kept, 'utf8').catch(() => null));
  if (message === '') {
    await rm(kept, { force: true });
    await terminal.tell('vedit: nothing landed: the message is empty');
    return EXIT.refused;
  }
  await writeFile(kept, message);
  const result = await land(landing, { ...wanted, message });
  if (result.ok) await rm(kept, { force: true });
  else await terminal.tell('vedit: your message is kept: the next vedit land opens the editor with it');
  return tellResult(landing, result);
}

/** Returns the words that the person leaves in the editor, which opens with `kept`, or a list of the edits. */
async function messageOf({ call, engine }: Landing, data: LandData, kept: string | null): Promise<string> {
  const editor = editorCommand(call.terminal);
  if (editor === null)
    throw new UsageError(
      'the terminal is dumb, and EDITOR is not set: give the message with -m, or --no-edit',
    );
  const paragraphs = data.commits[0]!.message.trimEnd().split('\n\n');
  const trailers = paragraphs.pop()!;
  const comment = [
    ...(kept === null
      ? []
      : ['This is the message of a landing that was refused; empty it to begin anew.', '']),
    'Please enter the message of the commit. Lines that begin with # are left out, and an empty message ends the landing.',
    '',
    `On branch ${data.onto}. These are added below the message:`,
    ...trailers.split('\n').map(line => `\t${line}`),
    '',
    'Changes that land:',
    ...data.paths.map(one => `\t${`${one.kind}:`.padEnd(8)} ${one.path} (+${one.added} -${one.removed})`),
  ].join('\n');
  const text = kept ?? paragraphs.join('\n\n');
  return editedMessage(editor, join(engine.gitDir, 'COMMIT_EDITMSG'), { text, comment, below: data.diff });
}

async function tellResult({ call }: Landing, result: Attempt<LandData>): Promise<number> {
  if (!result.ok && !call.options.json && (await tellConflict(call.terminal, result))) return EXIT.stale;
  return answer(call, result, ({ data }) => tellLanding(call.terminal, data));
}

/** Hooks are shown on standard error, as git shows them; what was shown is not told again by a refusal. */
async function land({ call, engine }: Landing, options: LandOptions): Promise<Attempt<LandData>> {
  const { terminal } = call;
  let shown: Promise<void> | null = null;
  const onOutput = (text: string): void => {
    shown = (shown ?? Promise.resolve()).then(() => terminal.relay(text));
  };
  const asAgent = markerOfAgent(terminal.env) !== null;
  const result = await withProgress(terminal, null, tell => {
    const onCommit = (count: number, of: number): void => tell(`${count} of ${of} commits made`);
    return attempt(() => engine.workspace.land({ ...options, asAgent, onCommit, onOutput }));
  });
  await shown;
  if (shown === null || result.ok || result.code !== 'GIT_REFUSED') return result;
  return { ...result, message: result.message.split('\n')[0]!.replace(/ Git and the hooks .*$/, '') };
}

/** Shows the files, or for a dry run messages and diff; and tells the commits, notes and warnings. */
async function tellLanding(terminal: Terminal, data: LandData): Promise<void> {
  if (data.dry_run) {
    for (const { message } of data.commits) await terminal.print(`${message}\n`);
    await terminal.print(await shownDiff(data.diff, terminal));
  } else await terminal.print(statPieces(data.paths, terminal.columns, terminal.quotePath));
  for (const { commit, message } of data.commits) {
    const where = commit ? `${data.onto} ${commit.slice(0, 7)}` : 'dry run, nothing committed';
    await terminal.tell(styled('bold', `[${where}]`), ` ${message.split('\n')[0]}`);
  }
  for (const note of data.notes) await terminal.tell(note);
  for (const warning of data.warnings) await terminal.tell(styled('yellow', 'warning: '), warning);
}

/** The data that landConflict adds to other conflicts. */
type ConflictData = ErrorData<'CONFLICT'> & { needs: readonly string[] };

function conflictOf(result: Attempt<LandData>): ConflictData | null {
  if (result.ok || result.code !== 'CONFLICT') return null;
  const { data } = result;
  return data.needs === undefined ? null : { ...data, needs: data.needs };
}

/** Returns what to land in place of what was asked for; `null` where nothing would help, or nobody wants it. */
async function wantedAsWell(
  terminal: Terminal,
  result: Attempt<LandData>,
): Promise<Pick<LandOptions, 'commits' | 'outside'> | null> {
  const data = conflictOf(result);
  if (!data || !terminal.canAsk || (data.needs.length === 0 && !data.needs_outside)) return null;
  await tellConflict(terminal, result);
  const edits = data.needs.length === 1 ? 'that edit' : `those ${data.needs.length} edits`;
  const what = [
    ...(data.needs.length > 0 ? [edits] : []),
    ...(data.needs_outside ? ['your own changes of these files'] : []),
  ].join(' and ');
  if (!(await terminal.confirm(`Land ${what} as well? [y/N] `))) return null;
  const outside = data.needs_outside ? { outside: true } : {};
  return { commits: [...(data.landing ?? []), ...data.needs], ...outside };
}

/** Tells a conflict with the edits that it needs, one a line; answers whether it was one. */
async function tellConflict(terminal: Terminal, result: Attempt<LandData>): Promise<boolean> {
  const data = conflictOf(result);
  if (!data) return false;
  await terminal.tell('vedit: ', styled('red', 'CONFLICT'), `: ${result.message}`);
  const below = new Map((data.conflicts ?? []).flatMap(one => one.below ?? []).map(one => [one.commit, one]));
  for (const { commit, subject, agent } of below.values())
    await terminal.tell(
      '  ',
      styled('yellow', commit.slice(0, 7)),
      ` ${subject}${agent ? ` (${agent})` : ''}`,
    );
  return true;
}

/** Places that are beside each other. */
interface Places extends PickedHunk {
  places: LandHunk[];
}

export class LandPicking implements Picking<Places> {
  readonly verb = 'land';
  readonly isFinal = false;
  readonly help: Picking<Places>['help'] = {
    n: 'it stays in the file',
    e: 'manually edit the current hunk; what you leave is in the file, and lands',
    z: 'take back your last yes',
  };
  readonly #place: EditingPlace;
  readonly #again: () => Promise<readonly LandHunk[]>;
  readonly #known: Set<string>;

  /** `again` plans the landing once more, after an edit. */
  constructor(place: EditingPlace, hunks: readonly LandHunk[], again: () => Promise<readonly LandHunk[]>) {
    this.#place = place;
    this.#again = again;
    this.#known = new Set(hunks.map(({ id }) => id));
  }

  async accept(): Promise<boolean> {
    return true;
  }

  canSplit({ places }: Places): boolean {
    return places.length > 1;
  }

  async split({ places }: Places): Promise<Places[]> {
    return places.map(place => joined([place]));
  }

  canEdit({ places }: Places): boolean {
    return places.every(({ about }) => about === '' || about.startsWith('new file'));
  }

  async edit(hunk: Places): Promise<Places[] | null> {
    try {
      if (!(await editHunk(this.#place, hunk))) return null;
    } catch (error) {
      await tellRefused(this.#place.terminal, error);
      return null;
    }
    const own = new Set(hunk.places.map(({ id }) => id));
    const edited = (await this.#again()).filter(({ id }) => own.has(id) || !this.#known.has(id));
    for (const { id } of edited) this.#known.add(id);
    return grouped(edited);
  }

  async pieces(hunk: Places): Promise<Piece[]> {
    const { terminal } = this.#place;
    const [{ about }] = hunk.places as [LandHunk];
    const title = `${gitName(hunk.path, terminal.quotePath)}${about ? ` (${about})` : ''}\n`;
    const agents = new Set(hunk.places.flatMap(one => one.agents));
    const by = [...agents].flatMap((name, at) => [at === 0 ? '  ' : ', ', styled(styleOf(name), name)]);
    return [
      styled('bold', title),
      ...(by.length > 0 ? [...by, '\n'] : []),
      ...(await askedDiff(hunk, hunkText(hunk, hunk.places), terminal)),
    ];
  }
}

/** Places of which one begins where the other ends are one hunk at first. */
export function grouped(hunks: readonly LandHunk[]): Places[] {
  const groups: LandHunk[][] = [];
  const sorted = [...hunks].sort((a, b) => (a.path === b.path ? a.before.line - b.before.line : 0));
  for (const hunk of sorted) {
    const last = groups.at(-1)?.at(-1);
    const isBeside =
      last?.path === hunk.path && last.before.line + last.before.lines.length === hunk.before.line;
    if (isBeside && last.about === '' && hunk.about === '') groups.at(-1)!.push(hunk);
    else groups.push([hunk]);
  }
  return groups.map(joined);
}

function joined(places: LandHunk[]): Places {
  const [first, last] = [places[0]!, places.at(-1)!];
  const side = (of: 'before' | 'after'): PickedHunk['before'] => {
    return { line: first[of].line, lines: places.flatMap(place => place[of].lines) };
  };
  const context = { above: first.context.above, below: last.context.below };
  return { path: first.path, places, before: side('before'), after: side('after'), context };
}
