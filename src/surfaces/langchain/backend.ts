/**
 * The file system of a deep agent (`createDeepAgent({ backend })`, its backend protocol in version 2): its file tools
 * then make commits. Paths are absolute there, `/` being the workspace. Errors are answered, never thrown.
 */

import type { DoneData } from '../../engine/answer.ts';
import { type CallOptions, checkCall } from '../../engine/calls/cancel.ts';
import { EditError } from '../../errors.ts';
import { filesBelow, listingOf, lookAt } from '../../tools/dialects/files.ts';
import { runTool } from '../../tools/index.ts';
import { type Run, run, type ToolResult, textOf } from '../../tools/run.ts';
import type { Vocabulary } from '../../wording.ts';
import type { Session } from '../../workspace/session.ts';
import { globTest } from './glob.ts';

interface FileInfo {
  path: string;
  is_dir?: boolean;
}

interface Page {
  error?: string;
  content?: string;
  mimeType?: string;
  totalLines?: number;
  startLine?: number;
  endLine?: number;
  nextOffset?: number;
}

interface Done {
  error?: string;
  path?: string;
  occurrences?: number;
  metadata?: Record<string, unknown>;
}

interface Match {
  path: string;
  line: number;
  text: string;
}

interface FileData {
  content: string;
  mimeType: string;
  created_at: string;
  modified_at: string;
}

/** The methods that deepagents calls. */
export interface DeepAgentsBackend {
  ls(path: string): Promise<{ error?: string; files?: FileInfo[] }>;
  read(path: string, offset?: number, limit?: number): Promise<Page>;
  readRaw(path: string): Promise<{ error?: string; data?: FileData }>;
  write(path: string, content: string): Promise<Done>;
  edit(path: string, oldString: string, newString: string, replaceAll?: boolean): Promise<Done>;
  delete(path: string): Promise<Done>;
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<{ error?: string; matches?: Match[]; truncated?: boolean }>;
  glob(pattern: string, path?: string): Promise<{ error?: string; files?: FileInfo[] }>;
}

/** The file tools of deepagents, and what they call the fields. Paths begin with `/` there. */
const VOCABULARY: Vocabulary = {
  tools: { view: 'read_file', list: 'ls', create: 'write_file', str_replace: 'edit_file', delete: 'delete' },
  fields: {
    path: 'file_path',
    old_str: 'old_string',
    new_str: 'new_string',
    file_text: 'content',
    base: null,
    allow_secret: null,
    version: null,
    overwrite: null,
  },
  path: path => (path === '.' ? '/' : `/${path}`),
};

/**
 * deepagents passes its backend no signal: `signal` is that of the run which the backend is made for. A call that it
 * stops rejects with its reason. Throws INVALID_INPUT.
 */
export function deepAgentsBackend(outer: Session, options: CallOptions = {}): DeepAgentsBackend {
  checkCall('deepAgentsBackend', options);
  const call: Run = {
    op: 'deepagents',
    shown: false,
    vocabulary: VOCABULARY,
    signal: options.signal,
    limit: 'whole',
  };
  /** Each of its functions is one call of the session, of however many steps, whose messages no agent is shown. */
  const answered = async <T extends object>(
    work: (session: Session) => Promise<T>,
  ): Promise<T | { error: string }> => {
    const result = await run(outer, call, async session => ({
      ok: true,
      message: '',
      data: await work(session),
    }));
    return result.ok ? (result.data as T) : { error: textOf(result) };
  };
  return {
    ls: path => answered(session => list(session, path)),
    read: (path, offset = 0, limit = 500) => answered(session => readPage(session, path, offset, limit)),
    readRaw: path => answered(session => readRaw(session, path)),
    write: (path, content) =>
      answered(session => edited(session, path, 'create', { file_text: content, overwrite: true })),
    edit: (path, oldString, newString, replaceAll = false) =>
      answered(session =>
        replace(session, path, { old_str: oldString, new_str: newString, replace_all: replaceAll }),
      ),
    delete: path => answered(session => remove(session, path)),
    grep: (pattern, path, glob, maxCount) =>
      answered(session =>
        search(session, pattern, path ?? '/', glob ?? '**', maxCount ?? Number.POSITIVE_INFINITY),
      ),
    glob: (pattern, path = '/') =>
      answered(async session => ({ files: (await matching(session, pattern, path)).map(fileInfo) })),
  };
}

function checkText(name: string, given: unknown): void {
  if (typeof given === 'string') return;
  throw new EditError(
    'INVALID_INPUT',
    `${name} must be a text, not ${JSON.stringify(given) ?? 'undefined'}.`,
    {},
  );
}

/** Returns the path in the workspace: `a/b` for `/a/b`, '' for `/`. */
function inner(path: string): string {
  checkText('The path', path);
  return path.replace(/^\/+/, '').replace(/\/+$/, '');
}

function fileInfo(path: string): FileInfo {
  return { path: `/${path}`, is_dir: path.endsWith('/') };
}

async function list(session: Session, path: string): Promise<{ files: FileInfo[] }> {
  const folder = inner(path);
  const depth = folder === '' ? 1 : folder.split('/').length + 1;
  const { entries, folderLinks } = await listingOf(session, folder);
  const own = entries.filter(entry => entry.replace(/\/$/, '').split('/').length === depth);
  return { files: own.map(entry => fileInfo(folderLinks.has(entry) ? `${entry}/` : entry)) };
}

