/** A step of the build: writes the manual pages (man/*.1), so that `git vedit --help` and `man vedit-log` show them. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { commands } from './dist/surfaces/cli/commands/index.js';
import { manualPages } from './dist/surfaces/cli/manual.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
rmSync('man', { recursive: true, force: true });
mkdirSync('man');
for (const { file, text } of await manualPages(commands, version)) writeFileSync(`man/${file}`, text);
