/** diff: between two points of history. */

import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { diffPieces, type FileStat, statPieces } from '../diff-view.ts';
import { answer } from '../done.ts';
import { withEngine } from '../engine.ts';
import { type TrailOptions, trailOptions } from '../options.ts';

interface Options extends TrailOptions {
  path?: string;
  stat?: boolean;
}

export const diff: CliCommand = defineCommand<Options>({
  details:
    'Without A: all that was edited beside your branch, or the last commit where the history is the branch itself.',
  arguments: [
    ['[a]', 'a commit'],
    ['[b]', 'another one; default: the newest'],
  ],
  options: [
    { flags: '--path <path>', description: 'only this file or folder' },
    { flags: '--stat', description: 'only how much changed in which file' },
    ...trailOptions,
  ],
  examples: [
    ['vedit diff', 'everything the agents did'],
    ['vedit diff ~5 ~2 --path src', 'a stretch of it'],
  ],
  run: call =>
    withEngine(call, async ({ run, place }) => {
      const [from, to] = call.args;
      const result = await run('diff', { from, to, path: place.scope(call.options.path) });
      return answer(call, result, () => print(call, result.data as { diff: string; paths: FileStat[] }));
    }),
});

async function print(
  { terminal, options }: Call<Options>,
  data: { diff: string; paths: FileStat[] },
): Promise<void> {
  await terminal.page();
  await terminal.print(...(options.stat ? statPieces(data.paths, terminal.columns) : diffPieces(data.diff)));
}
