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
export { runTool, type ToolResult, textOf, tools } from './tools/index.ts';
export type { Tool } from './tools/tool.ts';
export { type OfferedTool, type ToolsetOptions, toolInstructions, toolset } from './tools/toolset.ts';
export type { Answer, DoneData, DonePath } from './workspace/answer.ts';
export type { PendingChange, Verdict } from './workspace/change/approval.ts';
export type { BackOptions } from './workspace/change/back-fields.ts';
export type { CommonInput } from './workspace/change/edit-input.ts';
export type { RecordOptions } from './workspace/change/record.ts';
export type { RefusalOptions, RefusalRecord } from './workspace/change/refusals.ts';
export type { Person } from './workspace/editor.ts';
export type { WorkspaceEvent } from './workspace/events.ts';
export { initRepository } from './workspace/init.ts';
export type { LandData, LandedCommit, LandOptions } from './workspace/land/land.ts';
export { type GitCall, type GitResult, type RunGit, systemGit } from './workspace/land/system-git.ts';
export { type MemoryFs, memoryFs } from './workspace/memory-fs.ts';
export { openWorkspace, type Workspace } from './workspace/open.ts';
export type {
  AgentTraceOptions,
  TraceConversation,
  TraceMetadata,
  TraceRecord,
} from './workspace/reading/agent-trace.ts';
export type { DiffOptions } from './workspace/reading/compare.ts';
export type { ExportEntry, ExportFile, ExportSource, LineRange } from './workspace/reading/export.ts';
export type { LogEntry, LogOptions } from './workspace/reading/history.ts';
export type { SessionInfo } from './workspace/reading/sessions.ts';
export type { Timeline, TimelineEntry, TimelineOptions } from './workspace/reading/timeline.ts';
export type { TimelineFile } from './workspace/reading/timeline-files.ts';
export type { TrailInfo } from './workspace/reading/trails.ts';
export { FAULT_KINDS, type Fault, type VerifyData } from './workspace/reading/verify.ts';
export type { VerifyOptions } from './workspace/reading/verify-options.ts';
export type { ViewInput } from './workspace/reading/view.ts';
export type { Session } from './workspace/session.ts';
export type { DoctorData, DoctorOptions } from './workspace/upkeep/doctor.ts';
export type { GcData, GcOptions } from './workspace/upkeep/gc.ts';
export type {
  BeforeCommit,
  InitOptions,
  SessionOptions,
  WorkspaceOptions,
} from './workspace/workspace-options.ts';
