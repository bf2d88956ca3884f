/** Makes the answer that an agent's hook may print: one JSON object in that agent's own words, or nothing. Pure. */

/** A message for the agent: that it may not, or something besides. */
export interface HookSaid {
  denied?: string | undefined;
  told?: string | undefined;
}

type Words = (when: 'before' | 'after', said: HookSaid) => object | null;

/** Claude Code's form, which most others took over. */
const asClaude: Words = (when, { denied, told }) => ({
  hookSpecificOutput: {
    hookEventName: when === 'before' ? 'PreToolUse' : 'PostToolUse',
    ...(denied ? { permissionDecision: 'deny', permissionDecisionReason: denied } : {}),
    ...(told ? { additionalContext: told } : {}),
  },
});

const asGemini: Words = (when, { denied, told }) => ({
  ...(denied ? { decision: 'deny', reason: denied } : {}),
  ...(told
    ? {
        hookSpecificOutput: {
          hookEventName: when === 'before' ? 'BeforeTool' : 'AfterTool',
          additionalContext: told,
        },
      }
    : {}),
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
  // Their plugins read it.
  opencode: (_, said) => ({ ...said }),
  amp: (_, said) => ({ ...said }),
  // They know exit codes alone, and another one than 0 would stop more than this call.
  windsurf: () => null,
  kiro: () => null,
};

/** `null`: nothing is printed. */
export function hookAnswer(agent: string, when: 'before' | 'after', said: HookSaid): object | null {
  if (said.denied === undefined && said.told === undefined) return null;
  return (WORDS[agent] ?? asClaude)(when, said);
}
