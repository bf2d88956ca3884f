/**
 * Anthropic's memory tool: files below `/memories`, which here are a folder of the workspace, so that every version of
 * a memory is in history. https://platform.claude.com/docs/en/agents-and-tools/tool-use/memory-tool
 */

import { shortened } from '../../edits/input-problems.ts';
import { EditError } from '../../errors.ts';
import { asEditError } from '../../workspace/failure.ts';
import type { Session } from '../../workspace/session.ts';
import { refusal, type ToolResult } from '../index.ts';
import { type CallOptions, type Fields, given, invalid, isFields, runAs, wordOf } from './call.ts';
import { filesBelow } from './files.ts';

export interface MemoryOptions extends CallOptions {
  /** The folder of the workspace that `/memories` is; default `memories`. */
  folder?: string | undefined;
}

const ROOT = '/memories';

/** Runs one call of the tool. Never throws. */
export async function runMemory(
  session: Session,
  input: unknown,
  options: MemoryOptions = {},
): Promise<ToolResult> {
  if (!isFields(input)) return invalid('The input must be an object with a command and a path.');
  const { command, ...fields } = given(input);
  const run = COMMANDS.get(wordOf(command));
  if (!run) return invalid(`There is no command ${shortened(command)}. ${KNOWN}`, { commands: NAMES });
  const { folder = 'memories' } = options;
  try {
    return await run(session, placedFields(fields, folder), { ...options, folder });
  } catch (error) {
    return refusal(asEditError(error));
  }
}

type Command = (session: Session, fields: Fields, options: MemoryOptions) => Promise<ToolResult>;

const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries<Command>({
    view: async (session, fields, { folder }) => {
      const result = await runAs(session, 'view', fields);
      const isEmpty = !result.ok && result.code === 'FILE_NOT_FOUND' && fields.path === folder;
      return isEmpty ? { ok: true, message: `${ROOT} is empty.`, data: { entries: [] } } : result;
    },
    create: (session, fields, options) => runAs(session, 'create', fields, options),
    str_replace: (session, fields, options) => runAs(session, 'str_replace', fields, options),
    insert: (session, fields, options) => runAs(session, 'insert', fields, options),
    delete: (session, fields, options) =>
      orWholeFolder(session, 'delete', fields, options, path => ({ edit: 'delete', path })),
    rename: (session, { old_path: path, ...fields }, options) =>
      orWholeFolder(session, 'move', { ...fields, path }, options, inner => {
        const target = `${fields.new_path}${inner.slice(String(path).length)}`;
        return { edit: 'move', path: inner, new_path: target };
      }),
  }),
);

const NAMES = [...COMMANDS.keys()];
const KNOWN = `The commands are ${NAMES.join(', ')}.`;

/** The paths as the workspace has them. Throws OUTSIDE_WORKSPACE for one that is not below `/memories`. */
function placedFields(fields: Fields, folder: string): Fields {
  const placed: Record<string, unknown> = { ...fields };
  for (const name of ['path', 'old_path', 'new_path']) {
    const path = fields[name];
    if (typeof path !== 'string') continue;
    const inner = below(ROOT, path) ?? below(folder, path);
    if (inner === null) throw outside(path);
    placed[name] = folder + inner;
  }
  return placed;
}

function outside(path: string): EditError {
  const message = `Paths of memories start with ${ROOT}, as in ${ROOT}/notes.md, unlike ${JSON.stringify(path)}. Nothing was done.`;
  return new EditError('OUTSIDE_WORKSPACE', message, { path });
}

/** `/x` for what lies in the folder, '' for the folder itself. */
function below(folder: string, path: string): string | null {
  const bare = path.replace(/(?<=.)\/+$/, '');
  if (bare === folder) return '';
  return bare.startsWith(`${folder}/`) ? bare.slice(folder.length) : null;
}

/** An edit of one file, or of every file below a folder as one commit. The folder of all memories stays. */
async function orWholeFolder(
  session: Session,
  tool: string,
  fields: Fields,
  options: MemoryOptions,
  edit: (path: string) => object,
): Promise<ToolResult> {
  if (fields.path === options.folder) return invalid(`${ROOT} itself stays. Name something in it.`);
  const result = await runAs(session, tool, fields, options);
  if (result.ok || result.code !== 'IS_DIRECTORY') return result;
  const edits = (await filesBelow(session, String(fields.path))).map(edit);
  return runAs(session, 'change', { edits }, options);
}
