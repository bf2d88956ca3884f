/** README.md, docs/ and dev/ are short and true: tables are those of the registries, links lead somewhere; docs-code.test.ts runs their code. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/source.ts';
import { anchors, escaped, type Page, pages, TABLES, tablesIn, withTables } from './docs.ts';

const all = pages();
const page = (name: string): Page => all.find(one => one.name === name)!;

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

describe('README', () => {
  const { text } = page('README.md');

  it('is the page to start with: at most 700 words, and leads to every page', () => {
    expect(words(text)).toBeLessThanOrEqual(700);
    expect(all.map(({ name }) => name).filter(name => !text.includes(`](${name})`))).toEqual(['README.md']);
  });

  it('begins with a sentence and a picture for light and dark, which npm run picture makes', () => {
    const pictures = [...text.slice(0, text.indexOf('\n## ')).matchAll(/(?:src|srcset)="([^"]+)"/g)];
    const files = pictures.map(([, file]) => file!);
    expect(files).toEqual(['dark', 'light'].map(one => `./docs/images/review-1440-${one}.png`));
    expect(files.filter(file => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

describe('the pages', () => {
  it('for users are at most 14, of 22,000 words', () => {
    const ofUsers = all.filter(({ name }) => name.startsWith('docs/'));
    expect(ofUsers.length).toBeLessThanOrEqual(14);
    expect(ofUsers.reduce((sum, { text }) => sum + words(text), 0)).toBeLessThanOrEqual(22_000);
  });

  it('say of every package that was ordered, and of every one that is installed, what it does', () => {
    const ordered = ['isomorphic-git', 'diff', 'zod', 'commander', 'memfs', 'vitest'];
    const installed = Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies);
    const rows = [...page('dev/packages.md').text.matchAll(/^\| (\S+) \|/gm)].map(([, name]) => name);
    expect([...ordered, ...installed].filter(name => !rows.includes(name))).toEqual([]);
  });
});

describe('the site', () => {
  it('groups the pages as README does, and finds them before members of the API', async () => {
    const file = pathToFileURL(join(ROOT, 'docs/.vitepress/config.mjs')).href;
    const { themeConfig } = (await import(file)).default;
    const groups: Array<{ text: string; items?: Array<{ link: string }> }> = themeConfig.sidebar;
    const links = groups
      .filter(({ text }) => text !== 'API')
      .flatMap(({ items = [] }) => items.map(one => one.link));
    const places = all.slice(1).map(({ name }) => `/${name.replace(/^docs\//, '').replace(/\.md$/, '')}`);
    expect(links.sort()).toEqual(places.sort());
    const weight: (id: string) => number = themeConfig.search.options.miniSearch.searchOptions.boostDocument;
    expect(weight('/history#sharing')).toBeGreaterThan(weight('/api/index#sharing'));
  });

  it('is of Markdown: there is no HTML but the picture of README and the marks of tables', () => {
    const html = all.flatMap(({ name, text }) => {
      const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
      return [...prose.matchAll(/<(?!!-- )[^ >\n]+/g)].map(([tag]) => `${name}: ${tag}`);
    });
    const picture = ['picture', 'source', 'img', '/picture'].map(tag => `README.md: <${tag}`);
    expect(html).toEqual(picture);
  });
});

describe('tables', () => {
  const withMarks = all.filter(({ text }) => tablesIn(text).length > 0);

  it.each(withMarks.map(({ name }) => name))(
    'are those of the registries: %s (npx vitest run test/rules/docs.test.ts -u writes them)',
    async name => {
      const { file, text } = page(name);
      await expect(withTables(text)).toMatchFileSnapshot(file);
    },
  );

  it('stand in one place each', () => {
    expect(all.flatMap(({ text }) => tablesIn(text)).sort()).toEqual(Object.keys(TABLES).sort());
  });

  it.each([
    ['## Events\n', 'src/engine/calls/events.ts', /kind: ([^;]+);/g],
    ['## Events of every process\n', 'src/events/trail-event.ts', /TrailEventKind =([^;]+);/g],
  ])('name every event: %s', (heading, file, pattern) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const kinds = [...source.matchAll(pattern)].flatMap(([, words]) => words!.match(/\w+/g)!);
    const { text } = page('docs/library.md');
    const rows = text
      .slice(text.indexOf(heading))
      .split('\n\n')
      .find(part => part.startsWith('|'))!
      .split('\n');
    const named = rows.flatMap(row => row.split('|')[1]!.match(/`(\w+)`/g) ?? []);
    expect(named.map(one => one.slice(1, -1)).sort()).toEqual(kinds.sort());
  });

  it('name every word for what became of an edit', () => {
    const source = readFileSync(join(ROOT, 'src/line/words.ts'), 'utf8');
    const union = source.match(/StatusWord =([^;]+);/)![1]!;
    const rows = page('docs/history.md')
      .text.match(/^\| `[^`]+` \|/gm)!
      .map(row => row.split('`')[1]!);
    const missing = [...union.matchAll(/'([^']+)'/g)].filter(
      ([, word]) => !rows.some(row => row.startsWith(word!)),
    );
    expect(missing).toEqual([]);
  });

  it('hold no measured figure that is not from a run of the bench', () => {
    expect(page('dev/measured.md').text).toMatch(
      /<!-- bench -->\n\n(?:Not measured yet\.|\*Measured .*\*\n\n\|)/,
    );
  });
});

describe('links', () => {
  it.each(all.map(({ name }) => name))('lead to files and headings that are there: %s', name => {
    const { file, text } = page(name);
    const targets = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target]) => target!);
    expect(targets.filter(target => !leadsSomewhere(file, target))).toEqual([]);
  });

  it.each(all.map(({ name }) => name))('are none to tests, which the package lacks: %s', name => {
    const { text } = page(name);
    expect([...text.matchAll(/\]\((\.\.\/)?test\/[^)]*\)/g)].map(([link]) => link)).toEqual([]);
  });
});

describe('files and functions that pages name', () => {
  /** Other pages name files of their readers, such as `src/auth.ts`. */
  const ofTheHouse = (name: string): RegExp =>
    ['dev/how-it-works.md', 'dev/extending.md'].includes(name)
      ? /(?<![\w/.-])(?:src|test|bin)\/[\w./-]*\w\/?/g
      : /(?<=`)(?:src|test|bin)\/[\w./-]+(?=`)/g;

  it.each(all.map(({ name }) => name))('are there: %s', name => {
    const named = [...page(name).text.matchAll(ofTheHouse(name))].map(([path]) => path);
    expect(named.filter(path => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('are 25 at most for the way of an edit, and two files for each of the five tasks', () => {
    const { text } = page('dev/how-it-works.md');
    const rowsOf = (heading: string): string[] =>
      text
        .slice(text.indexOf(`\n${heading}\n`))
        .split('\n\n')
        .find(part => part.startsWith('|'))!
        .split('\n')
        .slice(2);
    expect(rowsOf('## The way of one edit').length).toBeLessThanOrEqual(25);
    const files = rowsOf('## Five tasks').map(row => row.match(/`(?:src|test)\/[\w/.-]+\.ts`/g)?.length);
    expect(files).toEqual([2, 2, 2, 2, 2]);
  });

  it('are in the file that stands beside them', () => {
    const rows = page('dev/how-it-works.md').text.matchAll(/^\|.*\| (`[^|]+`) \| `(src\/[^|`]+)` \|$/gm);
    const missing = [...rows].flatMap(([, functions, path]) => {
      const source = readFileSync(join(ROOT, path!), 'utf8');
      const names = [...functions!.matchAll(/`(\w+)`/g)].map(([, one]) => one!);
      const lacks = names.filter(one => !new RegExp(`\\b${one}\\b`).test(source));
      return names.length > 0 ? lacks.map(one => `${one} in ${path}`) : [`no function for ${path}`];
    });
    const pairs = ['dev/how-it-works.md', 'dev/extending.md'].flatMap(name => [
      ...page(name).text.matchAll(/`(\w+)` (?:in |of |\((?=`src))`((?:src|test)\/[^`<]+\.ts)`/g),
    ]);
    expect(pairs.length).toBeGreaterThan(10);
    const strange = pairs.filter(
      ([, one, path]) => !new RegExp(`\\b${one}\\b`).test(readFileSync(join(ROOT, path!), 'utf8')),
    );
    expect([...missing, ...strange.map(([words]) => words)]).toEqual([]);
  });
});

/** True where a link of a page leads to a file, and, if it has an anchor, to a heading in it. */
function leadsSomewhere(from: string, target: string): boolean {
  const [path, anchor] = target.split('#');
  const file = path ? join(dirname(from), path) : from;
  if (anchor === undefined) return existsSync(file);
  const to = all.find(({ name }) => name === relative(ROOT, file));
  return to !== undefined && anchors(to.text).includes(anchor);
}

describe('features of other tools', () => {
  const rows = page('dev/from-other-tools.md')
    .text.split('\n## ')[0]!
    .split('\n')
    .filter(line => line.startsWith('| '));
  const links = rows
    .slice(2)
    .map(row => / \| ([^|]+) \(`(test\/[^`]+)`\) \|$/.exec(row)?.slice(1) ?? [row, '']);

  it('are rows of a table', () => expect(links.length).toBeGreaterThan(20));

  it.each(links)('are shown by a test that is there: %s', (title, file) => {
    const source = readFileSync(join(ROOT, file!), 'utf8');
    expect(source).toMatch(new RegExp(`\\bit(\\.each\\([\\s\\S]*?\\))?\\(\\s*'${escaped(title!)}'`));
  });
});
