/** Keys of ssh that git signs with. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './person-repo.ts';

/** Makes a key beside the repository. Returns its path. */
export function newKey(repo: Place, name: string): string {
  const path = join(repo.dir, '..', `${name}-${Math.random()}`);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path]);
  return path;
}

/** Lets git sign with a key of Ada's. Returns its path, the file of signers, and the user's config that trusts them. */
export function signAsAda(repo: Place): { key: string; signers: string; userConfig: string } {
  const key = newKey(repo, 'ada');
  const signers = `${key}.signers`;
  writeFileSync(signers, `ada@example.com ${readFileSync(`${key}.pub`, 'utf8')}`);
  for (const [name, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.com'],
    ['gpg.format', 'ssh'],
    ['user.signingkey', key],
  ])
    repo.git('config', name!, value!);
  return { key, signers, userConfig: `[gpg "ssh"]\n\tallowedSignersFile = ${signers}\n` };
}
