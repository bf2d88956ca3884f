/** The names that people know agents by. Pure. */

/** By how the client's name begins, or what it holds; the same names as the hooks of these agents have. */
const KNOWN: ReadonlyArray<readonly [agent: string, name: RegExp]> = [
  ['claude-code', /^claude[- ]?code\b/i],
  ['codex', /^codex\b/i],
  ['gemini', /^gemini\b/i],
  ['qwen', /^qwen\b/i],
  ['cline', /^cline\b/i],
  ['copilot', /\bcopilot\b/i],
  ['cursor', /^cursor\b/i],
  ['opencode', /^opencode\b/i],
];

/** Returns the name that people know: `codex-mcp-client` is codex; a name that is not known stays as it is. `client`: the name, where the agent has another. */
export function knownAgent(name: string): { agent: string; client?: string } {
  const agent = KNOWN.find(([, pattern]) => pattern.test(name))?.[0] ?? name;
  return agent === name ? { agent } : { agent, client: name };
}
