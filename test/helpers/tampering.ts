/** Ways to falsify a trail with the real git. */

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import type { Sandbox } from './real-git.ts';

export const TRAIL = 'refs/vedit/main';

/** The trail's own commits, oldest first. */
export function trailCommits(repo: Sandbox): string[] {
  return repo.git('rev-list', '--first-parent', '--reverse', `main..${TRAIL}`).split('\n');
}

/** Stores the text of a commit object; answers its id. */
export function storeCommit(repo: Sandbox, text: string): string {
  return repo.pipe(text, 'hash-object', '-t', 'commit', '-w', '--stdin').toString().trim();
}

export function commitText(repo: Sandbox, oid: string): string {
  return repo.pipe('', 'cat-file', 'commit', oid).toString();
}

/**
 * Writes the whole trail again: `change` gives the new text of each commit, or `null` to drop it. Commits above stand on
 * what is new below them; with `thorough` every id in their messages is corrected too, as a careful forger would.
 */
export function rewriteTrail(
  repo: Sandbox,
  change: (text: string, index: number) => string | null,
  thorough = false,
): void {
  const fresh = new Map<string, string>();
  let below = repo.git('rev-parse', 'main');
  for (const [index, oid] of trailCommits(repo).entries()) {
    let text = commitText(repo, oid).replace(/^parent .*$/m, `parent ${below}`);
    if (thorough) for (const [old, now] of fresh) text = text.replaceAll(old, now);
    const changed = change(text, index);
    if (changed !== null) below = storeCommit(repo, changed);
    fresh.set(oid, below);
  }
  repo.git('update-ref', TRAIL, below);
}

/** The file of a loose object. */
export function objectPath(repo: Sandbox, oid: string): string {
  return repo.path('.git/objects', oid.slice(0, 2), oid.slice(2));
}

/** Flips one byte in the middle of a loose object. */
export function damageObject(repo: Sandbox, oid: string): void {
  const path = objectPath(repo, oid);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 0xff;
  chmodSync(path, 0o644);
  writeFileSync(path, bytes);
}
