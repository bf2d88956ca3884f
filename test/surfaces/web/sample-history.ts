/** A small history by the real engine: two agents, a person, an edit that is taken back, a move. */

import type { Timeline } from '../../../src/queries/timeline.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

export const CART =
  'export function total(items) {\n  let sum = 0;\n  for (const item of items) sum += item.price;\n  return sum;\n}\n';

/** Newest first: 5 edit of the moved file, 4 move, 3 edit of two files, 2 undo, 1 an edit that is taken back, 0 outside. */
export async function shop(): Promise<Timeline> {
  const repo = await shopRepo();
  const workspace = await repo.open();
  const timeline = await workspace.session({ id: 'one', agent: 'fixer' }).timeline();
  await workspace.close();
  return { ...timeline, name: 'shop' };
}

/** The repository of that history. */
export async function shopRepo(): Promise<Place> {
  const repo = personRepo({ 'src/cart.js': CART, 'README.md': '# Shop\n' });
  const workspace = await repo.open();
  const fixer = workspace.session({ id: 'one', agent: 'fixer', model: 'm1' });
  const reviewer = workspace.session({ id: 'two', agent: 'reviewer' });
  repo.write('README.md', '# My shop\n');
  await fixer.edit('str_replace', {
    path: 'README.md',
    old_str: 'My shop',
    new_str: 'The shop',
    reason: 'No first person.',
  });
  await fixer.undo();
  await reviewer.change(
    [
      { edit: 'str_replace', path: 'src/cart.js', old_str: 'item.price', new_str: 'item.price * item.count' },
      { edit: 'str_replace', path: 'README.md', old_str: 'My shop', new_str: 'A shop' },
    ],
    { reason: 'Count how many of each.\n\nTicket 114.' },
  );
  await fixer.edit('move', { path: 'src/cart.js', new_path: 'src/lib/cart.js', reason: 'With the others' });
  await fixer.edit('str_replace', { path: 'src/lib/cart.js', old_str: 'let sum', new_str: 'let all' });
  await workspace.close();
  return repo;
}
