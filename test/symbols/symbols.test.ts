import { describe, expect, it } from 'vitest';
import { isEditError } from '../../src/errors.ts';
import { findSymbol, outline } from '../../src/symbols/index.ts';
import { newFaults } from '../../src/symbols/new-faults.ts';

/** By path, a text and its outline: `name first-last`, and `^n` where its doc comment or decorators begin before. */
const OUTLINES: ReadonlyArray<readonly [path: string, text: string, outline: string]> = [
  [
    'a.ts',
    '/** doc */\n@dec()\nexport class A<T> {\n  /** d */\n  @x() public m(a: T): void {\n    const f = () => 1;\n    const g = 2;\n  }\n  field = () => 1;\n}\nexport const api = {\n  get() {},\n  post: 1,\n};\nexport default function () {}\nnamespace N.M {\n  export type T = 1;\n}\nexports.foo = function () {};\n',
    'A 3-10 ^1, A.m 5-8 ^4, A.m.f 6-6, A.field 9-9, api 11-14, api.get 12-12, api.post 13-13, default 15-15, N.M 16-18, N.M.T 17-17, exports.foo 19-19',
  ],
  ['a.tsx', 'const App = () => (\n  <div />\n);\n', 'App 1-3'],
  [
    'a.py',
    '#!/usr/bin/python\nX = 1\n@dec\n# c\nclass A(B):\n    """d"""\n    y: int = 3\n    @property\n    def m(self):\n        z = 1\n        def inner(): pass\n\nif X:\n    async def g():\n        pass\n',
    'X 2-2, A 5-11 ^3, A.y 7-7, A.m 9-11 ^8, A.m.inner 11-11, g 14-15',
  ],
  [
    'a.go',
    'package m\n\n// doc\nfunc (s *Server[T]) Run() error {\n\treturn nil\n}\n\ntype S struct {\n\tA, B int\n}\n\nconst (\n\tX = 1\n\tY\n)\n\nvar z = 1\n',
    'Server.Run 4-6 ^3, S 8-10, S.A 9-9, S.B 9-9, X 13-13, Y 14-14, z 17-17',
  ],
  [
    'a.rs',
    '/// doc\n#[derive(Debug)]\npub struct S<T> {\n    a: T,\n}\nimpl<T> S<T> {\n    pub fn new() {}\n}\nimpl fmt::Display for S<u8> {\n    fn fmt(&self) {}\n}\nmod m {\n    const K: u8 = 1;\n}\n',
    'S 3-5 ^1, S.a 4-4, impl S 6-8, S.new 7-7, impl fmt::Display for S 9-11, S.fmt 10-10, m 12-14, m.K 13-13',
  ],
  [
    'A.java',
    '/** d */\n@Ann(1)\npublic class A {\n  @Override\n  public String m() { return ""; }\n  private int x = 2;\n  enum E {\n    P,\n    Q;\n    void f() {}\n  }\n}\n',
    'A 3-12 ^1, A.m 5-5 ^4, A.x 6-6, A.E 7-11, A.E.P 8-8, A.E.Q 9-9, A.E.f 10-10',
  ],
  [
    'A.cs',
    'namespace N;\n[Attr]\npublic class A {\n  [X]\n  public string P { get; set; }\n  private int _x;\n  public A() {}\n  ~A() {}\n}\n',
    'A 3-9 ^2, A.P 5-5 ^4, A._x 6-6, A.A 7-7, A.~A 8-8',
  ],
  [
    'a.cpp',
    'class Later;\nnamespace n {\ntemplate <class T>\nclass A {\n  int m() const;\n};\n}\nint n::A::m() {\n  return 2;\n}\nstatic void *f(int) {}\n#define M(x) x\nint v = 1;\n',
    'n 2-7, n.A 3-6, n.A.m 5-5, n.A.m 8-10, f 11-11, M 12-12, v 13-13',
  ],
  [
    'a.php',
    '<?php\n/** d */\n#[Attr]\nclass A {\n  const X = 1;\n  public $p = 1;\n  public function m() {}\n}\n',
    'A 4-8 ^2, A.X 5-5, A.p 6-6, A.m 7-7',
  ],
  [
    'a.rb',
    'module M\n  # d\n  class A < B\n    X = 1\n    def m(a)\n    end\n    def self.s; end\n  end\nend\n',
    'M 1-9, M.A 3-8 ^2, M.A.X 4-4, M.A.m 5-6, M.A.s 7-7',
  ],
  ['a.sh', '#!/bin/sh\nX=1\nf() {\n  Y=2\n}\n', 'X 2-2, f 3-5'],
  [
    'a.css',
    '.a,\n.b > c {\n  d: e;\n}\n@media (x) {\n  .q { y: z }\n}\n',
    '.a, .b > c 1-4, @media (x) 5-7, @media (x)..q 6-6',
  ],
  [
    'a.md',
    '---\ntitle: x\n---\n# Guide\n\ntext\n\n## Install it\n\n```sh\n# no heading\n```\n\nUse\n---\n\n# More\n',
    'Guide 4-15, Guide.Install it 8-12, Guide.Use 14-15, More 17-17',
  ],
  [
    'a.json',
    '{\n  // c\n  "scripts": {\n    "build": "x",\n    "a.b": 1\n  },\n  "list": [\n    { "n": 1 },\n    2\n  ]\n}\n',
    'scripts 3-6 ^2, scripts.build 4-4, scripts.a.b 5-5, list 7-10, list.0 8-8, list.0.n 8-8',
  ],
  [
    'a.yml',
    'name: x # c\njobs:\n  # about it\n  build:\n    steps:\n      - run: |\n          a\n          b\n\n      - uses: q\n  test: {a: 1}\nempty:\n',
    'name 1-1, jobs 2-11, jobs.build 4-10 ^3, jobs.build.steps 5-10, jobs.build.steps.0 6-8, jobs.build.steps.0.run 6-8, jobs.build.steps.1 10-10, jobs.build.steps.1.uses 10-10, jobs.test 11-11, jobs.test.a 11-11, empty 12-12',
  ],
  [
    'a.toml',
    '# c\ntitle = "x"\n\n[a.b]\nc = 1 # k\nd.e = """\nx\n"""\n[[bin]]\nname = "p"\n[[bin]]\nname = "r"\n',
    'title 2-2 ^1, a.b 4-8, a.b.c 5-5, a.b.d.e 6-8, bin.0 9-10, bin.0.name 10-10, bin.1 11-12, bin.1.name 12-12',
  ],
];

