/**
 * The tools as one agent is offered them: which, under which names, with which word for a path. So several workspaces
 * (files, articles, queries) can live in one agent side by side. Every adapter walks such a list.
 */

import * as z from 'zod';
import type { Edit } from '../../edits/edit.ts';
import { parseInput } from '../../edits/input.ts';
import { type CheckOptions, type FieldsOf, optionsCheck } from '../../engine/calls/call-options.ts';
import * as option from '../../engine/calls/option.ts';
import type { TurnOptions } from '../../engine/calls/scope.ts';
import { knownEdits } from '../../engine/change/known-edits.ts';
import { EditError } from '../../errors.ts';
import type { Vocabulary } from '../../wording.ts';
import type { Session } from '../../workspace/session.ts';
import { lift, type Tool, toolNamed, tools } from '../index.ts';
import { done, type Run, run, type ToolResult } from '../run.ts';
import { briefDescription, type Detail, instructions, offeredSchema } from './brief.ts';
import type { JsonSchema } from './json-schema.ts';
import { SETS, type ToolSetName, type ToolSets, type WordOptions, Words } from './words.ts';

export interface ToolsetOptions extends WordOptions {
  /** A set, or the names of tools; default: standard. */
  tools?: ToolSetName | readonly string[] | undefined;
  /** Only tools that change nothing; to those of a set `preview` is added. */
  readOnly?: boolean | undefined;
  /** Edits of your own, as given to openWorkspace: they are offered besides. */
  edits?: readonly Edit[] | undefined;
  /** Other descriptions, by the tool's own name; they are told whole. */
  descriptions?: Readonly<Record<string, string>> | undefined;
  /**
   * `brief` (default): of each tool its first sentences and its own fields; `toolInstructions` says the rest once for all.
   * `full`: every field with its description, for three times as many tokens.
   */
  detail?: Detail | undefined;
}

const words = () => z.record(z.string(), z.string()).optional();

export const toolsetFields: FieldsOf<ToolsetOptions> = {
  prefix: option.text,
  names: words,
  pathField: () => z.string().min(1).optional(),
  // Which tools there are, toolsOf says better.
  tools: () =>
    (z.union([z.string(), z.array(z.string())]) as z.ZodType<ToolSetName | readonly string[]>).optional(),
  readOnly: option.flag,
  edits: () => z.array(z.custom<Edit>()).optional(),
  descriptions: words,
  detail: () => z.enum(['brief', 'full']).optional(),
};

export const checkToolset: CheckOptions<ToolsetOptions> = optionsCheck(toolsetFields, { tools: 'minimal' });

/** One tool as it is offered. */
export interface OfferedTool<Name extends string = string> {
  name: string;
  /** Its own name, as in the list of all tools. */
  tool: Name;
  title: string;
  description: string;
  readOnly: boolean;
  /** With the names of fields as offered; all of them, also those that are not listed. */
  input: z.ZodObject;
  /** The schema that the model is told. */
  inputSchema: JsonSchema;
  example: Record<string, unknown>;
  /**
   * Checks the input and does the work. `callId` is the id of the tool call, for the history. Rejects only with the reason
   * of the signal that stopped it.
   */
  run(
    session: Session,
    input: unknown,
    callId?: string | undefined,
    options?: Pick<
      TurnOptions,
      'signal' | 'known' | 'uniqueCall' | 'mayBeBroken' | 'turn' | 'subagent' | 'model'
    >,
  ): Promise<ToolResult<Name>>;
}

/** Throws INVALID_INPUT when a name is no tool's, or given to two tools or two fields, and for unknown options. */
export function toolset(options: ToolsetOptions = {}): OfferedTool[] {
  return offeredTools(checkToolset('toolset', options));
}

/**
 * Returns what the tools of such a set have in common, in their words: for the system prompt, once. Throws as toolset
 * does.
 */
export function toolInstructions(options: ToolsetOptions = {}): string {
  return instructionsFor(checkToolset('toolInstructions', options));
}

/** As toolInstructions, for options that are checked already. */
export function instructionsFor(options: ToolsetOptions): string {
  const chosen = chosenTools(options);
  const words = new Words(options).vocabulary(chosen.map(tool => tool.name));
  return instructions(
    words,
    chosen.every(tool => tool.readOnly),
  );
}

function chosenTools({ tools = 'standard', readOnly, edits }: ToolsetOptions): Tool[] {
  const own = [...knownEdits(edits).values()].filter(edit => !toolNamed(edit.name)).map(lift);
  const named = readOnly && typeof tools === 'string' ? toolsOf(tools).map(tool => tool.name) : null;
  const chosen = [...toolsOf(named ? [...named, 'preview'] : tools), ...own];
  return chosen.filter(tool => tool.readOnly || !readOnly);
}

