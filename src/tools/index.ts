/** The list of all tools, every edit among them, and the way to run any of them with JSON in and out. */

import type { Edit } from '../edits/edit.ts';
import { edits } from '../edits/index.ts';
import { shortened } from '../edits/input-problems.ts';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import type { CallOptions } from '../engine/calls/cancel.ts';
import * as option from '../engine/calls/option.ts';
import { liftedAliases, liftedSchema } from '../engine/change/edit-input.ts';
import { EditError } from '../errors.ts';
import { withInput } from '../lazy.ts';
import { closestName, toolMeant } from '../near-names.ts';
import { commands } from '../table/index.ts';
import { capital } from '../wording.ts';
import type { Session } from '../workspace/session.ts';
import { done, run, type ToolResult } from './run.ts';
import { type Tool, toolOf } from './tool.ts';

export const editTools: readonly Tool[] = edits.map(lift);

/** Makes a tool of an edit. */
export function lift(edit: Edit): Tool {
  return withInput({
    name: edit.name,
    title: capital(edit.name.replaceAll('_', ' ')),
    description: edit.description,
    input: () => liftedSchema(edit),
    aliases: liftedAliases(edit),
    example: edit.example,
    readOnly: false,
    run: (session: Session, raw: unknown) => session.edit(edit.name, raw),
  });
}

/** All of them: to look first, then the edits, then the other commands of the table. */
export const tools: readonly Tool[] = [
  toolOf(commands[0]!),
  ...editTools,
  ...commands.slice(1).map(one => toolOf(one)),
];

export function toolNamed(name: string): Tool | undefined {
  return tools.find(tool => tool.name === name);
}

export interface RunOptions extends CallOptions {
  /** Answer everything, however long; default: within ANSWER_LIMITS. */
  whole?: boolean | undefined;
}

const checkRun: CheckOptions<Pick<RunOptions, 'whole'>> = optionsCheck(
  { whole: option.flag },
  { whole: true },
);

/**
 * Runs the tool called `name`, which may be an edit of your own. A refusal or failure is a result with a code; it rejects
 * only with the reason of the signal that stopped it.
 */
export async function runTool<Name extends string>(
  session: Session,
  name: Name,
  input: unknown,
  options: RunOptions = {},
): Promise<ToolResult<Name>> {
  const { signal, ...own } = Object(options) as RunOptions;
  const tool = toolNamed(name) ?? ownTool(session, name);
  const op = typeof name === 'string' ? name.slice(0, 80) : '';
  const limit = own.whole === true ? 'whole' : tool?.ownLimit ? 'own' : undefined;
  const result = await run(session, { op, input, signal, limit }, async within => {
    checkRun('runTool', own);
    if (!tool) throw unknownTool(name, offeredAsTheyAre());
    return done(await tool.run(within, input));
  });
  return result as ToolResult<Name>;
}

function ownTool(session: Session, name: unknown): Tool | undefined {
  const edit = session.edits.find(one => one.name === name);
  return edit && lift(edit);
}

function offeredAsTheyAre(): Array<{ name: string; tool: string }> {
  return tools.map(({ name }) => ({ name, tool: name }));
}

/** A tool under the name that it is offered by; `tool` is its own. */
interface Named {
  name: string;
  tool: string;
}

export function unknownTool(given: unknown, offered: readonly Named[]): EditError {
  const names = offered.map(one => one.name);
  const meant = meantBy(given, offered);
  const words = meant === null ? '' : ` Did you mean ${meant}?`;
  const message = `There is no tool ${shortened(given)}.${words} The tools are ${names.join(', ')}.`;
  const suggestion = meant === null ? {} : { suggestion: meant };
  return new EditError('INVALID_INPUT', message, { tools: names, ...suggestion });
}

function meantBy(given: unknown, offered: readonly Named[]): string | null {
  const own = toolMeant(
    given,
    offered.map(one => one.tool),
  );
  const same = offered.find(one => one.tool === own);
  const names = offered.map(one => one.name);
  return same?.name ?? (typeof given === 'string' ? closestName(given, names) : null);
}