async function readPage(session: Session, path: string, offset: number, limit: number): Promise<Page> {
  const name = inner(path);
  const { lines } = await whole(session, name, 1);
  if (offset < 0 || (offset > 0 && offset >= lines)) throw outsideFile(name, offset, lines);
  if (limit < 1) throw new EditError('INVALID_INPUT', `limit ${limit} shows no lines. Give 1 or more.`, {});
  const end = Math.min(offset + limit, lines);
  const viewRange = lines === 0 ? undefined : [offset + 1, end];
  const { data } = await session.view({ path: name, viewRange, maxCharacters: Number.MAX_SAFE_INTEGER });
  const { text } = data as unknown as Content;
  const page: Page = {
    // As its own backends: what `split` gives after the last line end is one line more of the page.
    content: offset + limit > lines ? text : text.replace(/\n$/, ''),
    mimeType: 'text/plain',
    totalLines: lines,
    startLine: offset + 1,
    endLine: end,
  };
  return end < lines ? { ...page, nextOffset: end } : page;
}

function outsideFile(path: string, offset: number, lines: number): EditError {
  const where = offset < 0 ? 'before the beginning' : 'past the end';
  const message = `offset ${offset} is ${where} of /${path}, which has ${lines} lines. Give 0 <= offset < ${lines}.`;
  return new EditError('LINE_OUT_OF_RANGE', message, { path, min: 0, max: lines - 1, line_count: lines });
}

interface Content {
  text: string;
  lines: number;
}

/** Reads a file for searching and counting: the agent has not been shown it. Throws IS_DIRECTORY. */
async function whole(session: Session, path: string, most = Number.MAX_SAFE_INTEGER): Promise<Content> {
  const { data } = await session.read({ path: path === '' ? '.' : path, maxCharacters: most });
  if ('entries' in data)
    throw new EditError('IS_DIRECTORY', `/${path} is a folder. Name a file; ls lists the folder.`, { path });
  return data as unknown as Content;
}

async function readRaw(session: Session, path: string): Promise<{ data: FileData }> {
  const { text } = await whole(session, inner(path));
  const times: string[] = [];
  for await (const { time } of session.entries({ path: inner(path) })) times.push(time);
  const [newest = UNKNOWN, oldest = newest] = [times[0], times.at(-1)];
  return { data: { content: text, mimeType: 'text/plain', created_at: oldest, modified_at: newest } };
}

/** The time of a file that was never edited here. */
const UNKNOWN = new Date(0).toISOString();

async function edited(session: Session, path: string, tool: string, input: object): Promise<Done> {
  if (inner(path) === '')
    throw new EditError('INVALID_INPUT', '/ is the workspace itself. Name a file or folder in it.', {});
  return done(path, await runTool(session, tool, { path: inner(path), ...input }));
}

function done(path: string, result: ToolResult): Done {
  if (!result.ok) return { error: textOf(result) };
  const { commit, parent, paths, subject } = result.data as DoneData;
  return { path, metadata: { commit, parent, paths, subject } };
}

async function replace(
  session: Session,
  path: string,
  input: { old_str: string; new_str: string; replace_all: boolean },
): Promise<Done> {
  const before = input.replace_all ? await whole(session, inner(path)).catch(() => null) : null;
  const answer = await edited(session, path, 'str_replace', input);
  const occurrences = before === null ? 1 : lf(before.text).split(lf(input.old_str)).length - 1;
  return answer.error === undefined ? { ...answer, occurrences } : answer;
}

/** Makes LF of CRLF: an edit takes both for the same. */
function lf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Deletes a file, or a folder with all that is in it, as one commit; the workspace itself stays. */
async function remove(session: Session, path: string): Promise<Done> {
  const name = inner(path);
  const isFolder = name !== '' && (await lookAt(session, name)).kind === 'folder';
  return edited(session, path, 'delete', isFolder ? { recursive: true } : {});
}

async function matching(session: Session, pattern: string, path: string): Promise<string[]> {
  checkText('The pattern', pattern);
  const folder = inner(path);
  const prefix = folder === '' ? '' : `${folder}/`;
  const fits = globTest(pattern);
  const files = await filesBelow(session, folder);
  return files.filter(file => fits(file.slice(prefix.length)));
}

/** Lines that hold the text as it is. Files that are no text are passed over. */
async function search(
  session: Session,
  pattern: string,
  path: string,
  glob: string,
  most: number,
): Promise<{ matches: Match[]; truncated?: boolean }> {
  checkText('The pattern', pattern);
  const matches: Match[] = [];
  for (const file of await searched(session, path, glob)) {
    const read = await whole(session, file).catch(() => null);
    for (const [index, text] of (read?.text ?? '').split(/\r?\n/).entries()) {
      if (!text.includes(pattern)) continue;
      if (matches.length >= most) return { matches, truncated: true };
      matches.push({ path: `/${file}`, line: index + 1, text });
    }
  }
  return { matches };
}

/** The path may be a file. */
async function searched(session: Session, path: string, glob: string): Promise<string[]> {
  const name = inner(path);
  if (name === '') return matching(session, glob, path);
  const { data } = await session.read({ path: name, maxCharacters: 1 });
  return 'entries' in data ? matching(session, glob, path) : [name];
}
