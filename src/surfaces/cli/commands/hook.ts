import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { FilesDeed, HookEvent } from '../../../agents/hooks/event.ts';
import { HOOKED_AGENTS, plainPath, readHook } from '../../../agents/hooks/read.ts';
import type { HookTaken } from '../../../agents/take-files.ts';
import { EditError } from '../../../errors.ts';
import type { HookOptions as Options } from '../../../table/programs.ts';
import { UsageError } from '../../../table/use.ts';
import type { Located } from '../../../workspace/opening/locate.ts';
import { jsonLine } from '../answer.ts';
import type { Call } from '../command.ts';
import { gitOf, type Opened, PATIENCE, withFolder } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { readAll } from '../input/text-source.ts';

export async function run(call: Call<Options>): Promise<number> {
  if (!HOOKED_AGENTS.includes(call.args[0]!)) throw unknownAgent(call.args[0]!);
  await answer(call, await recordHook(call));
  return EXIT.done;
}

function unknownAgent(given: string): UsageError {
  return new UsageError(
    `there is no hook for ${JSON.stringify(given)}, only for ${HOOKED_AGENTS.join(', ')}`,
  );
}

/** Standard error of a hook that exits with 0 is seen by those who look for it. */
async function answer({ options, terminal }: Call<Options>, outcome: HookOutcome): Promise<void> {
  if (options.json) await terminal.print(jsonLine({ ok: true, data: outcome }));
  else if (outcome.answer) await terminal.print(jsonLine(outcome.answer));
  else if ('passed' in outcome && outcome.worth)
    await terminal.tell(`vedit hook: nothing recorded: ${outcome.passed}`);
}

/** The outcome of one call: a commit, or why there is none; and what the agent is answered. */
type HookOutcome = ({ recorded: string | null; subject: string } | { passed: string; worth: boolean }) & {
  answer?: object;
};

/** Never throws. */
async function recordHook(call: Call<Options>): Promise<HookOutcome> {
  try {
    const bytes = await readAll(call.terminal.input(), MOST);
    const named = call.args[0]!;
    const event = readHook(bytes, named);
    if (!event) return { passed: 'this is about no file', worth: false };
    const { interpretSchemas } = await import('../../../workspace/open.ts');
    interpretSchemas();
    const git = await gitOf(call.terminal);
    const work = ({ workspace }: Opened, folder: string): Promise<HookTaken> =>
      workspace.takeHook(bytes, { named, call: call.options.call, folder, git, isNoted: call.options.noted });
    const all = await inRepositories(call, event, work);
    const { commit, subject, passed } = all.find(one => one.passed === null) ?? all[0] ?? NO_HISTORY;
    const outcome = passed === null ? { recorded: commit, subject: subject! } : { passed, worth: false };
    const answer = all.find(one => one.answer)?.answer;
    return { ...outcome, ...(answer ? { answer } : {}) };
  } catch (error) {
    const code = error instanceof EditError ? `${error.code}: ` : '';
    return { passed: `${code}${(error as Error).message}`, worth: !isExpected(error) };
  }
}

/** Such files are none of ours: that there is no record of them is as it should be. */
const EXPECTED: ReadonlySet<string> = new Set([
  'NO_CHANGE',
  'NOT_A_REPOSITORY',
  'OUTSIDE_WORKSPACE',
  'PROTECTED_PATH',
  'IGNORED_PATH',
  'FILTERED_PATH',
  'NESTED_REPOSITORY',
  'UNSUPPORTED_REPOSITORY',
]);

function isExpected(error: unknown): boolean {
  return error instanceof EditError && EXPECTED.has(error.code);
}

type Work = (opened: Opened, folder: string) => Promise<HookTaken>;

/** Works in the repository of each file that the event is about; where it is about none, in the one that the agent is at work in. */
async function inRepositories(call: Call<Options>, event: HookEvent, work: Work): Promise<HookTaken[]> {
  const places = placesOf(call, event);
  const open = { patience: PATIENCE, brief: true };
  if (event.deed?.kind === 'files' && call.options.C === undefined) {
    const done: HookTaken[] = [];
    for (const folder of await repositoriesOf(event.deed, places))
      done.push(await withFolder({ ...call, folder }, opened => work(opened, places[0]!), open));
    return done;
  }
  for (const [n, folder] of places.entries()) {
    try {
      return [await withFolder({ ...call, folder }, opened => work(opened, opened.folder), open)];
    } catch (error) {
      const isElsewhere = error instanceof EditError && error.code === 'NOT_A_REPOSITORY';
      if (!isElsewhere || n === places.length - 1) throw error;
    }
  }
  return [];
}

/** Lists where the agent is at work, and its project. */
function placesOf(call: Call<Options>, { folders }: HookEvent): string[] {
  if (call.options.C !== undefined) return [call.folder];
  const { CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR } = call.terminal.env;
  const projects = [CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR].filter(one => one);
  const own = folders.filter(one => isAbsolute(one));
  return [...(own.length > 0 ? own : [call.folder]), ...projects.map(String)];
}

/** Lists the work trees that the files are in: those of the repository that the agent is at work in, and others that have a history. */
async function repositoriesOf({ files }: FilesDeed, places: readonly string[]): Promise<Set<string>> {
  const own = await Promise.all(places.map(located));
  const found = new Set<string>();
  for (const { path } of files) {
    const there = await located(dirname(resolve(places[0]!, plainPath(path))));
    if (!there || there.bare) continue;
    const isOwn = own.some(one => one?.commonDir === there.commonDir);
    if (isOwn || existsSync(join(there.commonDir, 'vedit'))) found.add(there.root);
  }
  return found;
}

/** Finds the repository that a folder is in, or will be; `null`: in none. */
async function located(folder: string): Promise<Located | null> {
  const { locateRepository } = await import('../../../workspace/opening/locate.ts');
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return locateRepository(realpathSync.native(at)).catch(() => null);
}

const NO_HISTORY: HookTaken = {
  commit: null,
  subject: null,
  passed: 'the file is in no repository that has a history of vedit',
  answer: null,
};

/** Bytes; no event that is true is longer. */
const MOST = 64 * 1024 * 1024;
