import { resolve } from 'node:path';
import { type CliCommand, defineCommand } from '../command.ts';
import { answer } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'A repository that is there already needs no init: vedit keeps its history beside your branch, in refs/vedit/, and ' +
    'leaves your branch, HEAD and index alone.',
  arguments: [['[dir]', 'the folder, made if it is missing; default: this one']],
  options: [
    ['--bare', 'without files on disk: they live in the history alone'],
    ['--nested', 'also inside another repository'],
    ['-b, --initial-branch <name>', 'the first branch; default: main'],
  ],
  examples: [
    ['vedit init notes', 'a new folder, ready for agents'],
    ['vedit init --bare memory.git', 'files that are only in git'],
  ],
  async run(call) {
    const { args, options, folder } = call;
    const { initRepository } = await import('../../../workspace/opening/init.ts');
    const root = resolve(folder, args[0] ?? '');
    const data = await initRepository({
      root,
      bare: options.bare,
      branch: options.initialBranch,
      nested: options.nested,
    });
    const message = data.created
      ? `Made an empty repository in ${data.gitDir}`
      : `There is a repository in ${data.gitDir} already; it was left as it is, and vedit works in it`;
    return answer(call, { ok: true, message, data });
  },
});
