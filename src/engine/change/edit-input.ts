/** The input of an edit as it arrives from outside: the edit's own fields and those that every edit has. */

import * as z from 'zod';
import type { Edit } from '../../edits/edit.ts';
import { type InputSpec, parseInput } from '../../edits/input.ts';
import { lazy } from '../../lazy.ts';
import { camelCase, camelCased } from '../../spelling.ts';
import {
  type CheckOptions,
  optionsCheck,
  type Snake,
  shapeOf,
  type ToolFieldsOf,
} from '../calls/call-options.ts';
import type { CallIds } from '../calls/events.ts';
import * as option from '../calls/option.ts';

/** Options of every call that makes a commit. */
export interface RequestOptions {
  /** Answer what would happen; write nothing. */
  dryRun?: boolean | undefined;
  /** The caller's own id: sent again, it is answered, not done again. */
  editId?: string | undefined;
  /** The id of the tool call, for the history. */
  callId?: string | undefined;
  /** Why, for the history. */
  reason?: string | undefined;
  /** Put into history what looks like a key, all the same; `reason` says why, and history keeps both. */
  allowSecret?: boolean | undefined;
}

/** Options of every edit, whatever it does. */
export interface CommonInput extends RequestOptions {
  /** The commit that the edit was decided on. */
  base?: string | undefined;
  /** The version of the file that it was decided on. */
  version?: string | undefined;
  onStale?: 'refuse' | 'rebase' | undefined;
}

/** The fields that `session.edit` takes beside the edit's own, by the names of tools. `null` is as if it were absent. */
export type CommonFields = { [Name in keyof CommonInput as Snake<Name>]?: CommonInput[Name] | null };

/** CommonInput by the names of tools alone. */
export type CommonToolInput = { [Name in keyof CommonInput as Snake<Name>]: CommonInput[Name] };

export const commonFields: ToolFieldsOf<CommonInput> = {
  base: () =>
    option.text(
      'Commit the edit was decided on: an id, @ (the newest) or ~N. Refused as STALE if the file changed since.',
    ),
  version: () =>
    option.text('The version that view answered for the file. Refused as STALE if it is another now.'),
  on_stale: () =>
    z
      .enum(['refuse', 'rebase'])
      .optional()
      .describe('If the file changed since: refuse (default), or rebase: plan on the old text and merge.'),
  dry_run: () => option.flag('Answer what would happen; write nothing.'),
  edit_id: () => option.text('Your own id for this request: sent again, it is answered, not done again.'),
  reason: () => option.text('Why, for the history.'),
  call_id: () => option.text('The id of the tool call, for the history.'),
  allow_secret: () => option.flag('Put into history what looks like a key, all the same; say why in reason.'),
};

const commonShape = lazy(() => shapeOf(commonFields));

export const checkCommon: CheckOptions<CommonInput> = optionsCheck(camelCased(commonFields), {
  reason: 'rename both',
});

export const commonAliases: Readonly<Record<string, readonly string[]>> = {
  base: ['base_commit', 'base_revision'],
  dry_run: ['preview'],
  reason: ['instruction', 'explanation'],
  call_id: ['tool_call_id', 'tool_use_id'],
};

/** The edit's schema with the fields that every edit has. */
export function liftedSchema(edit: Edit): z.ZodObject {
  return edit.input.extend(commonShape()) as z.ZodObject;
}

/** Returns the aliases of the fields of an edit and of those that every edit has. */
export function liftedAliases(edit: Edit): Edit['aliases'] {
  return { ...commonAliases, ...edit.aliases };
}

/** A schema compiles its check at the first use: one made anew for each edit would be compiled for each. */
const specs = new WeakMap<Edit, InputSpec>();

function specOf(edit: Edit): InputSpec {
  const known = specs.get(edit);
  if (known) return known;
  const { name, example } = edit;
  const spec = { name, input: liftedSchema(edit), aliases: liftedAliases(edit), example };
  specs.set(edit, spec);
  return spec;
}

/** Checks a raw input and parts it. Throws INVALID_INPUT naming the fields. */
export function parseEditInput(
  edit: Edit,
  raw: unknown,
): { own: Record<string, unknown>; common: CommonInput } {
  const input = parseInput(specOf(edit), raw) as Record<string, unknown>;
  const common: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  for (const key of Object.keys(input)) {
    if (key in commonFields) common[camelCase(key)] = input[key];
    else own[key] = input[key];
  }
  return { own, common };
}

const CALL_NAMES = ['call_id', 'callId', ...commonAliases.call_id!];
const REASON_NAMES = ['reason', ...commonAliases.reason!];

/** Returns what an input says of its call, whatever else is wrong with it. */
export function callIds(input: unknown): Partial<CallIds> {
  const given = Object(input) as Record<string, unknown>;
  return {
    call: textOf(given, CALL_NAMES),
    edit_id: textOf(given, ['edit_id', 'editId']),
    reason: textOf(given, REASON_NAMES),
  };
}

/** The first of these members that is a text. */
function textOf(given: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) if (typeof given[name] === 'string') return given[name];
  return undefined;
}
