import type { DoneData } from '../../../engine/answer.ts';
import type { ToolResult } from '../../../tools/run.ts';
import { shortId } from '../../../wording.ts';
import { answer } from '../answer.ts';
import type { Call } from '../command.ts';
import type { Teller } from '../demo/story.ts';
import { linesOfPieces, type Piece, styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { diffPieces } from '../views/shown-diff.ts';

export async function run(call: Call): Promise<number> {
  const { options, terminal } = call;
  const { makeShop, tellStory } = await import('../demo/story.ts');
  const root = await makeShop();
  const steps: object[] = [];
  const teller = options.json ? recorder(steps) : narrator(terminal);
  if (!options.json) await terminal.print(...prologue(root));
  await tellStory(root, teller);
  return answer(call, { ok: true, message: farewell(root), data: { root, steps } }, ({ message }) =>
    terminal.print('\n', styled('bold', 'Look for yourself\n'), `${message}\n`),
  );
}

function prologue(root: string): Piece[] {
  return [
    styled('bold', 'Two agents and a person work on the same files.\n'),
    `Everything below is real; it happens in a scratch repository of a person called Ada:\n${root}\n`,
  ];
}

function recorder(steps: object[]): Teller {
  return {
    chapter: async () => {},
    call: async (agent, tool, input, result) => void steps.push({ agent, tool, input, result }),
  };
}

function narrator(terminal: Terminal): Teller {
  let number = 0;
  return {
    chapter: (title, words) => terminal.print('\n', styled('bold', `${++number}. ${title}\n`), `${words}\n`),
    call: (agent, tool, input, result) =>
      terminal.print('\n', ...callPieces(agent, tool, input), ...answerPieces(result)),
  };
}

function callPieces(agent: string, tool: string, input: object): Piece[] {
  const fields = Object.entries(input).map(([name, value]) => `${name}: ${shortJson(value)}`);
  const given = fields.length > 0 ? [styled('dim', ` ${fields.join(', ')}`)] : [];
  return [styled('cyan', `  ${agent}> ${tool}`), ...given, '\n'];
}

/** Writes a value as JSON in which ids are cut as people cut them. */
function shortJson(value: unknown): string {
  const text = typeof value === 'string' && /^[0-9a-f]{40}$/.test(value) ? shortId(value) : value;
  return JSON.stringify(text);
}

/** Shows a done edit by its diff, a refusal by its code and message. */
function answerPieces(result: ToolResult): Piece[] {
  if (!result.ok)
    return [styled('red', `    refused, ${result.code}: `), ...indented(result.message).slice(1)];
  const { diff, commit } = result.data as Partial<DoneData>;
  if (diff === undefined) return indented(result.message);
  const hunks = diff.split('\n').filter(line => !/^(diff|index|---|\+\+\+) ?/.test(line));
  const lines = [...linesOfPieces(diffPieces(hunks.join('\n').trimEnd()))];
  return [
    ...lines.flatMap(line => ['    ', ...line, '\n']),
    styled('dim', `    done: commit ${commit?.slice(0, 7)}\n`),
  ];
}

function indented(text: string): string[] {
  return text.split('\n').flatMap(line => ['    ', `${line}\n`]);
}

function farewell(root: string): string {
  const lines = [
    ['every edit', `git -C ${root} log --oneline main..vedit/main`],
    ['one of them', `git -C ${root} show vedit/main~2`],
    ['who wrote which line', `git -C ${root} blame vedit/main~2 -- src/cart.js`],
    ['only what Ada changed', `git -C ${root} status --short`],
    ['the same as vedit tells it', `vedit -C ${root} log`],
  ];
  return lines.map(([what, line]) => `  # ${what}\n  ${line}`).join('\n');
}
