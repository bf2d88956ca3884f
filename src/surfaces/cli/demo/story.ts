/**
 * The demo as a story: what happens, in which order, and what is said about it. Two scripted agents make the mistakes that
 * models make, and correct them with nothing but what the answers say. Every answer is the engine's own.
 */

import fs from 'node:fs';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { add, commit, init } from 'isomorphic-git';
import type { DoneData } from '../../../engine/answer.ts';
import { runTool } from '../../../tools/index.ts';
import type { ToolResult } from '../../../tools/run.ts';
import { openWorkspace } from '../../../workspace/open.ts';
import type { Session } from '../../../workspace/session.ts';

export const ADA = { name: 'Ada', email: 'ada@example.invalid' };

const CART_TEXT = `import { taxRate } from './tax.js';

export function subtotal(items) {
  let total = 0;
  for (const item of items) total += item.price;
  return total;
}

export function checkout(items) {
  let total = 0;
  for (const item of items) total += item.price;
  return total * (1 + taxRate);
}
`;

/** A small shop with a mistake in it; the picture of the page of the history has the same. */
export const SHOP: Readonly<Record<string, string>> = {
  'README.md': '# Shop\n\nA cart that forgets how many of each you want.\n',
  'src/cart.js': CART_TEXT,
  'src/tax.js': 'export const taxRate = 0.2;\n',
};

/** Makes the scratch repository, a person's, in the system's folder for temporary files and answers where it is. Needs no git. */
export async function makeShop(): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'vedit-demo-')));
  await mkdir(join(dir, 'src'));
  for (const [path, text] of Object.entries(SHOP)) await writeFile(join(dir, path), text);
  await init({ fs, dir, defaultBranch: 'main' });
  await add({ fs, dir, filepath: Object.keys(SHOP) });
  await commit({ fs, dir, message: 'A small shop', author: ADA });
  return dir;
}

export interface Teller {
  chapter(title: string, words: string): Promise<void>;
  call(who: string, tool: string, input: object, result: ToolResult): Promise<void>;
}

type CallTool = (tool: string, input: Record<string, unknown>) => Promise<ToolResult>;

/** Makes the calls of the demo in the repository at `root`, which makeShop made, and tells each. */
export async function tellStory(root: string, teller: Teller): Promise<void> {
  const workspace = await openWorkspace({ root, user: ADA });
  try {
    const fixer = workspace.session({ agent: 'fixer', id: 'session-1' });
    const reviewer = workspace.session({ agent: 'reviewer', id: 'session-2' });
    await tell(root, teller, calls(teller, fixer), calls(teller, reviewer));
  } finally {
    await workspace.close();
  }
}

function calls(teller: Teller, session: Session): CallTool {
  return async (tool, input) => {
    const result = await runTool(session, tool, input);
    await teller.call(session.agent!, tool, input, result);
    return result;
  };
}

const CART = 'src/cart.js';
const SUM = 'for (const item of items) total += item.price;';

async function tell(root: string, teller: Teller, fixer: CallTool, reviewer: CallTool): Promise<void> {
  await teller.chapter('Look', 'An agent called fixer looks at a file.');
  await fixer('view', { path: CART });

  await teller.chapter(
    'No guess',
    'It wants to change a line that is there twice. It is refused, told where, and asks better.',
  );
  await fixer('str_replace', { path: CART, old_str: SUM, new_str: '...' });
  const { data } = await fixer('str_replace', {
    path: CART,
    old_str: `  let total = 0;\n  ${SUM}\n  return total * (1 + taxRate);`,
    new_str: '  return subtotal(items) * (1 + taxRate);',
    reason: 'checkout adds up as subtotal does',
  });

  await teller.chapter(
    'Others are at work too',
    'An agent called reviewer edits the same file, and Ada changes the tax in her editor.',
  );
  await reviewer('str_replace', {
    path: CART,
    old_str: 'export function subtotal',
    new_str: '/** What the items cost before tax. */\nexport function subtotal',
  });
  await writeFile(join(root, 'src', 'tax.js'), 'export const taxRate = 0.25;\n');

  await teller.chapter(
    'No stale edit',
    'fixer still counts lines in the version that its own edit left. The answer says what changed, and it tries again.',
  );
  await fixSubtotal(fixer, (data as DoneData).paths[0]!.version!);

  await teller.chapter('Every edit is a commit', 'Beside Ada’s branch, not on it: refs/vedit/main.');
  await fixer('log', {});

  await teller.chapter('Undo', 'fixer takes its last edit back. That is a commit too, and can be redone.');
  await fixer('undo', {});

  await teller.chapter(
    'Back to the start',
    'Everything the agents did goes; Ada’s new tax stays, and so does the history.',
  );
  await fixer('rollback', { commit: 'main' });
}

/** Replaces line 5 of the version it knows. Told what changed since, it finds the line again and cites the new version. */
async function fixSubtotal(call: CallTool, version: string): Promise<void> {
  const fixed = '  for (const item of items) total += item.price * item.quantity;';
  const edit = { path: CART, start_line: 5, end_line: 5, new_content: fixed, version };
  const refused = await call('replace_lines', edit);
  const { version: present, diff } = refused.data as { version: string; diff: string };
  // All that changed is above.
  const count = (sign: RegExp): number => diff.split('\n').filter(line => sign.test(line)).length;
  const line = 5 + count(/^\+(?!\+\+ )/) - count(/^-(?!-- )/);
  const reason = 'count how many of each';
  await call('replace_lines', { ...edit, start_line: line, end_line: line, version: present, reason });
}
