/** The public names of versioned-edit, and nothing else. */

export type { Edit, FileChange, Files } from './edits/edit.ts';
export { edits } from './edits/index.ts';
export { EditError, ERROR_CODES, type ErrorCode, type ErrorData } from './errors.ts';
export { entriesBelow } from './stores/entries.ts';
export { type MemoryStore, memoryStore } from './stores/memory.ts';
export { type RecordedChange, recordChanges, replayChanges } from './stores/record.ts';
export type { Staged, Store, StoreChange, StoredFile, StoredMode, StoreEntry } from './stores/store.ts';
export { versionOf } from './stores/version.ts';
export type { TextFile } from './text/document.ts';
export type { Span } from './text/spans.ts';
export { runTool, type ToolResult, tools } from './tools/index.ts';
export type { Tool } from './tools/tool.ts';
export { type OfferedTool, type ToolsetOptions, toolset } from './tools/toolset.ts';
export type {
  AgentTraceOptions,
  TraceConversation,
  TraceMetadata,
  TraceRecord,
} from './workspace/agent-trace.ts';
export type { Answer, DoneData, DonePath } from './workspace/answer.ts';
export type { BeforeCommit, PendingChange, Verdict } from './workspace/approval.ts';
export type { DiffOptions } from './workspace/compare.ts';
export type { Person } from './workspace/context.ts';
export type { CommonInput } from './workspace/edit-input.ts';
export type { WorkspaceEvent } from './workspace/events.ts';
export type { ExportEntry, ExportFile, LineRange } from './workspace/export.ts';
export type { GcData, GcOptions } from './workspace/gc.ts';
export type { LogEntry, LogOptions } from './workspace/history.ts';
export { type InitOptions, initRepository } from './workspace/init.ts';
export type { LandData, LandedCommit, LandOptions } from './workspace/land.ts';
export { type MemoryFs, memoryFs } from './workspace/memory-fs.ts';
export {
  openWorkspace,
  type SessionOptions,
  type Workspace,
  type WorkspaceOptions,
} from './workspace/open.ts';
export type { RecordOptions } from './workspace/record.ts';
export type { RefusalOptions, RefusalRecord } from './workspace/refusals.ts';
export type { BackOptions, Session } from './workspace/session.ts';
export { type GitCall, type GitResult, type RunGit, systemGit } from './workspace/system-git.ts';
export type { Timeline, TimelineEntry, TimelineOptions } from './workspace/timeline.ts';
export type { TimelineFile } from './workspace/timeline-files.ts';
export type { TrailInfo } from './workspace/trails.ts';
export { FAULT_KINDS, type Fault, type VerifyData, type VerifyOptions } from './workspace/verify.ts';
export type { ViewInput } from './workspace/view.ts';
