/** Makes the answer that an agent's hook may print: one JSON object in that agent's own words, or nothing. Pure. */

/** A message for the agent: that it may not, or something besides. */
export interface HookSaid {
  denied?: string | undefined;
  told?: string | undefined;
}

type Words = (when: 'before' | 'after', said: HookSaid) => object;

/** Claude Code's form, which most others took over. */
const asClaude: Words = (when, { denied, told }) => ({
  hookSpecificOutput: {
    hookEventName: when === 'before' ? 'PreToolUse' : 'PostToolUse',
    ...(denied ? { permissionDecision: 'deny', permissionDecisionReason: denied } : {}),
    ...(told ? { additionalContext: told } : {}),
  },
});

const asGemini: Words = (_, { denied, told }) => ({
  ...(denied ? { decision: 'deny', reason: denied } : {}),
  ...(told ? { hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: told } } : {}),
});

const WORDS: Readonly<Record<string, Words>> = {
  gemini: asGemini,
  copilot: (_, { denied, told }) => ({
    ...(denied ? { permissionDecision: 'deny', permissionDecisionReason: denied } : {}),
    ...(told ? { additionalContext: told } : {}),
  }),
  cursor: (_, { denied, told }) => ({
    ...(denied ? { permission: 'deny', agent_message: denied } : {}),
    ...(told ? { additional_context: told } : {}),
  }),
  cline: (_, { denied, told }) => ({
    ...(denied ? { cancel: true, errorMessage: denied } : {}),
    ...(told ? { contextModification: told } : {}),
  }),
  // Its plugin reads it.
  opencode: (_, said) => ({ ...said }),
};

/** True for an agent that shows its model what a hook adds to an event of this kind; Gemini CLI only after a call. */
export function showsHookOutput(agent: string, when: 'before' | 'after'): boolean {
  return when === 'after' || agent !== 'gemini';
}

/** Returns what the hook prints; `null`: nothing. */
export function hookAnswer(agent: string, when: 'before' | 'after', said: HookSaid): object | null {
  if (said.denied === undefined && said.told === undefined) return null;
  return (WORDS[agent] ?? asClaude)(when, said);
}
