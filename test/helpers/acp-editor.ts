/** An editor that speaks the Agent Client Protocol by its own kit: it writes files, runs commands and says yes to everything. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import type { Sandbox } from './real-git.ts';

export interface Editor {
  context: acp.ClientContext;
  /** A new session in the repository, by its id. */
  session(): Promise<string>;
  prompt(session: string, text: string): Promise<acp.PromptResponse>;
  /** What the agent said, as one text. */
  said(): string;
  /** All updates that came. */
  updates: acp.SessionNotification[];
  /** What became of the agent's process. */
  ended: Promise<number>;
}

export interface EditorOptions {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** What the editor can do; default: write files and run commands. */
  can?: acp.ClientCapabilities;
}

/** Works with an agent's process to the end of `work`. */
export async function withEditor<T>(
  box: Sandbox,
  {
    command,
    args,
    env,
    can = { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
  }: EditorOptions,
  work: (editor: Editor) => Promise<T>,
): Promise<T> {
  const child = spawn(command, args, { cwd: box.dir, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', text => (complaints += text));
  const ended = new Promise<number>(resolve => child.once('close', code => resolve(code ?? -1)));
  const stream = acp.ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
  );
  const updates: acp.SessionNotification[] = [];
  const said = (): string =>
    updates.map(({ update }) => ('content' in update && Object(update.content).text) || '').join('');
  try {
    return await editorOf(box, updates).connectWith(stream, async context => {
      await context.request(acp.methods.agent.initialize, {
        protocolVersion: acp.PROTOCOL_VERSION,
        clientCapabilities: can,
        clientInfo: { name: 'editor', version: '1' },
      });
      const session = async (): Promise<string> =>
        (await context.request(acp.methods.agent.session.new, { cwd: box.dir, mcpServers: [] })).sessionId;
      const prompt: Editor['prompt'] = (sessionId, text) =>
        context.request(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
      return work({ context, session, prompt, said, updates, ended });
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${complaints}`, { cause: error });
  } finally {
    child.stdin.end();
    setTimeout(() => child.kill(), 5_000).unref();
    await ended;
  }
}

function editorOf(box: Sandbox, updates: acp.SessionNotification[]): acp.ClientApp {
  const { fs, terminal, session } = acp.methods.client;
  const running = new Map<string, { child: ChildProcess; exit: Promise<number> }>();
  const terminalOf = ({ terminalId }: { terminalId: string }) => running.get(terminalId)!;
  return acp
    .client({ name: 'editor' })
    .onNotification(session.update, ({ params }) => void updates.push(params))
    .onRequest(session.requestPermission, ({ params: { options } }) => {
      const yes = options.find(({ kind }) => kind === 'allow_once') ?? options[0]!;
      return { outcome: { outcome: 'selected', optionId: yes.optionId } };
    })
    .onRequest(fs.readTextFile, ({ params }) => {
      // As an editor that opens an empty buffer: Gemini CLI makes no file where it is answered that there is none.
      return { content: existsSync(params.path) ? readFileSync(params.path, 'utf8') : '' };
    })
    .onRequest(fs.writeTextFile, ({ params }) => {
      writeFileSync(params.path, params.content);
      return {};
    })
    .onRequest(terminal.create, ({ params: { command, args = [] } }) => {
      // A line without arguments is one for a shell.
      const words = args.length > 0 ? [command, ...args] : ['sh', '-c', command];
      const child = execFile(words[0]!, words.slice(1), { cwd: box.dir });
      const exit = new Promise<number>(resolve => child.once('close', code => resolve(code ?? -1)));
      const terminalId = `t${running.size}`;
      running.set(terminalId, { child, exit });
      return { terminalId };
    })
    .onRequest(terminal.waitForExit, async ({ params }) => ({ exitCode: await terminalOf(params).exit }))
    .onRequest(terminal.output, () => ({ output: '', truncated: false }))
    .onRequest(terminal.release, () => ({}))
    .onRequest(terminal.kill, () => ({}));
}
