/** The package as npm publishes it: what is in it, how fast it is imported, what an editor and a reader find in it. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { published } from '../helpers/published.ts';
import { ROOT } from '../helpers/source.ts';

const { folder, remove } = published();
afterAll(remove);

const home = join(folder, 'node_modules/versioned-edit');
const paths = readdirSync(home, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => relative(home, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
/** Unpacked. */
const MOST_BYTES = 3_300_000;

const read = (path: string): string => readFileSync(join(home, path), 'utf8');

describe('the tarball', () => {
  it('holds the built files and their types, and nothing of one machine', () => {
    const folders = new Set(paths.map(path => path.split('/').slice(0, 2).join('/')));
    expect([...folders].filter(one => !/^(docs|bin|dist|plugins)\//.test(one)).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    const scripts = paths.filter(path => path.startsWith('dist/') && /\.(js|cjs)$/.test(path));
    expect(scripts.filter(path => !/^dist\/(lib|cli)\//.test(path))).toEqual([]);
    expect(paths.filter(path => path.startsWith('dist/cli/')).sort()).toEqual([
      'dist/cli/main.cjs',
      'dist/cli/mcp.cjs',
    ]);
    expect(scripts.filter(path => read(path).includes(ROOT))).toEqual([]);
  });

  it('is small: 400 files, 3.3 MB', () => {
    expect(paths.length).toBeLessThanOrEqual(400);
    const bytes = paths.reduce((sum, path) => sum + statSync(join(home, path)).size, 0);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('needs nothing but Node, its dependencies, and a peer for an entry of its own', async () => {
    const given = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
    const { metafile } = await build({
      entryPoints: paths.filter(path => /^dist\/lib\/[^/]+\.js$/.test(path)).map(path => join(home, path)),
      outdir: join(folder, 'out'),
      bundle: true,
      format: 'esm',
      packages: 'external',
      write: false,
      metafile: true,
    });
    const imports = Object.values(metafile.inputs).flatMap(one => one.imports);
    const named = new Set(imports.filter(one => one.external).map(one => one.path));
    expect([...named]).toContain('zod');
    const packages = [...named].filter(id => !id.startsWith('node:'));
    expect(packages.filter(id => !given.some(name => id === name || id.startsWith(`${name}/`)))).toEqual([]);
  });

  it('names the licence of each package that was bundled', () => {
    for (const name of ['isomorphic-git', 'commander', 'zod', '@modelcontextprotocol/server'])
      expect(read('dist/licenses.txt')).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  it('runs nothing when it is installed', () => {
    // npm warns of a `prepare` too, where the tarball itself is installed.
    const { preinstall, install, postinstall, prepare } = manifest.scripts;
    expect([preinstall, install, postinstall, prepare]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('names its repository, and what was tested beside it', () => {
    expect(manifest.repository.url).toMatch(/^git\+https:/);
    const tested: Record<string, string> = manifest.devDependencies;
    for (const [name, range] of Object.entries<string>(manifest.peerDependencies)) {
      expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
      expect(range.replace('^', '')).toBe(tested[name]!.replace('^', ''));
    }
  });

  it.each(['README.md', ...paths.filter(path => path.startsWith('docs/') && path.endsWith('.md'))])(
    'has what %s links to',
    page => {
      const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, link]) =>
        normalize(join(dirname(page), link!)),
      );
      // Pictures are shown by the forge and by the registry's page of the package, from the repository; and what is in dev/
      // is for those who work on the project, where the README leads to it.
      const held = links.filter(
        link => !link.startsWith('docs/images/') && !(page === 'README.md' && link.startsWith('dev/')),
      );
      expect(held.filter(link => !existsSync(join(home, link)))).toEqual([]);
    },
  );
});

describe('types', () => {
  it('are one file for each entry, and what several share', () => {
    const declared = paths.filter(path => path.endsWith('.d.ts'));
    for (const name of Object.keys(manifest.exports).filter(name => name !== './package.json'))
      expect(declared).toContain(manifest.exports[name].types.slice(2));
    expect(declared.length).toBeLessThan(25);
    expect(paths.filter(path => path.endsWith('.map'))).toEqual([]);
  });

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('of every entry fit a strict program (module %s, resolution %s)', (module, moduleResolution) => {
    const names = Object.keys(manifest.exports).filter(name => name !== './package.json');
    const text = names.map((name, n) => `import * as e${n} from 'versioned-edit${name.slice(1)}'; e${n};\n`);
    writeFileSync(
      join(folder, 'all.ts'),
      `${text.join('')}await using w = await e0.openWorkspace({ root: '/' });\n`,
    );
    const options = { target: 'es2022', module, moduleResolution, strict: true, noEmit: true };
    const compilerOptions = {
      ...options,
      lib: ['es2023', 'dom'],
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['all.ts'] }));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect(stdout.split('\n').filter(line => line.includes('versioned-edit'))).toEqual([]);
    expect(stdout.split('\n').filter(line => line.startsWith('all.ts'))).toEqual([]);
  });
});

/** The files of the package that a program loads, as V8 counts them. */
function loadedBy(text: string): string[] {
  const coverage = join(folder, `coverage-${Math.random().toString(16).slice(2)}`);
  mkdirSync(coverage);
  writeFileSync(join(folder, 'program.mjs'), text);
  execFileSync(process.execPath, [join(folder, 'program.mjs')], {
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const written = readdirSync(coverage).map(name => readFileSync(join(coverage, name), 'utf8'));
  rmSync(coverage, { recursive: true });
  const urls = written.flatMap(json =>
    (JSON.parse(json).result as Array<{ url: string }>).map(one => one.url),
  );
  return urls.filter(url => url.includes('/versioned-edit/')).map(url => url.split('/versioned-edit/')[1]!);
}

describe('what a program loads', () => {
  it('is a handful of files for the library, and one or few more for each adapter', () => {
    expect(loadedBy("import 'versioned-edit';").length).toBeLessThanOrEqual(5);
    for (const name of ['ai', 'anthropic', 'openai', 'langchain', 'testing'])
      expect(
        loadedBy(`import 'versioned-edit'; import 'versioned-edit/${name}';`).length,
      ).toBeLessThanOrEqual(8);
  });

  it('is the same engine for every entry: there is one EditError, and one list of tools', () => {
    const program = `
      import { EditError, initRepository, memoryFs, openWorkspace } from 'versioned-edit';
      import { aiTools } from 'versioned-edit/ai';
      const fs = memoryFs();
      await initRepository({ root: '/w', fs });
      const workspace = await openWorkspace({ root: '/w', fs });
      const session = workspace.session();
      await aiTools(session).create.execute({ path: 'a.txt', file_text: 'one' });
      const error = await session.edit('delete', { path: 'none' }).catch(one => one);
      if (!(error instanceof EditError) || (await session.log()).data.entries.length !== 1) process.exit(1);
      try { aiTools(session, { tols: 1 }); process.exit(2); } catch (wrong) { if (!(wrong instanceof EditError)) process.exit(3); }
      if (!(await workspace.verify()).data.sound) process.exit(4);
    `;
    expect(loadedBy(program)).toContain('dist/lib/ai.js');
  });
});
