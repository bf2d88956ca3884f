import { describe, expect, it } from 'vitest';
import { callerOf } from '../../../src/surfaces/mcp/caller.ts';

const CLAUDE = { agent: 'claude-code', session: 's1', model: 'm1', turn: 't1' };

describe('who makes a call', () => {
  it.each([
    ['claude-code', { agent: 'claude-code' }],
    ['codex-mcp-client', { agent: 'codex', client: 'codex-mcp-client' }],
    ['gemini-cli-mcp-client', { agent: 'gemini', client: 'gemini-cli-mcp-client' }],
    ['qwen-cli-mcp-client', { agent: 'qwen', client: 'qwen-cli-mcp-client' }],
    ['Cline', { agent: 'cline', client: 'Cline' }],
    ['github-copilot-developer', { agent: 'copilot', client: 'github-copilot-developer' }],
    ['cursor-vscode', { agent: 'cursor', client: 'cursor-vscode' }],
    ['my-codex', { agent: 'my-codex' }],
    ['a\nb', { agent: 'a b' }],
    [undefined, {}],
    ['\n', {}],
  ])('is the agent that people know: %j', (name, caller) => {
    expect(callerOf(name, undefined, [])).toEqual(caller);
  });

  it('has the session, turn and model that its hook told of', () => {
    expect(callerOf('claude-code', {}, [CLAUDE])).toEqual(CLAUDE);
  });

  it('has none of another agent, whose command started it', () => {
    const codex = { agent: 'codex', client: 'codex-mcp-client' };
    expect(callerOf('codex-mcp-client', {}, [CLAUDE])).toEqual(codex);
    expect(callerOf(undefined, {}, [CLAUDE])).toEqual({});
    const own = { agent: 'codex', session: 's2' };
    expect(callerOf('codex-mcp-client', {}, [null, CLAUDE, own])).toEqual({ ...codex, session: 's2' });
  });

  it.each([
    ['in an object', { session_id: 's3', turn_id: 't3', model: 'gpt' }],
    ['as text', JSON.stringify({ session_id: 's3', turn_id: 't3', model: 'gpt' })],
  ])('is what Codex says beside the call, %s', (_, said) => {
    const meta = { 'x-codex-turn-metadata': said, callId: 'call_1', progressToken: 3 };
    const known = [{ agent: 'codex', session: 's3', turn: 'older', model: 'older' }];
    expect(callerOf('codex-mcp-client', meta, known)).toEqual({
      agent: 'codex',
      client: 'codex-mcp-client',
      session: 's3',
      turn: 't3',
      model: 'gpt',
      call: 'call_1',
    });
  });

  it.each([{ 'x-codex-turn-metadata': '{' }, { session_id: 7 }, null, 'x', []])(
    'is not known by what says nothing: %j',
    meta => {
      expect(callerOf('codex', meta, [])).toEqual({ agent: 'codex' });
    },
  );
});