/** Offers the tools for options that are checked already. Throws as toolset does. */
export function offeredTools(options: ToolsetOptions): OfferedTool[] {
  const chosen = chosenTools(options);
  const named = [...Object.keys(options.names ?? {}), ...Object.keys(options.descriptions ?? {})];
  toolsOf(named.filter(name => !chosen.some(tool => tool.name === name)));
  checkPathField(chosen, options.pathField);
  const words = new Words(options);
  const vocabulary = words.vocabulary(chosen.map(tool => tool.name));
  const offered = chosen.map(tool => offer(tool, options, words, vocabulary));
  checkApart(offered);
  return offered;
}

function offer(tool: Tool, options: ToolsetOptions, words: Words, vocabulary: Vocabulary): OfferedTool {
  const { descriptions = {}, detail = 'brief' } = options;
  const told = detail === 'brief' ? briefDescription(tool.description) : tool.description;
  const input = words.plain ? tool.input : z.object(words.offered(tool.input.shape));
  const own: Tool = {
    ...tool,
    name: words.name(tool.name),
    description: descriptions[tool.name] ?? told,
    input,
    aliases: words.offered(tool.aliases),
    example: words.offered(tool.example),
  };
  const { name, title, description, readOnly, example } = own;
  return {
    name,
    tool: tool.name,
    title,
    description,
    readOnly,
    input,
    inputSchema: offeredSchema(input, detail),
    example,
    run: runner(tool, own, words, vocabulary),
  };
}

/** Runs `tool` with an input in the words of `own`. */
function runner(tool: Tool, own: Tool, words: Words, vocabulary: Vocabulary): OfferedTool['run'] {
  return (session, raw, callId, options = {}) => {
    const input = withCall(tool, raw, callId);
    const call: Run = {
      op: tool.name,
      input,
      vocabulary,
      ...options,
      limit: tool.ownLimit ? 'own' : undefined,
    };
    return run(session, call, async one => {
      const named = words.plain ? input : words.own(parseInput(own, input));
      return done(await tool.run(one, named));
    });
  };
}

/** Puts the id of the call into the input; what the model itself says of the call comes first. */
function withCall(tool: Tool, input: unknown, callId: string | undefined): unknown {
  const takesIt = callId !== undefined && 'call_id' in tool.input.shape;
  return takesIt && typeof input === 'object' && input !== null ? { call_id: callId, ...input } : input;
}

function checkPathField(chosen: readonly Tool[], field: string | undefined): void {
  const tool = field !== undefined && field !== 'path' && chosen.find(one => field in one.input.shape);
  if (!tool) return;
  const message = `The path cannot be called ${field}: ${tool.name} has another field of that name.`;
  throw new EditError('INVALID_INPUT', message, { pathField: field, tool: tool.name });
}

function checkApart(offered: readonly OfferedTool[]): void {
  const twice = offered.find(({ name }, index) => offered.findIndex(one => one.name === name) !== index);
  if (!twice) return;
  throw new EditError('INVALID_INPUT', `Two tools cannot both be called ${twice.name}.`, {
    name: twice.name,
  });
}

// Which tools options choose, and under which names: for the types of what is keyed by them.

/** The tools that options choose, by their own names; `string` where only the running program knows. */
export type OfferedTools<Options> = SetOf<Options> | OwnEdits<Options>;

type SetOf<Options> = Options extends { tools: infer Set extends ToolSetName }
  ? ToolSets[Set]
  : Options extends { tools: ReadonlyArray<infer Name extends string> }
    ? Name
    : Options extends { tools: unknown }
      ? string
      : ToolSets['standard'];

type OwnEdits<Options> = Options extends { edits: ReadonlyArray<Edit<never, infer Name>> } ? Name : never;

/** The name under which options offer a tool. */
export type OfferedName<Options, Tool extends string> = `${PrefixOf<Options>}${Renamed<Options, Tool>}`;

type PrefixOf<Options> = Options extends { prefix: infer Prefix extends string } ? Prefix : '';

type Renamed<Options, Tool extends string> = Options extends { names: infer Names }
  ? Tool extends keyof Names
    ? Names[Tool] & string
    : Tool
  : Tool;

/** Returns the tools of a set, or those named, in the order of the list of all tools. Throws INVALID_INPUT for other names. */
function toolsOf(set: ToolSetName | readonly string[]): Tool[] {
  if (set === 'all') return [...tools];
  const names = typeof set !== 'string' ? set : Object.hasOwn(SETS, set) ? SETS[set]! : [set];
  const unknown = names.filter(name => !tools.some(tool => tool.name === name));
  if (unknown.length > 0) throw noSuchTools(unknown);
  return tools.filter(tool => names.includes(tool.name));
}

function noSuchTools(unknown: readonly string[]): EditError {
  const known = tools.map(tool => tool.name);
  const message = `There is no tool ${unknown.join(', ')}. Name minimal, standard, all, or some of ${known.join(', ')}.`;
  return new EditError('INVALID_INPUT', message, { unknown, tools: known });
}
