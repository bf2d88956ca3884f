/** The prompt of the tool, as Agent Zero puts it before a model. It is made of the schemas. */

import { ACTIONS, type Action, INPUTS } from '../../tools/dialects/agent-zero.ts';
import { type JsonSchema, jsonSchemaOf } from '../../tools/json-schema.ts';

export function agentZeroPrompt(): string {
  return [
    '### text_editor',
    'read, write and patch text files; every change is a commit that can be undone',
    'a text that occurs twice, a line number that moved or a file that changed since is refused: read the answer, it says what to send',
    '',
    ...ACTIONS.flatMap(action => section(action)),
    'rules',
    '- for patch give exactly one of old_text + new_text (simple changes), patch_text (by context), edits (by line numbers)',
    '- edits only right after a read; all numbers are those of that read',
    '- in patch_text a line of the file is either context or removed, never both',
    '- use patch, not write, to change a file that is there',
    '',
    ...EXAMPLES.flatMap(example => [
      '~~~json',
      JSON.stringify({ tool_name: 'text_editor', tool_args: example }),
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
  return [`action ${action}`, ...fields, ''];
}

function fieldText({ description, items }: JsonSchema): string {
  const inner = (items as JsonSchema | undefined)?.properties;
  if (!inner) return String(description);
  const parts = Object.entries(inner as Record<string, JsonSchema>).map(
    ([name, one]) => `${name}: ${one.description}`,
  );
  return `${description}; each {${parts.join(', ')}}`;
}

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
