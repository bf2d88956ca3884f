import { expect, it } from 'vitest';
import { editorName } from '../../src/engine/editor-name.ts';

it.each([
  ['an agent', { agent: 'fixer', author: 'fixer', session: 's1' }, 'fixer'],
  ['a person', { agent: null, author: 'Ada', session: 'ada@example.com' }, 'Ada'],
  ['a session that was named', { agent: null, author: 'agent', session: 'night-run' }, 'night-run'],
  ['a session whose id was made up', { agent: null, author: 'agent', session: '3227e1e23455' }, 'agent'],
  ['no session', { agent: null, author: 'agent', session: null }, 'agent'],
])('%s is named', (_who, entry, name) => {
  expect(editorName(entry)).toBe(name);
});
