/**
 * The documentation as a site: `npm run docs` writes it to docs/.vitepress/dist, with search. The pages are those of the
 * repository, unchanged; README.md is the first one. The pages of the API are made from the docstrings of the published
 * types. A link that leads nowhere fails the build.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const FORGE = 'https://github.com/versioned-edit/versioned-edit/blob/main/';

/** The table at the end of README.md, which names each page with its question. */
function pages() {
  const table = readFileSync(join(ROOT, 'README.md'), 'utf8').split('## Docs')[1];
  return [...table.matchAll(/\[([^\]]+)\]\(docs\/([\w-]+)\.md\)/g)].map(([, text, link]) => ({ text, link: `/${link}` }));
}

/** One page for each entry of the package. */
function entries() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const names = Object.keys(exports).filter(name => name !== './package.json');
  return names.map(name => ({ text: `versioned-edit${name.slice(1)}`, link: `/api/${name.slice(2) || 'index'}` }));
}

/** From docs/, README.md is beside, and what is no page of the docs is on the forge. */
function placed(markdown) {
  markdown.core.ruler.push('places', ({ tokens }) => {
    const links = tokens.flatMap(token => token.children ?? []).filter(token => token.type === 'link_open');
    for (const link of links) {
      const href = link.attrGet('href');
      if (/^(\.\.\/)?README\.md/.test(href)) link.attrSet('href', href.replace(/^(\.\.\/)?README\.md/, '/'));
      else if (href.startsWith('docs/')) link.attrSet('href', href.replace('docs/', './'));
      else if (/^(\.\.\/)|^(LICENSE|test|src|examples)\b/.test(href)) link.attrSet('href', FORGE + href.replace('../', ''));
    }
  });
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
  // Pages say things like <commit>; none has HTML of its own.
  markdown: { config: placed, html: false },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      { text: 'Docs', items: [{ text: 'versioned-edit', link: '/' }, ...pages()] },
      { text: 'API', items: entries() },
    ],
    outline: [2, 3],
  },
};
