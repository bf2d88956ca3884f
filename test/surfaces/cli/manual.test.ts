import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/surfaces/cli/commands/index.ts';
import { commonOptions } from '../../../src/surfaces/cli/input/options.ts';
import { type ManualPage, manualPages } from '../../../src/surfaces/cli/manual.ts';
import { sandbox } from '../../helpers/real-git.ts';

const pages: ManualPage[] = await manualPages(commands, '1.2.3');
const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

describe('manual pages', () => {
  it('are there for the program, for git vedit, and for every command', () => {
    const names = commands.map(({ name }) => `vedit-${name}.1`);
    expect(pages.map(({ file }) => file)).toEqual(['vedit.1', 'git-vedit.1', ...names]);
  });

  it('are those that the package lists, so that npm installs them', async () => {
    const { default: manifest } = await import('../../../package.json');
    expect(manifest.man).toEqual(pages.map(({ file }) => `./man/${file}`));
  });

  it('say all that --help says', async () => {
    for (const { name, load } of commands) {
      const { options = [], arguments: args = [], examples, details = '' } = await load();
      const text = plain(pages.find(({ file }) => file === `vedit-${name}.1`)!.text);
      const said = [
        ...[...options.filter(one => one[1] !== ''), ...commonOptions].flatMap(([flags, description]) => [
          flags,
          description,
        ]),
        ...args.map(([given]) => given),
        ...args.map(([, description]) => description),
        ...examples.map(([line]) => line),
        details,
      ];
      expect(said.filter(words => !text.includes(words))).toEqual([]);
    }
  });

  it.runIf(has('groff'))('are roff without a warning', () => {
    for (const { file, text } of pages) {
      const { stderr, stdout } = spawnSync('groff', ['-man', '-ww', '-z', '-Tutf8', '-Kutf8'], {
        input: text,
      });
      expect({ file, said: `${stderr}${stdout}` }).toEqual({ file, said: '' });
    }
  });

  it.runIf(has('man') && has('git'))('are what git vedit --help shows', () => {
    const box = sandbox('man');
    mkdirSync(box.path('man1'));
    // Git looks for a program of that name before it asks man.
    writeFileSync(box.path('git-vedit'), '#!/bin/sh\n', { mode: 0o755 });
    for (const { file, text } of pages) writeFileSync(box.path('man1', file), text);
    const env = {
      ...process.env,
      PATH: `${box.dir}:${process.env.PATH}`,
      MANPATH: box.dir,
      MANPAGER: 'cat',
      PAGER: 'cat',
      MANWIDTH: '80',
      LC_ALL: 'C.UTF-8',
    };
    const shown = spawnSync('git', ['vedit', '--help'], { env }).stdout.toString();
    expect(shown.replace(/.\u0008/g, '')).toMatch(/git-vedit - checked edits for AI agents and people/);
  });
});

/** The text without what roff reads as its own. */
function plain(text: string): string {
  const named: Record<string, string> = { cq: '’', aq: "'", ga: '`', ha: '^', ti: '~' };
  return text
    .replaceAll('\n.PP\n', '\n\n')
    .replace(/\\\((\w\w)/g, (_, name: string) => named[name]!)
    .replaceAll('\\-', '-')
    .replaceAll('\\&', '')
    .replaceAll('\\e', '\\');
}
