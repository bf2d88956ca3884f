import type { Call } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export async function run({ args: [name], terminal, help: helpOf }: Call): Promise<number> {
  const text = await helpOf(name);
  await terminal.page();
  await terminal.printHelp(text);
  return EXIT.done;
}
