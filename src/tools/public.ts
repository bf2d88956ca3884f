/** The entry `versioned-edit/tools`: the edits and tools as a host offers them to a model, and running one; without the engine. */

export { edits } from '../edits/index.ts';
export type { Tool } from './index.ts';
export { type RunOptions, runTool, tools } from './index.ts';
export { type Refusal, type ToolResult, textOf } from './run.ts';
export { type OfferedTool, type ToolsetOptions, toolInstructions, toolset } from './toolset/toolset.ts';
