import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { plainName } from '../../../engine/editor.ts';
import type { AcpOptions as Options } from '../../../table/programs.ts';
import { UsageError } from '../../../table/use.ts';
import { messageIn } from '../../acp/message.ts';
import type { Place } from '../../acp/session.ts';
import type { Passed, Watch } from '../../acp/watch.ts';
import type { Call } from '../command.ts';
import { gitOf, type Opened, openFolder, PATIENCE } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { byteLines } from '../input/text-source.ts';
import { ENDS, onSignals } from '../terminal/signals.ts';

export async function run(call: Call<Options>): Promise<number> {
  const [program, ...args] = call.args.filter((word, n) => n > 0 || word !== '--');
  if (program === undefined) throw new UsageError('name the agent’s program: vedit acp -- gemini --acp');
  const { Watch } = await import('../../acp/watch.ts');
  const child = await started(call, program, args);
  const places = new Map<string, Promise<Opened>>();
  const watch = new Watch({
    agent: plainName(call.options.agent ?? basename(program)) ?? 'agent',
    isGiven: call.options.agent !== undefined,
    open: cwd => placeOf(call, cwd, places),
    tell: words => void call.terminal.tell(`vedit acp: ${words}`),
  });
  const stop = onSignals(ENDS, signal => void child.kill(signal));
  const ended = new Promise<number>(resolve => {
    child.once('close', code => resolve(code ?? EXIT.terminated));
  });
  const editor = { input: call.terminal.input(), output: process.stdout };
  await relay(editor, { input: child.stdout!, output: child.stdin! }, watch);
  await watch.end();
  for (const opened of places.values())
    await opened.then(({ workspace }) => workspace.close()).catch(() => {});
  stop();
  return ended;
}

/** Throws UsageError where there is no such program. */
function started(
  { terminal, folder }: Call<Options>,
  program: string,
  args: readonly string[],
): Promise<ChildProcess> {
  const child = spawn(program, args, { cwd: folder, env: terminal.env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {});
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child));
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(new UsageError(`${program} cannot be started (${error.code}): give a program that is in PATH`)),
    );
  });
}

/** Opens the repository once; what fails is tried again. */
async function placeOf(
  call: Call<Options>,
  folder: string,
  places: Map<string, Promise<Opened>>,
): Promise<Place> {
  const opening = places.get(folder) ?? openFolder({ ...call, folder }, { patience: PATIENCE });
  places.set(folder, opening);
  opening.catch(() => places.delete(folder));
  const { workspace } = await opening;
  return { workspace, git: await gitOf(call.terminal) };
}

interface Side {
  input: Readable;
  output: Writable;
}

/** Carries until the agent has ended. Neither direction waits for the other. */
async function relay(editor: Side, agent: Side, watch: Watch): Promise<void> {
  carry(editor, agent, message => watch.fromEditor(message)).catch(() => {});
  await carry(agent, editor, message => watch.fromAgent(message));
  editor.input.destroy();
}

async function carry(from: Side, to: Side, read: Watch['fromAgent']): Promise<void> {
  for await (const line of byteLines(from.input)) {
    const message = messageIn(line.toString());
    const passed: Passed = message && (await read(message));
    if (passed === null) await send(to.output, line);
    else if ('instead' in passed) await send(to.output, lineOf(passed.instead));
    else await send(from.output, lineOf(passed.answer));
  }
  to.output.end();
}

function lineOf(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

/** One that reads no more is gone, which its end says too. */
async function send(output: Writable, line: string | Buffer): Promise<void> {
  if (output.writable && !output.write(line))
    await Promise.race([once(output, 'drain'), once(output, 'close')]);
}
