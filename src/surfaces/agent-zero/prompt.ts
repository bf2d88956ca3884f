/** The prompt of the tool, as Agent Zero puts it before a model. It is made of the schemas and of the tool's options. */

import { ACTIONS, type Action, INPUTS } from '../../tools/dialects/agent-zero.ts';
import { type JsonSchema, jsonSchemaOf } from '../../tools/toolset/json-schema.ts';
import { DEFAULTS, type ReadSettings } from './read-text.ts';

/** Makes the prompt, with the name and the numbers that the tool is set up with. */
export function agentZeroPrompt(options: Partial<ReadSettings> = {}): string {
  const settings = { ...DEFAULTS, ...options };
  const { name } = settings;
  return [
    `### ${name}`,
    'read, write and patch text files with numbered lines; no binary files, no code execution',
    'for bulk search and replace use the terminal (grep, find, sed); docx, xlsx, pptx, odt: office_artifact',
    'every change is a commit that can be undone',
    'a text that occurs twice, a line number that moved or a file that changed since is refused: read the answer, it says what to send',
    `action may also stand in the tool's name, as in ${name}:read`,
    '',
    ...ACTIONS.flatMap(action => [...section(action), ...NOTES[action](settings), '']),
    ...EXAMPLES.flatMap(example => [
      '~~~json',
      JSON.stringify({ tool_name: name, tool_args: example }),
      '~~~',
    ]),
    '',
  ].join('\n');
}

function section(action: Action): string[] {
  const { properties, required = [] } = jsonSchemaOf(INPUTS[action]) as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  const fields = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : ' (optional)';
    return `- ${name}${optional}: ${fieldText(schema)}`;
  });
  return [`action ${action}`, ...fields];
}

function fieldText({ description, items }: JsonSchema): string {
  const inner = (items as JsonSchema | undefined)?.properties;
  if (!inner) return String(description);
  const parts = Object.entries(inner as Record<string, JsonSchema>).map(
    ([name, one]) => `${name}: ${one.description}`,
  );
  return `${description}; each {${parts.join(', ')}}`;
}

const NOTES: Readonly<Record<Action, (settings: ReadSettings) => string[]>> = {
  read: settings => [
    `without line_from and line_to: the first ${settings.default_line_count} lines`,
    `a line of more than ${settings.max_line_tokens} tokens is cropped; a read ends after ${settings.max_total_read_tokens} tokens: use line_from/line_to for the rest`,
    'read the surrounding lines before you patch',
  ],
  write: () => [
    'creates the file or overwrites it; missing folders are made',
    'for large changes write the file anew rather than send many patches; to change a part of a file, patch it',
  ],
  patch: () => [
    'exactly one of old_text + new_text, patch_text, edits; the file must be there',
    '- old_text + new_text: the exact present text, which must occur once; best for a simple "change X to Y"; new_text "" deletes it',
    '- patch_text: on the present content, no read needed; lines begin with " " (context), "-" (removed) or "+" (added)',
    '  "@@ " and an exact line of the file is an anchor: lines are inserted after it, or replace the lines that follow it',
    '  to replace: @@ the line before, then -old +new; or @@ the old line itself, then -the same old line +new',
    '  give enough unique context; where text is repeated, add an @@ anchor; never list one line as both context and removed',
    '  it may stand between *** Begin Patch and *** End Patch, with *** Update File: and the path',
    '- edits: only right after a read; from and to are inclusive line numbers of that read, do not adjust them for shifts, no overlaps; end lines with \\n',
    '  {from:2,to:2,content:"x\\n"} replaces, {from:1,to:3,content:"x\\n"} replaces a range, {from:2,to:2} deletes, {from:2,content:"x\\n"} inserts before',
    '  re-read after an insertion, a deletion or a replacement of another number of lines; else patch again without',
    'only name the lines that change, not unchanged ones around them',
    'keep the content valid: close all braces, brackets and tags',
  ],
};

const EXAMPLES: readonly object[] = [
  { action: 'read', path: '/root/notes.md', line_from: 1, line_to: 50 },
  { action: 'write', path: '/root/notes.md', content: '# Notes\n' },
  { action: 'patch', path: '/root/notes.md', old_text: 'status = draft', new_text: 'status = final' },
  { action: 'patch', path: '/root/notes.md', patch_text: '@@ ## Tasks\n-- [ ] call Ada\n+- [x] call Ada' },
  {
    action: 'patch',
    path: '/root/notes.md',
    edits: [
      { from: 2, to: 2, content: 'new line 2\n' },
      { from: 5, content: 'before line 5\n' },
    ],
  },
];
