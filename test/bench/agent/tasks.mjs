/**
 * Forty tasks: eight things that happen when models edit, in five files. A task has the file as the model saw it, what became of
 * it meanwhile, the replacement that the model sends, and the file that would be right. Data, and pure.
 */

const FILES = {
  'cart.ts': text('total', '  '),
  'cart.go': text('price', '\t'),
  'cart.py': text('rate', '    '),
  'list.md': text('milk', ''),
  'main.c': text('count', '\t'),
};

/** Lines in which every third is like another one. */
function text(word, indent) {
  const lines = Array.from({ length: 120 }, (_, n) =>
    n % 3 === 0
      ? `${indent}return ${word};`
      : n % 3 === 1
        ? `${indent}let ${word}_${n} = ${n};`
        : `// part ${n}`,
  );
  return `${lines.join('\n')}\n`;
}

const lineOf = (seen, n) => seen.split('\n')[n];

/** By kind: of the seen text, what the model sends and the world does. */
const KINDS = {
  'as it stands': seen => ({ old: lineOf(seen, 4), now: `${lineOf(seen, 4)} // new` }),
  'found twice': seen => {
    const old = lineOf(seen, 60);
    const right = `${lineOf(seen, 59)}\n${old} // new\n${lineOf(seen, 61)}`;
    return { old, now: `${old} // new`, meant: [`${lineOf(seen, 59)}\n${old}\n${lineOf(seen, 61)}`, right] };
  },
  'other blanks': seen => {
    const [old, next] = [lineOf(seen, 4), lineOf(seen, 5)];
    const meant = [`${old}\n${next}`, `${old} // new\n${next}`];
    return { old: `        ${old.trim()}\n${next}`, now: `        ${old.trim()} // new\n${next}`, meant };
  },
  'a word is wrong': seen => {
    const old = `${lineOf(seen, 4)}\n${lineOf(seen, 5)}`;
    const meant = [old, `${lineOf(seen, 4)}\n// new`];
    return { old: old.replace('part', 'parts'), now: `${lineOf(seen, 4)}\n// new`, meant };
  },
  'changed meanwhile': seen => {
    const old = lineOf(seen, 7);
    const changed = old.replace(/= 7/, '= 70');
    return { old, now: `${old} // new`, world: [old, changed], meant: [changed, `${changed} // new`] };
  },
  'made already, by another agent': seen => {
    const [old, now] = [lineOf(seen, 7), '// seven is gone'];
    return { old, now, world: [old, now], meant: null };
  },
  'line ends of Windows': seen => ({
    ...{ seen: seen.replaceAll('\n', '\r\n'), old: `${lineOf(seen, 4)}\n${lineOf(seen, 5)}` },
    now: `${lineOf(seen, 4)}\n// new`,
    meant: [`${lineOf(seen, 4)}\r\n${lineOf(seen, 5)}`, `${lineOf(seen, 4)}\r\n// new`],
  }),
  'dollar signs': seen => ({ old: lineOf(seen, 4), now: `${lineOf(seen, 4)} // costs $& or $1` }),
};

const put = (whole, [old, now]) => whole.split(old).join(now);

export const TASKS = Object.entries(KINDS).flatMap(([kind, make]) =>
  Object.entries(FILES).map(([path, plain]) => {
    const { seen = plain, old, now, world, meant = [old, now] } = make(plain);
    const present = world ? put(seen, world) : seen;
    // `null`: there is nothing left to do.
    return { kind, path, seen, present, old, now, meant, right: meant ? put(present, meant) : present };
  }),
);
