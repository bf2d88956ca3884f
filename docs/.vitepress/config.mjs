/**
 * The documentation as a site: `npm run docs` writes it to docs/.vitepress/dist, with search. The pages are those of the
 * repository, unchanged; README.md is the first one. The pages of the API are made from the docstrings of the published
 * types. A link that leads nowhere fails the build.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const FORGE = 'https://github.com/versioned-edit/versioned-edit/blob/main/';

/** The groups of pages: the rows of the table at the end of README.md. */
function groups() {
  const table = readFileSync(join(ROOT, 'README.md'), 'utf8').split('## Docs')[1];
  const rows = [...table.matchAll(/^\| ([^|]+) \| (\[.+) \|$/gm)];
  return rows.map(([, who, pages]) => ({
    text: who[0].toUpperCase() + who.slice(1),
    items: [...pages.matchAll(/\[([^\]]+)\]\(([\w/-]+)\.md\)/g)].map(([, text, file]) => ({ text, link: placeOf(file) })),
  }));
}

/** Where a page of the repository is on the site. */
function placeOf(file) {
  return `/${file.replace(/^docs\//, '')}`;
}

/** One page for each entry of the package. */
function entries() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const names = Object.keys(exports).filter(name => name !== './package.json');
  return names.map(name => ({ text: `versioned-edit${name.slice(1)}`, link: `/api/${name.slice(2) || 'index'}` }));
}

/** From a page of the repository, README.md is the start; what is no page of the site is on the forge. */
function placed(markdown) {
  markdown.core.ruler.push('places', ({ tokens }) => {
    const links = tokens.flatMap(token => token.children ?? []).filter(token => token.type === 'link_open');
    for (const link of links) {
      const href = link.attrGet('href');
      const file = href.replace(/^(\.\.\/)+/, '');
      if (file.startsWith('README.md')) link.attrSet('href', file.replace('README.md', '/'));
      else if (/^(docs|dev)\//.test(file)) link.attrSet('href', placeOf(file));
      else if (href !== file || /^(LICENSE|test|src|examples)\b/.test(file)) link.attrSet('href', FORGE + file);
    }
  });
}

/** In a search pages come before members of the API, those for users first. It is written into the site as it stands here. */
function weight(id) {
  return id.includes('/api/') ? 0.1 : id.includes('/dev/') ? 0.4 : 1;
}

export default {
  title: 'versioned-edit',
  description: 'Checked edits for AI agents, each one a commit',
  srcDir: ROOT,
  srcExclude: ['node_modules/**', 'test/**', 'plugins/**', 'examples/**', 'CHANGELOG.md'],
  rewrites: { 'README.md': 'index.md', 'docs/api/:page.md': 'api/:page.md', 'docs/:page.md': ':page.md' },
  outDir: join(import.meta.dirname, 'dist'),
  cacheDir: join(ROOT, 'node_modules/.cache/docs'),
  cleanUrls: true,
  markdown: { config: placed },
  themeConfig: {
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boostDocument: weight } } },
    },
    sidebar: [
      { text: 'versioned-edit', link: '/' },
      ...groups(),
      { text: 'API', collapsed: true, items: entries() },
    ],
    outline: [2, 3],
  },
};
