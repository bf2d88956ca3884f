/** The public names of versioned-edit, and nothing else. */

export type { FileMode, Modes } from './edits/edit.ts';
export {
  defineEdit,
  type Edit,
  type FileChange,
  type Files,
  type FolderEdit,
  type FolderSeen,
} from './edits/edit.ts';
export type { PatchOperation } from './edits/index.ts';
export {
  type ApplyPatchInput,
  type ContextPatchInput,
  type CreateInput,
  type DeleteInput,
  type EditInputs,
  type EditLinesInput,
  type EditName,
  edits,
  type InsertInput,
  type LineEdit,
  type MoveInput,
  type ReplaceLinesInput,
  type SearchReplaceInput,
  type StrReplaceInput,
  type UnifiedDiffInput,
} from './edits/index.ts';
export {
  type ChangedBy,
  type ConflictRegion,
  type CutField,
  EditError,
  type EditErrorOf,
  ERROR_CODES,
  type ErrorCode,
  type ErrorData,
  type ErrorDataByCode,
  type FileConflict,
  type HunkDifference,
  type InputProblem,
  isEditError,
  type LockHolder,
  type NearestText,
  type Occurrence,
  type OthersEdit,
  type ToReview,
} from './errors.ts';
export { type MemoryStore, memoryStore } from './stores/memory.ts';
export {
  entriesBelow,
  type RecordedChange,
  type RecordedFile,
  type Replayed,
  recordChanges,
  replayChanges,
  versionOf,
} from './stores/record.ts';
export {
  type SimpleContent,
  type SimpleExpected,
  type SimpleFiles,
  type SimpleVersion,
  simpleStore,
} from './stores/simple.ts';
export type {
  Boot,
  Recovery,
  Staged,
  Stat,
  Store,
  StoreChange,
  StoredFile,
  StoredMode,
  StoreEntry,
} from './stores/store.ts';
export type { LineChange } from './text/diff/line-diff.ts';
export type { TextFile } from './text/document.ts';
export type { Encoding } from './text/encodings.ts';
export type { CellPlace } from './text/notebook.ts';
export type { LineMap, Span } from './text/spans.ts';
export type { ToolData, ToolName } from './tools/data.ts';
export { type RunOptions, runTool, tools } from './tools/index.ts';
export { type Refusal, type ToolResult, textOf } from './tools/run.ts';
export type { Tool } from './tools/tool.ts';
export type { Detail } from './tools/toolset/brief.ts';
export type { JsonSchema } from './tools/toolset/json-schema.ts';
export type { ToolSetName, ToolSets } from './tools/toolset/set-names.ts';
export { type OfferedTool, type ToolsetOptions, toolInstructions, toolset } from './tools/toolset/toolset.ts';
export type { WordOptions } from './tools/toolset/words.ts';
export type { Vocabulary } from './wording.ts';
export type { WorkspaceLimits } from './workspace/admission/limits.ts';
export type { BeforeRead, ReadVerdict } from './workspace/admission/policy/denied.ts';
export type { PromptsKept } from './workspace/agents/agent-events.ts';
export type { ClientNow, ClientOptions } from './workspace/agents/clients.ts';
export type { During, RecordAllOptions } from './workspace/agents/during.ts';
export type { Looked } from './workspace/agents/look.ts';
export type { AgentSignal } from './workspace/agents/signal.ts';
export type { HookTaken } from './workspace/agents/take-files.ts';
export type { HookBy, HookOptions } from './workspace/agents/take-hook.ts';
export type { Answer, DoneData, DonePath, EditAbout } from './workspace/answer.ts';
export type { OneOrMore } from './workspace/calls/call-options.ts';
export type { CallOptions } from './workspace/calls/cancel.ts';
export type { By, CallIds, EventStart, WorkspaceEvent } from './workspace/calls/events.ts';
export type { Listen, ListenError } from './workspace/calls/listener.ts';
export type { Attempt, RetryOptions } from './workspace/calls/retry.ts';
export type { TurnOptions } from './workspace/calls/scope.ts';
export type { PendingChange, Verdict } from './workspace/change/approval.ts';
export type { EditStep } from './workspace/change/edit-calls.ts';
export type { CommonFields, CommonInput, RequestOptions } from './workspace/change/edit-input.ts';
export type { RecordOptions, ToldEdit } from './workspace/change/record-options.ts';
export type { RefusalRecord } from './workspace/change/refusals.ts';
export type { EditorFacts, HostIdentity, Person, Trailers } from './workspace/editor.ts';
export type { EventsOptions } from './workspace/events/events.ts';
export type { TrailEvent, TrailEventKind } from './workspace/events/trail-event.ts';
export type { FileDiff } from './workspace/file-diffs.ts';
export type {
  BackOptions,
  RestoreOptions,
  RollbackOptions,
  UndoOptions,
  WayBackOptions,
} from './workspace/history/back-fields.ts';
export type { CommitMade } from './workspace/land/git/commit.ts';
export { type GitCall, type GitResult, type RunGit, systemGit } from './workspace/land/git/system-git.ts';
export type { LandHunk } from './workspace/land/hunks.ts';
export type { LandData, LandedCommit, LandOptions } from './workspace/land/land.ts';
export type { LandRequest } from './workspace/land/plan.ts';
export type { LeftOutText } from './workspace/land/stays-behind.ts';
export type { DiskKind, DoctorData, DoctorOptions, LockReport } from './workspace/maintenance/doctor.ts';
export type { GcData, GcOptions, RepositorySize } from './workspace/maintenance/gc.ts';
export type { KeptTrail, PrunedTrail } from './workspace/maintenance/prune-trails.ts';
export type { Workspace } from './workspace/open.ts';
export type { InitResult } from './workspace/opening/init.ts';
export { type MemoryFs, memoryFs } from './workspace/opening/memory-fs.ts';
export type {
  BeforeCommit,
  FileSystem,
  InitOptions,
  SessionOptions,
  WorkspaceOptions,
} from './workspace/opening/workspace-options.ts';
export type { Holder, HolderKind, PurgeData, PurgedTrail, PurgeOptions } from './workspace/purge/options.ts';
export type {
  AgentTraceOptions,
  TraceConversation,
  TraceMetadata,
  TraceRecord,
} from './workspace/queries/agent-trace.ts';
export type { BlameData, BlameLine } from './workspace/queries/blame.ts';
export type { DiffData } from './workspace/queries/diff/compare.ts';
export type { FileStat } from './workspace/queries/diff/diff-words.ts';
export type { EditStatus, StatusMark, StatusWord } from './workspace/queries/edit-status.ts';
export type { ExportEntry, ExportFile, ExportSource, LineRange } from './workspace/queries/export.ts';
export type { FolderView } from './workspace/queries/listing.ts';
export type { LogData, LogEntry, ShowData } from './workspace/queries/log/history.ts';
export type { LogChoice } from './workspace/queries/log/log-filter.ts';
export type { GraphEntry } from './workspace/queries/log/log-graph.ts';
export type { OutsideChange } from './workspace/queries/outside.ts';
export type { PolicyData, PolicyOptions } from './workspace/queries/policy.ts';
export {
  type BlameInput,
  type DiffOptions,
  FAULT_KINDS,
  type LogOptions,
  type RefusalOptions,
  type ShowOptions,
  type TimelineOptions,
  type VerifyOptions,
  type ViewInput,
} from './workspace/queries/read-options.ts';
export type { SessionInfo, SessionsData } from './workspace/queries/sessions.ts';
export type { StatusData } from './workspace/queries/status.ts';
export type { LineSource, TimelineFile } from './workspace/queries/timeline/files.ts';
export type { Timeline, TimelineEntry } from './workspace/queries/timeline/timeline.ts';
export type { TrailInfo, TrailsData } from './workspace/queries/trails.ts';
export type { ChangedFile, Fault, FaultKind, VerifyData } from './workspace/queries/verify.ts';
export type { FileView, ViewData } from './workspace/queries/view.ts';
export type { LandedIn, WhyData, WhyOptions } from './workspace/queries/why.ts';
export type { AcceptData } from './workspace/review/accept.ts';
export type { BackText, OverriddenRejection } from './workspace/review/accepted/came-back.ts';
export type { HunkLines } from './workspace/review/accepted/compare.ts';
export type { Renamed } from './workspace/review/hunks/renames.ts';
export type { HunkKind } from './workspace/review/hunks/unreviewed.ts';
export type {
  HunkText,
  ReviewData,
  ReviewHunk,
  UnclaimedText,
} from './workspace/review/listing.ts';
export type {
  AcceptOptions,
  NamedHunks,
  RejectOptions,
  ReviewBy,
  ReviewOptions,
  UnreviewOptions,
} from './workspace/review/options.ts';
export type { Told, ToldRejection } from './workspace/review/rejections/telling.ts';
export type { ReviewEdit } from './workspace/review/review-edit.ts';
export type { FoldedText } from './workspace/review/unclaimed.ts';
export type { UnreviewData } from './workspace/review/unreview.ts';
export type { Session } from './workspace/session.ts';
export type { AuditRecord } from './workspace/signing/audit.ts';
export type { SignedHead } from './workspace/signing/check-signatures.ts';
export type { SignData } from './workspace/signing/sign.ts';
export { initRepository, openWorkspace } from './workspace/start.ts';
export type {
  FetchData,
  FetchedReview,
  FetchedTrail,
  FetchOptions,
  RefusedTrail,
} from './workspace/sync/fetch/fetch.ts';
export type { SetAside, SyncData } from './workspace/sync/hosts/data.ts';
export type { DecideConflict, SyncOptions, WorkspaceSync } from './workspace/sync/hosts/options.ts';
export {
  type Credentials,
  type CredentialsRequest,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
  type IsomorphicGit,
  type IsomorphicGitOptions,
  isomorphicGit,
} from './workspace/sync/isomorphic-git.ts';
export type { MergeConflict, SideEdit } from './workspace/sync/merge/conflict.ts';
export type { MergeOptions } from './workspace/sync/merge/merge.ts';
export type {
  PeerInfo,
  PeersData,
  PrunePeersData,
  PrunePeersOptions,
} from './workspace/sync/peers.ts';
export type { PushData, PushedTrail, PushOptions } from './workspace/sync/push/options.ts';
export type { Unpublished, UnpublishedCommit } from './workspace/sync/push/unpublished.ts';
export type { RemoteOptions } from './workspace/sync/remote-options.ts';
export type {
  RemoteTrailState,
  VerifiedTrail,
  VerifyRemoteData,
  VerifyRemoteOptions,
} from './workspace/sync/verify-remote.ts';
export type { KnownElsewhere } from './workspace/trails/elsewhere.ts';
export type { PathAside } from './workspace/transaction/aside/asides.ts';
export type { Unsettled } from './workspace/transaction/journal/unsettled.ts';
export type { Moment } from './workspace/views.ts';
