/** The part of a tool that rides along with every turn of a model: short, and without what no model can know. */

import type * as z from 'zod';
import type { Vocabulary } from '../../wording.ts';
import { fieldName, ifTool, Look, render } from '../../wording.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';

/** The amount that a model is told of each tool: what it needs for a call, or every field with its description. */
export type Detail = 'brief' | 'full';

/** The id of the call: the adapter fills it in. */
const FILLED: ReadonlySet<string> = new Set(['call_id']);

/** Fields of every edit and way back, which `instructions` names once for all tools; and those that a refusal names. */
const UNLISTED: ReadonlySet<string> = new Set([
  ...FILLED,
  'base',
  'on_stale',
  'dry_run',
  'edit_id',
  'allow_secret',
  'rest',
]);

/** Said in descriptions and refusals alone where a tool is told in brief: what is not in its schema is accepted, or refused, all the same. */
const MINOR = ['description', 'minLength', 'minItems', 'maxItems', 'minimum', 'exclusiveMinimum'];

/** Makes the schema of a tool's input as it is offered. */
export function offeredSchema(input: z.ZodObject, detail: Detail): JsonSchema {
  const [hidden, leftOut] = detail === 'brief' ? [UNLISTED, MINOR] : [FILLED, []];
  const schema = jsonSchemaOf(input, leftOut);
  const properties = Object.entries(schema.properties as JsonSchema).filter(([name]) => !hidden.has(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}

const LONGEST = 130;

/** Keeps the first sentence, further whole ones while they fit, and the one that says when to prefer the tool. */
export function briefDescription(description: string): string {
  const sentences = description.split(/(?<=\.) (?=[A-Z])/);
  let text = '';
  for (const sentence of sentences.filter(one => !isPreference(one))) {
    if (text !== '' && text.length + sentence.length > LONGEST) break;
    text += text === '' ? sentence : ` ${sentence}`;
  }
  return [text, ...sentences.filter(isPreference)].join(' ');
}

function isPreference(sentence: string): boolean {
  return sentence.startsWith('Prefer it ');
}

/** Returns what all tools have in common, to be put before a model once. */
export function instructions(vocabulary: Vocabulary, readOnly: boolean): string {
  return render((readOnly ? READING : [...EDITING, ...READING, ...COMMON]).join('\n'), vocabulary);
}

const EDITING: readonly string[] = [
  'Every edit is one git commit; taking one back adds a commit, so nothing is ever lost.',
  `${ifTool('view', `${Look()} a file before you give line numbers; lines count from 1; -1 as the end of ${fieldName('view_range')} is the last line.`, 'Lines count from 1.')}`,
  'An edit that is not certain is refused and nothing is done: the refusal says what to send next, after its code;',
  '(retryable) after the code: the same call can succeed, as it is or with the values that are named.',
];

const READING: readonly string[] = [
  'Where a commit is asked for, give an id, @ (the newest) or ~N (N before it).',
];

const COMMON: readonly string[] = [
  'Edits and ways back also take: version (as a view answered it) or base (a commit), refused as STALE if that changed since;',
  'on_stale: "rebase" to merge instead; dry_run: true to write nothing; edit_id, your own id, so that a call sent',
  'twice is done once; reason, why, for the history;',
  'allow_secret: true, with a reason, for what only looks like a key.',
];
