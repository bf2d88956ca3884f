/** Prints what CHANGELOG.md says of this version, for the page of the release. Fails where a file has another version than the tag. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = name => readFileSync(join(import.meta.dirname, '..', name), 'utf8');
const { version } = JSON.parse(read('package.json'));
const tag = process.env.GITHUB_REF_NAME ?? `v${version}`;
const entry = read('CHANGELOG.md')
  .split(/^## /m)
  .find(part => part.split(/[\s,]/)[0] === version);
const others = ['server.json', 'plugins/vedit/plugin.json', 'package-lock.json'].filter(
  name => JSON.parse(read(name)).version !== version,
);
const wrong = [
  tag !== `v${version}` && `the tag is ${tag}, the version of package.json ${version}: tag v${version}`,
  !entry && `CHANGELOG.md has no entry "## ${version}": name what stands under "## Unreleased"`,
  others.length > 0 && `another version stands in ${others.join(', ')}: put ${version} there`,
].filter(Boolean);
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
console.log(entry.slice(entry.indexOf('\n') + 1).trim());
