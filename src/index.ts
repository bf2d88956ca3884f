/** The public names of versioned-edit, and nothing else. */

export type { ClientNow, ClientOptions } from './agents/clients.ts';
export type { During, Looked, RecordAllOptions } from './agents/look.ts';
export type { HookTaken } from './agents/take-files.ts';
export type { HookOptions } from './agents/take-hook.ts';
export type { FileMode, Modes } from './edits/edit.ts';
export {
  defineEdit,
  type Edit,
  type FileChange,
  type Files,
  type FolderEdit,
  type FolderSeen,
} from './edits/edit.ts';
export type {
  ApplyPatchInput,
  ContextPatchInput,
  CreateInput,
  DeleteInput,
  EditInputs,
  EditLinesInput,
  EditName,
  InsertInput,
  LineEdit,
  MoveInput,
  MoveLinesInput,
  PatchOperation,
  ReplaceLinesInput,
  ReplaceSymbolInput,
  SearchReplaceInput,
  StrReplaceInput,
  UnifiedDiffInput,
} from './edits/index.ts';
export type { WorkspaceLimits } from './engine/admission/limits.ts';
export type { BeforeRead, ReadVerdict } from './engine/admission/policy/denied.ts';
export type { Answer, DoneData, DonePath, EditAbout } from './engine/answer.ts';
export type { CallOptions } from './engine/calls/cancel.ts';
export type { By, CallIds, EventStart, Listen, ListenError, WorkspaceEvent } from './engine/calls/events.ts';
export type { Attempt, RetryOptions } from './engine/calls/retry.ts';
export type { TurnOptions } from './engine/calls/scope.ts';
export type { PendingChange, Verdict } from './engine/change/approval.ts';
export type { EditStep } from './engine/change/edit-calls.ts';
export type { CommonFields, CommonInput, RequestOptions } from './engine/change/edit-input.ts';
export type { RecordOptions, ToldEdit } from './engine/change/record-options.ts';
export type { RefusalOptions, RefusalRecord } from './engine/change/refusals.ts';
export type { FileStat } from './engine/diff-words.ts';
export type { EditorFacts, HostIdentity, Person, Trailers } from './engine/editor.ts';
export type { FileDiff } from './engine/file-diffs.ts';
export type { FolderView } from './engine/files/listing.ts';
export type { OutsideChange } from './engine/files/outside.ts';
export type { AgentSignal, PromptsKept } from './engine/origins/agent-events.ts';
export type { Comment, CommentReply, HunkLines } from './engine/rejections/comments.ts';
export type { Told, ToldComment, ToldRejection } from './engine/rejections/notices.ts';
export type { ReplyData } from './engine/rejections/remark.ts';
export type { EditStatus, StatusWord } from './engine/status/statuses.ts';
export type { SessionInfo, SessionsData } from './engine/trails/sessions.ts';
export type { PathAside } from './engine/transaction/aside/asides.ts';
export type { Unsettled } from './engine/transaction/journal/failed-checkpoint.ts';
export type {
  BackOptions,
  RestoreOptions,
  RollbackOptions,
  UndoOptions,
  WayBackOptions,
} from './engine/undo/back-fields.ts';
export type { Moment } from './engine/views.ts';
export {
  type ChangedBy,
  type ConflictRegion,
  type CutField,
  EditError,
  type EditErrorOf,
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
export type { EventsOptions } from './events/events.ts';
export type { TrailEvent, TrailEventKind } from './events/trail-event.ts';
export type { CommitMade } from './land/git/commit.ts';
export { type GitCall, type GitResult, type RunGit, systemGit } from './land/git/system-git.ts';
export type { LandHunk } from './land/hunks.ts';
export type { LandData, LandedCommit, LandOptions } from './land/land.ts';
export type { LandRequest } from './land/request.ts';
export type { LeftOutText } from './land/stays-behind.ts';
export type { DiskKind, DoctorData, DoctorOptions, LockReport } from './maintenance/doctor.ts';
export type { GcData, GcOptions, RepositorySize } from './maintenance/gc.ts';
export type { KeptTrail, PrunedTrail } from './maintenance/prune-trails.ts';
export type { Holder, HolderKind, PurgeData, PurgedTrail, PurgeOptions } from './purge/options.ts';
export type { AuditRecord } from './queries/audit.ts';
export type { BlameData, BlameLine } from './queries/blame.ts';
export type { DiffData } from './queries/diff/compare.ts';
export type { ExportEntry, ExportFile, ExportSource, LineRange } from './queries/export.ts';
export type { LogData, LogEntry, ShowData } from './queries/log/history.ts';
export type { LogChoice } from './queries/log/log-filter.ts';
export type { PolicyData, PolicyOptions } from './queries/policy.ts';
export type {
  BlameInput,
  DiffOptions,
  LogOptions,
  TimelineOptions,
  VerifyOptions,
  ViewInput,
} from './queries/read-options.ts';
export type { StatusData } from './queries/status.ts';
export type { Timeline, TimelineEntry, TimelineFile } from './queries/timeline.ts';
export type { ChangedFile, Fault, FaultKind, VerifyData } from './queries/verify.ts';
export type { FileView, ViewData } from './queries/view.ts';
export type { LandedIn, WhyData, WhyOptions } from './queries/why.ts';
export type { AcceptData } from './review/accept.ts';
export type { CommentData } from './review/comment.ts';
export type { HunkText, ReviewData, ReviewEdit, ReviewHunk, UnclaimedText } from './review/listing.ts';
export type { HunkKind } from './review/open-files.ts';
export type {
  AcceptOptions,
  CommentOptions,
  NamedHunks,
  RejectOptions,
  ReviewBy,
  ReviewOptions,
  UnreviewOptions,
} from './review/options.ts';
export type { Renamed } from './review/renames.ts';
export type { UnreviewData } from './review/unreview.ts';
export type { SignedHead } from './signing/check-signatures.ts';
export type { SignData } from './signing/sign.ts';
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
export type { SymbolLines } from './symbols/find.ts';
export type {
  FetchData,
  FetchedReview,
  FetchedTrail,
  FetchOptions,
  RefusedTrail,
} from './sync/fetch/fetch.ts';
export type { PeerInfo, PeersData } from './sync/fetch/mirrors.ts';
export type { PushData, PushedTrail, PushOptions } from './sync/push/options.ts';
export type { Unpublished, UnpublishedCommit } from './sync/push/unpublished.ts';
export type { RemoteOptions } from './sync/remote.ts';
export type { ToolData, ToolName } from './table/command.ts';
export type { LineChange } from './text/diff/line-diff.ts';
export type { TextFile } from './text/document.ts';
export type { Encoding } from './text/encodings.ts';
export type { LineMap, Span } from './text/spans.ts';
export { type RunOptions, runTool } from './tools/index.ts';
export type { Refusal, ToolResult } from './tools/run.ts';
export type { Detail } from './tools/toolset/brief.ts';
export type { JsonSchema } from './tools/toolset/json-schema.ts';
export { type OfferedTool, type ToolsetOptions, toolset } from './tools/toolset/toolset.ts';
export type { ToolSetName, ToolSets, WordOptions } from './tools/toolset/words.ts';
export type { Vocabulary } from './wording.ts';
export type { Workspace } from './workspace/open.ts';
export type { InitResult } from './workspace/opening/init.ts';
export type {
  BeforeCommit,
  FileSystem,
  InitOptions,
  SessionOptions,
  WorkspaceOptions,
} from './workspace/opening/workspace-options.ts';
export type { Session } from './workspace/session.ts';
export { initRepository, type MemoryFs, memoryFs, openWorkspace } from './workspace/start.ts';
