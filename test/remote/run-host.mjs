/** Tells the stories of test/remote/host-stories.ts to a host: `npm run test:remote -- <url> [--heads]`. */

import { spawnSync } from 'node:child_process';

const [url, ...rest] = process.argv.slice(2).filter(argument => argument !== '--heads');
if (!url || rest.length > 0) {
  console.error(`Usage: npm run test:remote -- <url> [--heads]

Pushes small histories to the repository at <url> as refs/vedit-peers/vedit-test-*, fetches them, and deletes them again.
No other ref is written. --heads also makes branches below refs/heads/vedit/, which may start CI. The repository may be an
empty one. Passwords are those that git has for the address.`);
  process.exit(2);
}
const env = {
  ...process.env,
  VEDIT_REMOTE: url,
  ...(process.argv.includes('--heads') ? { VEDIT_REMOTE_HEADS: 'yes' } : {}),
};
const args = ['vitest', 'run', '--config', 'vitest.long.config.ts', 'test/remote/host.long.ts'];
const { status } = spawnSync('npx', args, { env, stdio: 'inherit' });
process.exit(status ?? 1);
