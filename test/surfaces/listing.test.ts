import { describe, expect, it } from 'vitest';
import { runTool } from '../../src/index.ts';
import { memoryTool, textEditorTool } from '../../src/surfaces/anthropic.ts';
import type { Session } from '../../src/workspace/session.ts';
import { textEditor } from '../helpers/agent-zero.ts';
import { personRepo } from '../helpers/person-repo.ts';

const NAMES = ['lib/añadir', 'lib/a "quoted" name', 'lib/東京.md', 'lib/ leading', "lib/it's"];

async function opened(): Promise<{ session: Session; write(path: string, text: string): void }> {
  const repo = personRepo(Object.fromEntries(NAMES.map(name => [`${name}/f.txt`, '1\n'])));
  return { session: await repo.session(), write: (path, text) => repo.write(path, text) };
}

/** Lists a folder, and views what it named. */
type Lists = (session: Session) => Promise<{ listing: string; view(name: string): Promise<string> }>;

const editor: Lists = async session => {
  const { run } = textEditorTool(session);
  const view = (path: string): Promise<string> => run({ command: 'view', path });
  return { listing: await view('lib'), view };
};

const memory: Lists = async session => {
  const { run } = memoryTool(session, { folder: 'lib' });
  const view = (path: string): Promise<string> => run({ command: 'view', path });
  return { listing: await view('/memories'), view };
};

const tools: Lists = async session => {
  const view = async (path: string): Promise<string> => (await runTool(session, 'view', { path })).message;
  return { listing: await view('lib'), view };
};

const SURFACES: ReadonlyArray<readonly [name: string, lists: Lists]> = [
  ['the tools', tools],
  ["Anthropic's text editor", editor],
  ['the memory tool', memory],
];

describe('the names in a listing can be sent back', () => {
  it.each(SURFACES)('of %s', async (_name, lists) => {
    const { session } = await opened();
    const { listing, view } = await lists(session);
    const files = listing.split('\n').filter(line => line.endsWith('/f.txt'));
    expect(files).toHaveLength(NAMES.length);
    for (const file of files) expect(await view(file)).toContain('1');
  });

  it('and those of folders, with their slash', async () => {
    const { session } = await opened();
    for (const [, lists] of SURFACES.slice(0, 3)) {
      const { listing, view } = await lists(session);
      const folders = listing.split('\n').filter(line => line.endsWith('/'));
      expect(folders).toHaveLength(NAMES.length);
      for (const folder of folders) expect(await view(folder)).toContain(`${folder}f.txt`);
    }
  });

  it('or it is said that none can', async () => {
    const { session, write } = await opened();
    write('odd/a\\b', '1\n');
    const { message } = await runTool(session, 'view', { path: 'odd' });
    expect(message).toMatch(/^"odd\/a\\\\b" \(a name that no call can give\)\n/);
  });

  it('of Agent Zero, which has no listing: a folder is refused with what it holds', async () => {
    const { session } = await opened();
    const { execute } = textEditor(session);
    const { message } = await execute({ action: 'read', path: 'lib' });
    for (const name of NAMES) expect(message).toContain(`${name}/`);
  });
});