async function words(path: string, text: string): Promise<string> {
  const found = await outline(path, text);
  return found
    .map(({ name, start_line, end_line, doc_line }) => {
      const doc = doc_line < start_line ? ` ^${doc_line}` : '';
      return `${name} ${start_line}-${end_line}${doc}`;
    })
    .join(', ');
}

describe('outline', () => {
  it.each(OUTLINES)('of %s', async (path, text, expected) => {
    expect(await words(path, text)).toBe(expected);
    expect(await words(path, text.replaceAll('\n', '\r\n'))).toBe(expected);
  });
});

const CODE =
  'class A {\n  m() {}\n  get x() { return 1; }\n  set x(v) {}\n}\nfunction m() {}\nfunction n() {} const k = 1;\nfunction broken() {\n  (;\n}\n';

async function linesFor(path: string, text: string, name: string): Promise<string> {
  const { start_line, end_line } = await findSymbol(path, text, name);
  return `${start_line}-${end_line}`;
}

async function refusal(path: string, text: string, name: string): Promise<string> {
  const error = await findSymbol(path, text, name).then(
    () => null,
    caught => caught,
  );
  expect(isEditError(error)).toBe(true);
  return `${error.code}: ${error.message}`;
}

describe('findSymbol', () => {
  it.each([
    ['A.m', '2-2'],
    ['A::m', '2-2'],
    ['A#m', '2-2'],
    ['A.m()', '2-2'],
    ['m', '6-6'],
    ['A.x#2', '4-4'],
    ['x#1', '3-3'],
  ])('finds %s', async (name, lines) => {
    expect(await linesFor('a.js', CODE, name)).toBe(lines);
  });

  it('finds headings and keys as people write them', async () => {
    const [md, json, yaml] = ['a.md', 'a.json', 'a.yml'].map(
      path => OUTLINES.find(([one]) => one === path)![1],
    );
    expect(await linesFor('a.md', md!, '#Guide')).toBe('4-15');
    expect(await linesFor('a.md', md!, '## Install it')).toBe('8-12');
    expect(await linesFor('a.json', json!, 'scripts.a.b')).toBe('5-5');
    expect(await linesFor('a.yml', yaml!, 'jobs.build.steps[1]')).toBe('10-10');
  });

  it('refuses what is not unique, not there, or not sure', async () => {
    expect(await refusal('a.js', CODE, 'x')).toBe(
      'AMBIGUOUS: `x` names 2 symbols of a.js. Nothing was done. Send one of these as symbol: `x#1` (method, line 3), `x#2` (method, line 4).',
    );
    expect(await refusal('a.js', CODE, 'A.n')).toMatch(
      /^NO_MATCH: a.js has no symbol `A.n`. Nothing was done. Did you mean `n`\? view with outline true/,
    );
    expect(await refusal('a.js', CODE, 'n')).toMatch(
      /^INVALID_INPUT: `n` \(line 7 of a.js\) shares its lines with other text\./,
    );
    expect(await refusal('a.js', CODE, 'broken')).toMatch(
      /^INVALID_INPUT: `broken` .* cannot be parsed, so where it ends is not sure/,
    );
    expect(await refusal('a.json', '{"a": ', 'a')).toMatch(
      /^INVALID_INPUT: a.json cannot be parsed, so its keys are not known: line 1:/,
    );
    expect(await refusal('a.txt', 'x', 'x')).toMatch(
      /^INVALID_INPUT: The symbols of a.txt are not known: files that end with .js/,
    );
  });

  it('is bounded for hostile texts', async () => {
    const deep = '['.repeat(200_000);
    for (const path of ['a.json', 'a.yml', 'a.toml', 'a.ts', 'a.py', 'a.md', 'a.cpp'])
      expect(await refusal(path, deep, 'x')).toMatch(/^(TOO_LARGE|INVALID_INPUT|NO_MATCH): /);
    for (const text of ['a'.repeat(1_000_000), 'const a = 1; '.repeat(80_000)])
      expect(await refusal('a.ts', text, 'x')).toMatch(/^TOO_LARGE: a.ts has 10/);
    expect(
      await linesFor(
        'a.ts',
        'const a = "\0";\n\0\nfunction f() {}\n\nlet b = "\ud800";\nfunction g() {}\n',
        'g',
      ),
    ).toBe('6-6');
    expect(await outline('a.ts', '')).toEqual([]);
    expect(await outline('a.yml', '')).toEqual([]);
  });
});

describe('newFaults', () => {
  it.each([
    ['a.ts', null, 'const a = 1;\n', []],
    ['a.ts', null, 'f(;\n', ['line 1: `)` is missing: `f(;`']],
    ['a.ts', 'f(;\n', 'g();\n\nf(;\n', []],
    ['a.ts', 'f(;\ng();\n', 'f();\ng(;\n', ['line 2: `)` is missing: `g(;`']],
    ['a.ts', null, '(;'.repeat(300_000), []],
    ['a.json', null, '{ "a": 1, }\n', []],
    ['a.json', null, '{ "a" 1 }\n', ['line 1: ColonExpected: `{ "a" 1 }`']],
    ['a.yml', null, 'a: [1\nb: 2\n', ['line 2: bad indent: `b: 2`']],
    ['a.yml', null, 'a: {{ b }}: [\n', []],
    ['a.toml', null, 'a = \n', ['line 1: Unspecified values are invalid: `a =`']],
    ['a.txt', null, '({\n', []],
  ])('of %s, %j to %j', async (path, before, after, words) => {
    expect((await newFaults(path, before, after)).slice(0, 1)).toEqual(words);
  });
});
