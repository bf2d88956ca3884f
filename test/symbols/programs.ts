/** Programs made up in several languages, with the place of each symbol: what is found in them can be held against that. */

export type Roll = (below: number) => number;

/** Numbers that look random, and are the same in each run. */
export function dice(seed: number): Roll {
  let state = (seed * 2_654_435_761) >>> 0;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
}

interface Style {
  path: string;
  head: readonly string[];
  /** The lines before and after what stands in a class. */
  open(name: string): string[];
  close: readonly string[];
  doc(words: string): string[];
  method(type: string, name: string, body: readonly string[]): string[];
  statement(n: number, factor: number): string[];
  end: string;
  /** The indentation of a method's body. */
  indent: string;
}

/** By language, how it is written. */
export const STYLES: Readonly<Record<string, Style>> = {
  typescript: {
    path: 'a.ts',
    head: ["import { log } from './log.ts';", ''],
    open: name => [`export class ${name}<T> extends Base {`, '  readonly #limit = 3;'],
    close: ['}'],
    doc: words => ['  /**', `   * ${words}`, '   */'],
    method: (_, name, body) => [`  async ${name}(a: number, b: T[]): Promise<number> {`, ...body, '  }'],
    statement: (n, factor) =>
      n % 4 === 0
        ? [`if (a > ${factor}) {`, `  log(\`\${a} of ${factor}\`);`, '}']
        : [`const x${n} = b.filter(one => one !== null).length * ${factor};`],
    end: 'return a;',
    indent: '    ',
  },
  python: {
    path: 'a.py',
    head: ['import os', ''],
    open: name => [`class ${name}(Base):`, '    """A class."""', '    limit = 3'],
    close: [''],
    doc: words => [`    # ${words}`, '    @traced'],
    method: (_, name, body) => [`    def ${name}(self, a, b=None):`, ...body],
    statement: (n, factor) =>
      n % 4 === 0
        ? [`if a > ${factor}:`, `    print(f"{a} of ${factor}")`]
        : [`x${n} = [one * ${factor} for one in b]`],
    end: 'return a',
    indent: '        ',
  },
  go: {
    path: 'a.go',
    head: ['package shop', '', 'import "fmt"', ''],
    open: name => [`type ${name} struct {`, '\tLimit int', '}', ''],
    close: [''],
    doc: words => [`// ${words}`],
    method: (type, name, body) => [`func (s *${type}) ${name}(a int, b []int) (int, error) {`, ...body, '}'],
    statement: (n, factor) =>
      n % 4 === 0
        ? [`if a > ${factor} {`, `\tfmt.Println("of", a, ${factor})`, '}']
        : [`x${n} := len(b) * ${factor}`, `_ = x${n}`],
    end: 'return a, nil',
    indent: '\t',
  },
  rust: {
    path: 'a.rs',
    head: ['use std::fmt;', ''],
    open: name => [`pub struct ${name}<T> {`, '    limit: Vec<T>,', '}', '', `impl<T> ${name}<T> {`],
    close: ['}'],
    doc: words => [`    /// ${words}`, '    #[inline]'],
    method: (_, name, body) => [
      `    pub fn ${name}(&self, a: i64, b: &[T]) -> Result<i64, fmt::Error> {`,
      ...body,
      '    }',
    ],
    statement: (n, factor) =>
      n % 4 === 0
        ? [`if a > ${factor} {`, `    println!("{} of ${factor}", a);`, '}']
        : [`let x${n} = b.iter().map(|_| ${factor}).sum::<i64>();`],
    end: 'Ok(a)',
    indent: '        ',
  },
  java: {
    path: 'A.java',
    head: ['package shop;', ''],
    open: name => [`class ${name}<T> extends Base {`, '    private final int limit = 3;'],
    close: ['}'],
    doc: words => ['    /**', `     * ${words}`, '     */', '    @Override'],
    method: (_, name, body) => [
      `    public int ${name}(int a, List<T> b) throws IOException {`,
      ...body,
      '    }',
    ],
    statement: (n, factor) =>
      n % 4 === 0
        ? [`if (a > ${factor}) {`, `    log("of " + a + ${factor});`, '}']
        : [`int x${n} = b.stream().mapToInt(one -> ${factor}).sum();`],
    end: 'return a;',
    indent: '        ',
  },
};

/** A method of a program, by its lines: 1-based, inclusive. */
export interface Place {
  type: string;
  name: string;
  doc: number;
  from: number;
  to: number;
  /** True where its class has another one of that name. */
  isTwice: boolean;
}

export interface Program {
  style: Style;
  lines: string[];
  places: Place[];
}

const VERBS =
  'open close parse load save find merge split read write seek trim join sort keep drop scan send pull push'.split(
    ' ',
  );

/** The lines of a method. */
export function methodOf(style: Style, type: string, name: string, roll: Roll): string[] {
  const count = 2 + roll(12);
  const body = Array.from({ length: count }, (_, n) => style.statement(n + 1, 1 + roll(900))).flat();
  return style.method(
    type,
    name,
    [...body, style.end].map(line => style.indent + line),
  );
}

/** Makes a program of about so many lines. */
export function programOf(style: Style, size: number, roll: Roll): Program {
  const lines = [...style.head];
  const places: Place[] = [];
  for (let n = 0; lines.length < size || n < 2; n++) {
    const type = `Type${n}`;
    lines.push(...style.open(type));
    const own: Place[] = [];
    for (let left = 2 + roll(7); left > 0; left--) {
      const name = VERBS[roll(VERBS.length)]!;
      const doc = lines.length + 2;
      const head = roll(3) === 0 ? [] : style.doc(`Does ${name} of ${type}.`);
      lines.push('', ...head);
      const from = lines.length + 1;
      lines.push(...methodOf(style, type, name, roll));
      own.push({ type, name, doc, from, to: lines.length, isTwice: false });
    }
    for (const place of own) place.isTwice = own.filter(({ name }) => name === place.name).length > 1;
    places.push(...own);
    lines.push(...style.close, '');
  }
  return { style, lines, places };
}
