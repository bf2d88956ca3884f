/** The names that a file exports, types with the word before them. */

import { Visitor } from 'rolldown/utils';
import { parse } from '../helpers/source.ts';

/** Sorted. Throws for `export *` and for exports made in place: a list of public names names them. */
export function exportedNames(path: string, text: string): string[] {
  const names: string[] = [];
  new Visitor({
    ExportNamedDeclaration: node => {
      if (node.declaration) throw new Error(`${path} defines what it exports`);
      for (const one of node.specifiers) {
        const isType = node.exportKind === 'type' || one.exportKind === 'type';
        names.push(`${isType ? 'type ' : ''}${text.slice(one.exported.start, one.exported.end)}`);
      }
    },
    ExportAllDeclaration: () => {
      throw new Error(`${path} has export *`);
    },
    ExportDefaultDeclaration: () => {
      throw new Error(`${path} has a default export`);
    },
  }).visit(parse(path, text));
  return names.sort();
}
