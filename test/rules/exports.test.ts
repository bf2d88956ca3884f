/** The public names of the library: a change of this list is a change of the interface. */

import { describe, expect, it } from 'vitest';
import { exportedNames } from './exports.ts';
import { sources } from './source.ts';

describe('src/index.ts', () => {
  const text = sources('src').get('src/index.ts')!;

  const names = exportedNames('src/index.ts', text);

  it('exports these values', () => {
    expect(names.filter(name => !name.startsWith('type '))).toMatchInlineSnapshot(`
      [
        "ERROR_CODES",
        "EditError",
        "FAULT_KINDS",
        "edits",
        "entriesBelow",
        "initRepository",
        "memoryFs",
        "memoryStore",
        "openWorkspace",
        "recordChanges",
        "replayChanges",
        "runTool",
        "systemGit",
        "textOf",
        "toolInstructions",
        "tools",
        "toolset",
        "versionOf",
      ]
    `);
  });

  it('exports these types', () => {
    expect(names.filter(name => name.startsWith('type '))).toMatchInlineSnapshot(`
      [
        "type AgentTraceOptions",
        "type Answer",
        "type BackOptions",
        "type BeforeCommit",
        "type CommonInput",
        "type DiffOptions",
        "type DoctorData",
        "type DoctorOptions",
        "type DoneData",
        "type DonePath",
        "type Edit",
        "type ErrorCode",
        "type ErrorData",
        "type ExportEntry",
        "type ExportFile",
        "type ExportSource",
        "type Fault",
        "type FileChange",
        "type Files",
        "type GcData",
        "type GcOptions",
        "type GitCall",
        "type GitResult",
        "type InitOptions",
        "type LandData",
        "type LandOptions",
        "type LandedCommit",
        "type LineRange",
        "type LogEntry",
        "type LogOptions",
        "type MemoryFs",
        "type MemoryStore",
        "type OfferedTool",
        "type PendingChange",
        "type Person",
        "type RecordOptions",
        "type RecordedChange",
        "type RefusalOptions",
        "type RefusalRecord",
        "type RunGit",
        "type Session",
        "type SessionInfo",
        "type SessionOptions",
        "type Span",
        "type Staged",
        "type Store",
        "type StoreChange",
        "type StoreEntry",
        "type StoredFile",
        "type StoredMode",
        "type TextFile",
        "type Timeline",
        "type TimelineEntry",
        "type TimelineFile",
        "type TimelineOptions",
        "type Tool",
        "type ToolResult",
        "type ToolsetOptions",
        "type TraceConversation",
        "type TraceMetadata",
        "type TraceRecord",
        "type TrailInfo",
        "type Verdict",
        "type VerifyData",
        "type VerifyOptions",
        "type ViewInput",
        "type Workspace",
        "type WorkspaceEvent",
        "type WorkspaceOptions",
      ]
    `);
  });

  it('is a list of names and nothing else', () => {
    const statements = text.replace(/\/\*\*.*?\*\//s, '').split(';');
    expect(statements.filter(one => one.trim() && !/^export (type )?\{/.test(one.trim()))).toEqual([]);
  });

  it('exports every name that is not a type at run time', async () => {
    const values = exportedNames('src/index.ts', text).filter(name => !name.startsWith('type '));
    expect(Object.keys(await import('../../src/index.ts')).sort()).toEqual(values);
  });
});

describe('the reader of exports', () => {
  it('tells types from values, and knows both spellings', () => {
    const text = "export type { A } from './a.ts'; export { type B, c, d as e } from './b.ts';";
    expect(exportedNames('a.ts', text)).toEqual(['c', 'e', 'type A', 'type B']);
  });

  it.each(["export * from './a.ts'", 'export const a = 1', 'export default 1'])('refuses %s', text => {
    expect(() => exportedNames('a.ts', text)).toThrow('a.ts');
  });
});
