/** A scripted agent: it makes the mistakes that models make, and corrects them with nothing but what the answers say. */

import type { DoneData } from '../../../engine/answer.ts';
import type { ToolResult } from '../../../tools/run.ts';

export type CallTool = (tool: string, input: Record<string, unknown>) => Promise<ToolResult>;

const CART = 'src/cart.js';
const SUM = 'for (const item of items) total += item.price;';

export async function look(call: CallTool): Promise<void> {
  await call('view', { path: CART });
}

/** Wants to change one of two equal lines; told where both are, it takes the whole second function. Answers the version that the file has then. */
export async function fixCheckout(call: CallTool): Promise<string> {
  await call('str_replace', { path: CART, old_str: SUM, new_str: '...' });
  const { data } = await call('str_replace', {
    path: CART,
    old_str: `  let total = 0;\n  ${SUM}\n  return total * (1 + taxRate);`,
    new_str: '  return subtotal(items) * (1 + taxRate);',
    reason: 'checkout adds up as subtotal does',
  });
  return (data as DoneData).paths[0]!.version!;
}

/** Another agent, in another session, puts a comment at the top. */
export async function explain(call: CallTool): Promise<void> {
  await call('str_replace', {
    path: CART,
    old_str: 'export function subtotal',
    new_str: '/** What the items cost before tax. */\nexport function subtotal',
  });
}

/** Replaces line 5 of the version it knows. Told what changed since, it finds the line again and cites the new version. */
export async function fixSubtotal(call: CallTool, version: string): Promise<void> {
  const fixed = '  for (const item of items) total += item.price * item.quantity;';
  const line = { path: CART, start_line: 5, end_line: 5, new_content: fixed, version };
  const refused = await call('replace_lines', line);
  const { version: present, diff } = refused.data as { version: string; diff: string };
  const moved = linesAbove(diff, 5);
  await call('replace_lines', {
    ...line,
    start_line: 5 + moved,
    end_line: 5 + moved,
    version: present,
    reason: 'count how many of each',
  });
}

/** By how many lines a diff moved the line with this old number. */
function linesAbove(diff: string, line: number): number {
  let old = 0;
  let moved = 0;
  for (const text of diff.split('\n')) {
    const hunk = /^@@ -(\d+)/.exec(text);
    if (hunk) old = Number(hunk[1]);
    else if (old > 0 && old <= line) {
      if (text.startsWith('+')) moved++;
      else if (text.startsWith('-')) moved--;
      if (!text.startsWith('+')) old++;
    }
  }
  return moved;
}
