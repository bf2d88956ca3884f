import { type Call, type CliCommand, defineCommand, LISTED_KINDS, type OptionsOf } from '../command.ts';
import { SCRIPTS, SHELLS } from '../completion/scripts.ts';
import { EXIT } from '../exit-codes.ts';
import { trailOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
import { jsonLine } from '../views/json.ts';

const LISTED = [...LISTED_KINDS, 'line'] as const;

const options = [
  ['--list <kind>', `print the names that there are, each with what it is: ${LISTED.join(', ')}`, LISTED],
  ...trailOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'At every press of Tab the scripts ask vedit completion --list line for what the last word of the line can be: commands, ' +
    'options, what options can be, commits, sessions, agents, trails and branches. They complete git vedit as well.',
  arguments: [
    ['[shell]', SHELLS.join(', '), SHELLS],
    ['[words...]', 'for --list line: the line after vedit, behind --'],
  ],
  options,
  examples: [
    [
      'vedit completion bash | tee ~/.local/share/bash-completion/completions/{vedit,git-vedit} > /dev/null',
      'for vedit and git vedit',
    ],
    ['vedit completion zsh | tee ~/.zfunc/{_vedit,_git-vedit} > /dev/null', 'where ~/.zfunc is in fpath'],
    ['vedit completion fish > ~/.config/fish/conf.d/vedit.fish', ''],
  ],
  async run(call) {
    const { args, options, terminal } = call;
    if (options.list !== undefined) return list(call, options.list);
    const shell = SHELLS.find(name => name === args[0]);
    if (!shell)
      throw new UsageError(
        `there are scripts for ${SHELLS.join(', ')}, not for ${args[0] === undefined ? 'no shell' : JSON.stringify(args[0])}`,
      );
    const script = SCRIPTS[shell];
    await terminal.print(options.json ? jsonLine({ ok: true, message: script, data: { shell } }) : script);
    return EXIT.done;
  },
});

async function list(call: Call<Options>, kind: (typeof LISTED)[number]): Promise<number> {
  // Imported late because the list of commands holds this one too.
  const { candidatesForLine, ofKind } = await import('../completion/line.ts');
  const found = kind === 'line' ? await candidatesForLine(call, call.args) : await ofKind(call, kind);
  for (const [name, about] of found)
    await call.terminal.print(`${[name, about.replace(/\s+/g, ' ')].filter(Boolean).join('\t')}\n`);
  return EXIT.done;
}
