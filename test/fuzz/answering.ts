/** Who answers calls and command lines in a fuzz: this process, or the real program in processes of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { runTool, type ToolResult } from '../../src/index.ts';
import type { Place } from '../helpers/person-repo.ts';
import { BIN, cleanEnv, vedit } from '../helpers/vedit.ts';

export interface Answering {
  call(tool: string, input: unknown): Promise<ToolResult>;
  /** How many characters came to standard output. */
  command(args: readonly string[]): Promise<{ code: number; characters: number; err: string }>;
  /** The most memory that a process had, in bytes. */
  end(): Promise<number>;
}

export async function answeringHere(repo: Place): Promise<Answering> {
  const session = await repo.session();
  let most = 0;
  const noted = <T>(result: T): T => {
    most = Math.max(most, process.memoryUsage().rss);
    return result;
  };
  return {
    call: async (tool, input) => noted(await runTool(session, tool, input)),
    command: async args => {
      const { code, out, err } = noted(await vedit(repo, args));
      return { code, characters: out.length, err };
    },
    end: async () => most,
  };
}

/** As an agent has it: `vedit apply` for all calls, one process for each command line. */
export async function answeringProcesses(repo: Place): Promise<Answering> {
  const calls = start(repo, ['apply', '--session', 's1']);
  const answers = createInterface({ input: calls.stdout! })[Symbol.asyncIterator]();
  const [callsEnd, callsMemory] = [once(calls, 'close'), text(calls.stdio[3] as Readable)];
  let most = 0;
  return {
    call: async (tool, input) => {
      calls.stdin!.write(`${JSON.stringify({ tool, input })}\n`);
      const { done, value } = await answers.next();
      if (done) throw new Error(`vedit apply ended amid ${tool}`);
      return JSON.parse(value) as ToolResult;
    },
    command: async args => {
      const child = start(repo, args);
      child.stdin!.end();
      let characters = 0;
      child.stdout!.on('data', chunk => (characters += chunk.length));
      const [end, err, memory] = [
        once(child, 'close'),
        text(child.stderr!),
        text(child.stdio[3] as Readable),
      ];
      const [code] = await end;
      most = Math.max(most, Number(await memory));
      return { code: code ?? -1, characters, err: await err };
    },
    end: async () => {
      calls.stdin!.end();
      await callsEnd;
      return Math.max(most, Number(await callsMemory));
    },
  };
}

/** At its end the process tells on descriptor 3 what it had: `maxRSS` would count what its parent had before. */
const TELL_MEMORY = `data:text/javascript,
import fs from "node:fs";
const peak = () => {
  try { return 1024 * Number(/VmHWM:\\s*(\\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1]); }
  catch { return 1024 * process.resourceUsage().maxRSS; }
};
process.on("exit", () => fs.writeSync(3, String(peak())));`;

function start(repo: Place, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--import', TELL_MEMORY, BIN, ...args], {
    cwd: repo.dir,
    env: cleanEnv(repo),
    stdio: ['pipe', 'pipe', args[0] === 'apply' ? 'ignore' : 'pipe', 'pipe'],
  });
}

async function text(stream: Readable): Promise<string> {
  let all = '';
  for await (const chunk of stream) all += chunk;
  return all;
}
