/** The scratch repository of the demo: a person's, made without the engine, with one commit. */

import fs from 'node:fs';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { add, commit, init } from 'isomorphic-git';

export const ADA = { name: 'Ada', email: 'ada@example.invalid' };

const CART = `import { taxRate } from './tax.js';

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
  'src/cart.js': CART,
  'src/tax.js': 'export const taxRate = 0.2;\n',
};

/** Makes it in the system's folder for temporary files and answers where it is. Needs no git. */
export async function makeShop(): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'vedit-demo-')));
  await mkdir(join(dir, 'src'));
  for (const [path, text] of Object.entries(SHOP)) await writeFile(join(dir, path), text);
  await init({ fs, dir, defaultBranch: 'main' });
  await add({ fs, dir, filepath: Object.keys(SHOP) });
  await commit({ fs, dir, message: 'A small shop', author: ADA });
  return dir;
}
