/**
 * Every kind of entry that git can hold, between two hosts and a person with plain git, whoever comes first: what each side
 * holds afterwards is what git's own merge makes of it, byte for byte of names and modes.
 */

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { cloneOf, edit, using } from '../helpers/clones.ts';
import { bareServer } from '../helpers/git-servers.ts';
import type { Place } from '../helpers/person-repo.ts';
import type { Sandbox } from '../helpers/real-git.ts';
import { faultsOf, hostsOf, LINES, sync, tip } from './hosts.ts';

/** In the person's folder, in bash. */
function bash(box: Sandbox, script: string): string {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('bash', ['-ec', script], { cwd: box.dir, env, encoding: 'latin1' });
}

/** Something of every kind, for the person to begin with. */
const START = String.raw`
printf 'text\n' > text.txt; printf '#!/bin/sh\n' > run.sh; chmod +x run.sh; printf '\0\1\2' > b.bin; : > empty
ln -s text.txt link; ln -s /nowhere/at/all dangling; ln -s $'t\xe9' odd-target; mkdir -p d/e; ln -s ../text.txt d/link; echo f > d/e/f
echo latin > $'caf\xe9.txt'; mkdir $'d\xff'; echo below > $'d\xff/x'; echo control > $'a\nb\t.txt'; echo 'back' > 'back\slash'; echo quote > '"q"'
echo blank > ' blank '; echo lfs > x.lfs; printf '*.lfs filter=lfs\n*.crlf text eol=crlf\n' > .gitattributes; printf 'one\r\n' > t.crlf
echo 'ignored' > .gitignore; echo kept > ignored; echo bidi > $'\u202egnp.txt'
git add -A; git add -f ignored; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub; mkdir -p sub; mkdir -p deep/folder; echo deep > deep/folder/file; git add deep
printf '[submodule "sub"]\n\tpath = sub\n\turl = ../server.git\n' > .gitmodules; git add .gitmodules`;

/** What the person does next, each by itself. */
const KINDS: Readonly<Record<string, string>> = {
  'adds a link': 'ln -s text.txt new-link; git add new-link',
  'adds a link that leads out': 'ln -s /etc/passwd out; ln -s ../../.. up; git add out up',
  'changes a link': 'ln -sf run.sh link; git add link',
  'deletes a link': 'git rm -q link dangling',
  'turns a link into a file': "rm link; echo 'a file' > link; git add link",
  'turns a link into a folder': 'rm link; mkdir link; echo f > link/f; ln -s f link/g; git add -A link',
  'turns a file into a link': 'rm text.txt; ln -s b.bin text.txt; git add text.txt',
  'turns a folder into a link': 'rm -r d; ln -s deep d; git add -A',
  'turns a folder into a file': 'rm -r d; echo file > d; git add -A',
  'turns a file into a folder': 'rm text.txt; mkdir text.txt; echo x > text.txt/x; git add -A text.txt',
  'moves a link and a folder of them': 'git mv link renamed; git mv d moved',
  'changes where an odd link leads': String.raw`rm odd-target; ln -s $'\xff\xfe/\xe9' odd-target; git add odd-target`,
  'adds a submodule': 'git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),new/sub',
  'moves a submodule on': 'git update-index --cacheinfo 160000,$(git rev-parse HEAD),sub',
  'removes a submodule': 'git rm -q --cached sub; rmdir sub; git rm -q .gitmodules',
  'turns a submodule into a file': 'git rm -q --cached sub; rmdir sub; echo s > sub; git add sub',
  'turns a submodule into a folder': 'git rm -q --cached sub; echo s > sub/s; git add sub',
  'turns a file into a submodule':
    'git rm -q text.txt; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),text.txt',
  'turns a link into a submodule':
    'git rm -q link; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),link',
  'adds names that are no UTF-8': String.raw`echo n > $'\xff'; mkdir -p $'\xc3/\xed\xa0\x80'; echo m > $'\xc3/\xed\xa0\x80/\xe9'; git add -A`,
  'changes a name that is no UTF-8': String.raw`echo more >> $'caf\xe9.txt'; chmod +x $'d\xff/x'; git add -A`,
  'deletes a name that is no UTF-8': String.raw`git rm -q $'caf\xe9.txt' $'d\xff/x'`,
  'moves a name that is no UTF-8': String.raw`git mv $'caf\xe9.txt' $'th\xe9.txt'`,
  'adds control characters in names': String.raw`echo n > $'\x01\x7f\r'; mkdir $'x\ny'; echo m > $'x\ny/z'; git add -A`,
  'changes control characters in names': String.raw`echo more >> $'a\nb\t.txt'; echo m >> 'back\slash'; echo m >> '"q"'; echo m >> ' blank '; git add -A`,
  'deletes control characters in names': String.raw`git rm -q $'a\nb\t.txt' 'back\slash' '"q"' ' blank '`,
  'changes a name with a control of direction': String.raw`echo more >> $'\u202egnp.txt'; git add -A`,
  'changes a filtered file': 'echo more >> x.lfs; cp x.lfs y.lfs; git add -A',
  'deletes a filtered file': 'git rm -q x.lfs',
  'filters a file that was there':
    "echo 'b.bin filter=lfs' >> .gitattributes; echo more >> b.bin; git add -A",
  'filters no more': "echo '*.crlf text eol=crlf' > .gitattributes; echo more >> x.lfs; git add -A",
  'changes line ends': String.raw`printf 'two\r\n' >> t.crlf; printf 'new\r\n' > u.crlf; git add -A`,
  'changes what git ignores':
    'echo more >> ignored; mkdir -p sub2; echo n > sub2/ignored; git add -f ignored sub2/ignored',
  'ignores a file that was there': "echo 'text.txt' >> .gitignore; echo more >> text.txt; git add -A",
  'flips execute bits': 'chmod -x run.sh; chmod +x text.txt; git add -A',
  'changes what is no text': String.raw`printf '\0\3' > b.bin; printf '\xff' > c.bin; : > empty2; rm empty; git add -A`,
  'deletes nearly everything':
    'git ls-files -z | grep -zv list.txt | xargs -0 git rm -q -r --cached; git clean -qfdx',
  'adds a deep and a long path':
    "p=$(printf 'd/%.0s' {1..120}); mkdir -p $p; echo x > $p/f; n=$(printf 'n%.0s' {1..255}); echo y > $n; git add -A",
  'adds names that differ in case': 'echo 1 > Case; echo 2 > case; echo 3 > CASE; git add -A',
};

