import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemGit } from '../../src/git/native/system-git.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/open.ts';
import { aMoment } from '../helpers/agent-events.ts';
import { lots } from '../helpers/random-work.ts';
import type { Sandbox } from '../helpers/real-git.ts';
import { personRepo } from '../helpers/vedit.ts';

const git = systemGit(process.env);

/** `HISTORIES=500 npx vitest run test/sessions/who-wrote-random.test.ts` tries so many, `SEED` the first of them. */
const HISTORIES = Number(process.env.HISTORIES ?? 2);
const SEED = Number(process.env.SEED ?? 1);
const STEPS = 10;

type Writer = 'person' | 'tool' | 'shell';

/** A file that a person, an agent's tools and its commands write to, each line by one of them, and known to be. */
class Story {
  readonly wrote = new Map<string, { by: Writer; alone: boolean }>();
  readonly #box: Sandbox;
  readonly #workspace: Workspace;
  readonly #draw: (below: number) => number;
  #count = 0;

  constructor(box: Sandbox, workspace: Workspace, draw: (below: number) => number) {
    this.#box = box;
    this.#workspace = workspace;
    this.#draw = draw;
  }

  async hook(hook_event_name: string, more: object = {}): Promise<void> {
    const event = { session_id: 's1', cwd: this.#box.dir, hook_event_name, ...more };
    await this.#workspace.takeHook(new TextEncoder().encode(JSON.stringify(event)), {
      named: 'claude-code',
      git,
    });
    await aMoment();
  }

  /** A line of this writer at some place; sometimes another line goes. `alone`: nothing else ran. */
  #write(by: Writer, alone = true): { old_string: string; new_string: string; originalFile: string } {
    const path = this.#box.path('a.txt');
    const originalFile = readFileSync(path, 'utf8');
    const lines = originalFile.split('\n').slice(0, -1);
    const line = `${by} ${++this.#count}`;
    this.wrote.set(line, { by, alone });
    const at = this.#draw(lines.length);
    const old_string = `${lines[at]}\n`;
    const new_string = this.#draw(3) === 0 ? `${line}\n` : `${old_string}${line}\n`;
    this.#box.write('a.txt', originalFile.replace(old_string, new_string));
    return { old_string, new_string, originalFile };
  }

  async step(): Promise<void> {
    const kind = this.#draw(7);
    if (kind <= 1) {
      this.#write('person');
      return aMoment();
    }
    const call = { tool_use_id: `toolu_${++this.#count}` };
    if (kind === 2) return this.#edit(call);
    if (kind === 5) return this.#twoAtOnce();
    // A call that fails, of which some clients tell no end.
    if (kind === 6) return this.#begin(call.tool_use_id);
    const bash = { ...call, tool_name: 'Bash', tool_input: { command: 'work' } };
    await this.hook('PreToolUse', bash);
    this.#write('shell');
    await aMoment();
    // Somebody types while it runs.
    if (kind === 4) this.#write('person', false);
    await aMoment();
    await this.hook('PostToolUse', bash);
  }

  async #twoAtOnce(): Promise<void> {
    const calls = [1, 2].map(() => ({
      ...{ tool_use_id: `toolu_${++this.#count}`, tool_name: 'Bash' },
      tool_input: { command: 'work' },
    }));
    for (const call of calls) await this.hook('PreToolUse', call);
    for (const call of this.#draw(2) === 0 ? calls : calls.reverse()) {
      this.#write('shell');
      await aMoment();
      await this.hook('PostToolUse', call);
    }
  }

  /** The front of the hook notes when a call of an editing tool begins, and hands nothing on. */
  async #begin(id: string): Promise<void> {
    const signal = { kind: 'before', agent: 'claude-code', session: 's1', id } as const;
    await this.#workspace.noteAgent({ ...signal, tool: 'Edit' });
    await aMoment();
  }

  async #edit(call: { tool_use_id: string }): Promise<void> {
    const edit = { ...call, tool_name: 'Edit', tool_input: { file_path: this.#box.path('a.txt') } };
    await this.#begin(call.tool_use_id);
    const { originalFile, ...texts } = this.#write('tool');
    if (this.#draw(2) === 0) this.#write('person', false);
    const tool_input = { ...edit.tool_input, ...texts };
    await this.hook('PostToolUse', { ...edit, tool_input, tool_response: { originalFile } });
  }
}

async function history(seed: number): Promise<{ wrong: string[]; exact: number; all: number }> {
  const box = personRepo();
  box.git('config', 'user.name', 'Ada');
  box.git('config', 'user.email', 'ada@example.com');
  await using workspace = await openWorkspace({ root: box.dir });
  const story = new Story(box, workspace, lots(seed * 7919 + 17));
  await story.hook('UserPromptSubmit', { prompt: 'go' });
  for (let n = 0; n < STEPS; n++) await story.step();
  await story.hook('Stop');
  const { data } = await workspace.session().blame({ path: 'a.txt' });
  const wrong: string[] = [];
  let [exact, all] = [0, 0];
  for (const { text, agent, author, unclaimed } of data.lines) {
    const known = story.wrote.get(text.trim());
    if (!known) continue;
    all++;
    const found = agent !== null ? 'agent' : unclaimed ? 'nobody' : author;
    const meant = known.by === 'person' ? 'Ada' : 'claude-code';
    if (found === (known.by === 'person' ? 'Ada' : 'agent')) exact++;
    const isPersons = known.by !== 'person' && found === 'Ada';
    const isAgents = known.by === 'person' && known.alone && found === 'agent';
    if (isPersons || isAgents) wrong.push(`seed ${seed}: ${text} of ${meant} is told to be of ${found}`);
  }
  return { wrong, exact, all };
}

describe('histories of a person, tools and commands', () => {
  it('give no line of an agent to the person, and none that the person typed between to an agent', async () => {
    const wrong: string[] = [];
    let [exact, all] = [0, 0];
    for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
      const found = await history(seed);
      wrong.push(...found.wrong);
      exact += found.exact;
      all += found.all;
    }
    if (process.env.HISTORIES) console.log(`${HISTORIES} histories: ${exact} of ${all} lines exact`);
    expect(wrong).toEqual([]);
    expect(exact).toBeGreaterThan(0);
  }, 3_600_000);
});
