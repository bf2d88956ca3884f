/** An agent of LangGraph that edits by the engine's tools. Give it any chat model of LangChain. */

import { tool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { langchainTools } from 'versioned-edit/langchain';
import { toolInstructions } from 'versioned-edit/tools';

/** `session`: of an open workspace. The thread's id makes a good session id: its edits are then undone together. */
export function editingAgent(model, session) {
  return createReactAgent({ llm: model, tools: langchainTools(session, tool), prompt: toolInstructions() });
}
