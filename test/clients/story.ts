/** One story: a person's repository, a client that does what a script says, and who wrote which line by the trail. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Sandbox, sandbox } from '../helpers/real-git.ts';
import { BIN, content } from '../helpers/vedit.ts';
import { type Mode, type RealClient, run } from './clients.ts';
import { type Act, type Request, startModel } from './model.ts';

export interface Told {
  box: Sandbox;
  /** Each line that names who it is by (`... by agent`, `... by person`), with who wrote it by blame. */
  lines: Readonly<Record<string, string>>;
  requests: readonly Request[];
  said: string;
}

/** Ada's repository, with a home beside it and vedit on the path. */
export function madeRepo(clients: readonly RealClient[]): Sandbox {
  const box = sandbox('client');
  mkdirSync(box.path('../home'), { recursive: true });
  mkdirSync(box.path('../bin'));
  for (const name of ['vedit.js', 'vedit-hook', 'vedit-rights'])
    symlinkSync(join(dirname(BIN), name), box.path('../bin', name.replace('.js', '')));
  sh(box, 'git init -q -b main && git config user.name Ada && git config user.email ada@example.com');
  for (const name of ['a', 'b', 'c', 'd']) box.write(`${name}.txt`, lines(name));
  for (const { name } of clients) sh(box, `vedit install ${name} --yes`);
  sh(box, 'git add -A && git commit -qm first');
  return box;
}

const lines = (name: string): string => Array.from({ length: 20 }, (_, n) => `${name} ${n + 1}\n`).join('');

/** A shell command as the person runs it; what it printed. */
export function sh(box: Sandbox, command: string): string {
  const { TMPDIR } = process.env;
  const env = { HOME: box.path('../home'), TMPDIR, PATH: `${box.path('../bin')}:${process.env.PATH}` };
  return execFileSync('sh', ['-c', command], { cwd: box.dir, env, encoding: 'utf8', stdio: 'pipe' });
}

/** One session of the client in this repository. */
export async function session(
  box: Sandbox,
  client: RealClient,
  turns: ReadonlyArray<readonly Act[]>,
  mode: Mode = 'all',
  path: string = box.path('../bin'),
): Promise<{ requests: readonly Request[]; said: string }> {
  const model = await startModel(turns);
  try {
    const place = { repo: box.dir, home: box.path('../home'), url: model.url };
    return { said: await run(client, place, mode, path), requests: model.requests };
  } finally {
    model.close();
  }
}

/** What blame says of the lines that say who they are by. Whatever was left to be recorded is recorded now. */
export function blamed(box: Sandbox): Record<string, string> {
  sh(box, 'vedit replace c.txt "c 20" "c twenty"');
  const files = sh(box, 'git ls-files -co --exclude-standard').split('\n');
  const found: Record<string, string> = {};
  for (const file of files.filter(name => /\.(txt|md)$/.test(name))) {
    const { message } = JSON.parse(sh(box, `vedit blame --json ${file} || :`).trim());
    // Nobody recorded a file of which there is no blame.
    for (const text of content(box, file)
      .split('\n')
      .filter(line => / by (agent|person)$/.test(line)))
      found[text] = 'outside';
    for (const [, who, text] of message.matchAll(
      /^\w+ \((.*?) \d{4}-\S+ [^)]*\) +\d+\t(.* by (?:agent|person))$/gm,
    ))
      found[text] = who;
  }
  return found;
}
