/** Agents that speak the Agent Client Protocol, behind `vedit acp`, without any settings of vedit: who wrote what by the trail. */

import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { withEditor } from '../helpers/acp-editor.ts';
import { CLIENTS, installed, prepared, type RealClient } from './clients.ts';
import { type Act, startModel } from './model.ts';
import { blamed, madeRepo, sh } from './story.ts';

const named = (name: string): RealClient => CLIENTS.find(one => one.name === name)!;

/** For an editor that writes files and runs commands, the adapter has tools of its own that ask it to. */
const adapter: RealClient = {
  ...named('claude-code'),
  ...{ package: '@zed-industries/claude-code-acp@0.16', program: 'claude-code-acp' },
  read: file_path => ({ tool: 'mcp__acp__Read', input: { file_path } }),
  edit: (file_path, old_string, new_string) => ({
    tool: 'mcp__acp__Edit',
    input: { file_path, old_string, new_string },
  }),
  create: (file_path, content) => ({ tool: 'mcp__acp__Write', input: { file_path, content } }),
  shell: command => ({ tool: 'mcp__acp__Bash', input: { command, description: 'Change files' } }),
};

/** Each with the arguments that make it speak the protocol. */
const AGENTS: ReadonlyArray<readonly [client: RealClient, args: readonly string[]]> = [
  [named('gemini'), ['--acp', '-m', 'gemini-2.5-flash']],
  [adapter, []],
  [named('opencode'), ['acp']],
  [named('qwen'), ['--acp', '--auth-type', 'openai']],
  [named('copilot'), ['--acp', '--allow-all-tools']],
];

const WANTED = process.env.VEDIT_CLIENT?.split(',');

describe.each(AGENTS.filter(([{ name }]) => WANTED?.includes(name) ?? true))('$name', (client, args) => {
  const version = installed(client);

  it(`${version}: edits, files and commands are its own, and it hears what was rejected`, {
    timeout: 600_000,
  }, async () => {
    const box = madeRepo([]);
    const at = (name: string): string => `${box.dir}/${name}`;
    const read = (name: string): Act[] =>
      client.read ? [client.read(at(name))] : [client.shell(`cat ${name}`)];
    const model = await startModel([
      read('a.txt'),
      [client.edit(at('a.txt'), 'a 3', 'edit by agent')],
      [client.create(at('new.md'), 'new file by agent\n')],
      read('b.txt'),
      [client.shell("sed -i 's/^b 5$/sed by agent/' b.txt")],
    ]);
    const place = { repo: box.dir, home: box.path('../home'), url: model.url };
    const { program, env } = prepared(client, place, box.path('../bin'));
    try {
      await withEditor(
        box,
        { command: 'vedit', args: ['acp', '--', program, ...args], env },
        async editor => {
          const id = await editor.session();
          await editor.prompt(id, 'do the work');
          sh(box, "sed -i 's/^d 15$/typed in between by person/' d.txt");
          sh(box, "vedit reject a.txt -m 'no such line please'");
          // What a client asks besides, such as what might be asked next, is over then.
          await setTimeout(4_000);
          model.add([read('d.txt'), [client.edit(at('d.txt'), 'd 3', 'after the rejection by agent')]]);
          await editor.prompt(id, 'do more');
        },
      );
    } finally {
      model.close();
    }
    const heard = model.requests.some(({ body }) => JSON.stringify(body).includes('no such line please'));
    const lines = blamed(box);
    expect(heard).toBe(true);
    expect(lines['new file by agent']).toMatch(new RegExp(`^${client.name}`));
    // One that runs a command as it tells of it, unasked, may be too fast for it: then it is nobody's.
    expect(lines['sed by agent'] ?? 'outside').toMatch(new RegExp(`^(${client.name}|outside)`));
    expect(lines['after the rejection by agent']).toMatch(new RegExp(`^${client.name}`));
    expect(lines['typed in between by person']).not.toMatch(new RegExp(`^${client.name}`));
    expect(lines['edit by agent']).toBe(undefined);
  });
});
