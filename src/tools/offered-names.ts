/** Which tools a call of `toolset` and the like offers, and under which names: for the types of what is keyed by them. */

import type { Edit } from '../edits/edit.ts';
import type { ToolSetName, ToolSets } from './sets.ts';

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