interface World {
  server: Sandbox;
  /** With files, and without. */
  one: Place;
  two: Place;
  person: Place;
}

/** All of them have START, and a text that agents edit. */
async function world(): Promise<World> {
  const server = bareServer();
  const [one] = await hostsOf(server, ['one'], { bare: false });
  await using(one!, at =>
    at.session({ agent: 'maker' }).edit('create', { path: 'list.txt', file_text: LINES }),
  );
  await sync(one!);
  const person = cloneOf(server, 'person');
  bash(person, `${START}\ngit commit -qm start\ngit push -q origin main`);
  await sync(one!);
  const [two] = await hostsOf(server, ['two']);
  await sync(two!);
  return { server, one: one!, two: two!, person };
}

const entries = (box: Sandbox, ref = 'main'): string =>
  box.pipe('', 'ls-tree', '-rz', ref).toString('latin1');

/** Kinds, modes, names, contents, and where links lead. */
const filesIn = (box: Sandbox): string[] =>
  bash(
    box,
    String.raw`find . -mindepth 1 -path ./.git -prune -o \( -type l -printf '%P -> %l\0' -o -type d -printf '%P/\0' -o -printf '%P %m\0' \); find . -path ./.git -prune -o -type f -exec sha1sum -z {} +`,
  )
    .split('\0')
    .sort();

/** What git's own merge makes of the two sides. */
function mergedByGit(person: Place, ours: string, theirs: string): string {
  const [tree] = person.git('merge-tree', '--write-tree', ours, theirs).split('\n');
  return entries(person, tree!);
}

/** Each side holds the same, which a fresh checkout of git's holds as well. */
async function expectAll({ server, one, two }: World, wanted: string): Promise<void> {
  expect(entries(server)).toBe(wanted);
  for (const host of [one, two]) {
    expect(tip(host)).toBe(tip(server));
    expect(await faultsOf(host)).toEqual([]);
    expect(host.git('fsck', '--strict')).not.toMatch(/error|missing/);
  }
  const fresh = cloneOf(server, 'fresh');
  expect(filesIn(one)).toEqual(filesIn(fresh));
  expect(one.git('status', '--porcelain')).toBe('');
  expect(one.git('ls-files', '-s')).toBe(fresh.git('ls-files', '-s'));
}

describe.each(Object.entries(KINDS))('a person %s', (_, script) => {
  const commit = `${script}\ngit commit -qm kind`;

  it('and hosts that have edits of their own merge it', async () => {
    const all = await world();
    const { one, two, person } = all;
    bash(person, `${commit}\ngit push -q origin main`);
    await edit(one, 'list.txt', 'line 2\n', 'two\n');
    await edit(two, 'list.txt', 'line 9\n', 'nine\n');
    person.git('fetch', '-q', one.dir, 'main:one');
    const wanted = mergedByGit(person, 'one', 'main');
    await sync(one);
    expect(entries(all.server)).toBe(wanted);
    person.git('pull', '-q', '--no-rebase', '--no-edit');
    person.git('fetch', '-q', two.dir, 'main:two');
    const both = mergedByGit(person, 'two', 'main');
    await sync(two);
    await sync(one);
    await expectAll(all, both);
  });

  it('and merges it into what hosts pushed before', async () => {
    const all = await world();
    const { one, two, person, server } = all;
    await edit(one, 'list.txt', 'line 2\n', 'two\n');
    await sync(one);
    bash(person, commit);
    person.git('fetch', '-q', 'origin');
    const wanted = mergedByGit(person, 'main', 'origin/main');
    person.git('pull', '-q', '--no-rebase', '--no-edit');
    person.git('push', '-q', 'origin', 'main');
    expect(entries(server)).toBe(wanted);
    await sync(one);
    await sync(two);
    await expectAll(all, wanted);
  });
});
