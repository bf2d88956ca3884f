/**
 * Agent Zero's `text_editor` on versioned files: one tool with an action, read, write or patch, with its three forms of a
 * patch, its way of showing files, and its prompt. https://github.com/agent0ai/agent-zero (plugins/_text_editor)
 */

import { EditError, initRepository, openWorkspace, runTool } from 'versioned-edit';
import { textOf } from 'versioned-edit/tools';

const ACTIONS = {
  read: { verb: 'reading', fields: ['path', 'line_from', 'line_to'] },
  write: { verb: 'writing', fields: ['path', 'content', 'version', 'reason'] },
  patch: {
    verb: 'patching',
    fields: ['path', 'old_text', 'new_text', 'patch_text', 'edits', 'version', 'reason'],
  },
};

const SHARED = ['open_in_canvas', 'context_id'];

const ALIASES = {
  path: ['file_path', 'file', 'filename'],
  content: ['file_text', 'text'],
  line_from: ['from', 'start_line'],
  line_to: ['to', 'end_line'],
  open_in_canvas: ['open_canvas', 'open_document'],
  context_id: ['ctxid'],
};

/** The engine's tools and fields as this tool has them. */
const VOCABULARY = {
  tools: {
    view: 'read',
    list: '',
    create: 'write',
    str_replace: 'patch',
    edit_lines: 'patch',
    context_patch: 'patch',
  },
  fields: {
    ...{ old_str: 'old_text', new_str: 'new_text', file_text: 'content' },
    ...{ base: null, allow_secret: null, on_stale: null, overwrite: null, exact: null, replace_all: null },
  },
};

const SETTINGS = {
  name: 'text_editor',
  default_line_count: 200,
  max_line_tokens: 500,
  max_total_read_tokens: 6_000,
  countTokens: text => Math.ceil(text.length / 4),
};

/** Makes the tool for one agent. What it read is remembered: it may not save over a file that changed since. */
export function textEditor(session, options = {}) {
  const settings = { ...SETTINGS, ...present(options) };
  const seen = new Map();
  const execute = async (args, toolName = '', { signal } = {}) => {
    let asked = null;
    const call = async own => {
      try {
        asked = askedBy(Object(args), toolName);
        return await CALLS[asked.action](own, asked, settings, seen);
      } catch (error) {
        const { code, message, data, retryable } = await own.refused('text_editor', error);
        return { ok: false, code, message, data, retryable };
      }
    };
    const known = session.moment();
    const done = await session.inTurn(call, { vocabulary: VOCABULARY, signal, known, tells: false });
    // What a person rejected, which the agent is to know.
    const told = await session.rejections(known, args, done.data, VOCABULARY);
    const result = told ? { ...done, message: `${done.message}\n${told.message}` } : done;
    if (result.ok && isTrue(asked.fields.open_in_canvas)) session.open(fileOf(result, asked.path));
    return response(settings.name, asked, result);
  };
  return { name: settings.name, prompt: prompt(settings), execute };
}

/** Without fields that are `null`: one tool with many actions is sent the fields of all of them. */
function present(fields) {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

function askedBy({ action: given, ...raw }, toolName) {
  const word = given ?? toolName.split(':')[1];
  const action = typeof word === 'string' ? word.toLowerCase() : '';
  const known = Object.keys(ACTIONS).join(', ');
  if (!Object.hasOwn(ACTIONS, action))
    throw invalid(`unknown action '${action.slice(0, 40)}'. Supported actions: ${known}`);
  const names = [...ACTIONS[action].fields, ...SHARED];
  const fields = {};
  for (const [name, value] of Object.entries(present(raw))) {
    const own = names.find(one => one === name || ALIASES[one]?.includes(name));
    if (own === undefined)
      throw invalid(`there is no field \`${name}\` in ${action}. Its fields are ${names.join(', ')}`);
    fields[own] = own.startsWith('line_') ? number(value) : value;
  }
  for (const name of action === 'write' ? ['path', 'content'] : ['path'])
    if (typeof fields[name] !== 'string') throw invalid(`\`${name}\` is required (a text)`);
  return { action, path: fields.path, fields };
}

/** Models send line numbers in quotes. */
function number(value) {
  return typeof value === 'string' && /^-?\d{1,9}$/.test(value.trim()) ? Number(value) : value;
}

/** Reads a switch, which models word in many ways. */
function isTrue(value) {
  return ['1', 'true', 'yes', 'y', 'on'].includes(String(value).trim().toLowerCase());
}

function invalid(message) {
  return new EditError('INVALID_INPUT', `${message}. Nothing was done.`, {});
}

const ALL = Number.MAX_SAFE_INTEGER;

const CALLS = {
  async read(session, { path, fields }, settings, seen) {
    // Looked at first without counting as shown, for the lines that are asked for may not be there.
    const { data } = await session.read({ path, maxCharacters: 1 });
    if ('entries' in data) throw isFolder(path, (await session.read({ path, maxEntries: 100 })).data.entries);
    const { path: file, lines, version } = data;
    const first = Math.max(fields.line_from ?? 1, 1);
    const to = fields.line_to;
    if (to !== undefined && to !== -1 && to < first) {
      const words = `line_to ${to} is before line_from ${first}. Give 1 <= line_from <= line_to; ${path} has ${lines} lines, and -1 as line_to is its last.`;
      throw new EditError('LINE_OUT_OF_RANGE', words, { path, min: first, max: lines, line_count: lines });
    }
    const done = message => ({ ok: true, message, data: { path: file, version } });
    if (first > Math.max(lines, 1)) return done(`${path} ${lines} lines\n>>>\n\n<<<`);
    const last = to === -1 ? lines : (to ?? first + settings.default_line_count - 1);
    const range = lines === 0 ? {} : { view_range: [first, Math.min(last, lines)] };
    const view = await runTool(session, 'view', { path, ...range, max_characters: ALL }, { whole: true });
    if (!view.ok) return view;
    seen.set(file, version);
    const { text, warnings } = framed(view.data.text, first, settings);
    return done(`${path} ${lines} lines${warnings}\n>>>\n${text}\n<<<`);
  },

  /** Saves the whole file; not over one that somebody changed since it was read. */
  async write(session, { path, fields }, _, seen) {
    const file = await session.read({ path, maxCharacters: 1 }).then(
      ({ data }) => data.path,
      error => error.data?.path ?? path,
    );
    const { content: file_text, version = seen.get(file), reason } = fields;
    const input = { path, file_text, overwrite: true, version, reason };
    return noted(session, path, seen, await runTool(session, 'create', input), (lines, { op, paths }) => {
      const over =
        op === 'create' ? '' : `, over a file that was there (+${paths[0].added} -${paths[0].removed})`;
      return `${path} written ${lines} lines${over}`;
    });
  },

  async patch(session, { path, fields }, settings, seen) {
    const { tool, count, ...own } = patchForm(fields);
    const { version, reason } = fields;
    const result = await runTool(session, tool, { path, ...own.input, version, reason });
    return noted(session, path, seen, result, async (lines, { diff }) => {
      const hunks = [...diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)];
      const from = Math.max(1, Number(hunks[0][1]));
      const to = Number(hunks.at(-1)[1]) + Number(hunks.at(-1)[2] ?? 1) - 1;
      const { data } = await session.read({
        path,
        ...(to >= from && { viewRange: [from, to] }),
        maxCharacters: ALL,
      });
      const region = to < from ? '' : framed(data.text, from, settings).text;
      return `${path} patched ${count} edits applied ${lines} lines now\n>>>\n${region}\n<<<`;
    });
  },
};

/** Makes an edit of the engine of a patch, which has exactly one of three forms. */
function patchForm({ old_text, new_text, patch_text, edits }) {
  const isReplace = old_text !== undefined || new_text !== undefined;
  const forms = [isReplace, patch_text !== undefined, edits !== undefined].filter(Boolean).length;
  if (forms > 1) throw invalid('provide exactly one patch form: edits, patch_text, or old_text/new_text');
  if (forms === 0) throw invalid('edits, patch_text, or old_text/new_text is required for patch');
  if (isReplace) {
    if (!old_text) throw invalid('old_text is required for exact replace');
    if (new_text === undefined)
      throw invalid('new_text is required with old_text; to delete old_text send new_text: ""');
    return { tool: 'str_replace', input: { old_str: old_text, new_str: new_text }, count: 1 };
  }
  if (Array.isArray(edits)) {
    const numbered = edits.map(one => ({ ...one, from: number(one?.from), to: number(one?.to) }));
    return { tool: 'edit_lines', input: { edits: numbered }, count: edits.length };
  }
  if (String(patch_text).trim() === '') throw invalid('patch_text must not be empty');
  return { tool: 'context_patch', input: { patch_text }, count: hunksOf(String(patch_text)) };
}

/** A hunk ends where an anchor follows lines. */
function hunksOf(patch) {
  const lines = patch.split('\n').filter(line => !line.startsWith('***'));
  return lines.filter((line, at) => at === 0 || (line.startsWith('@@') && !lines[at - 1].startsWith('@@')))
    .length;
}

/** Words a done edit as Agent Zero does; the version it made is the one that the agent knows now. */
async function noted(session, path, seen, result, words) {
  if (!result.ok) return result;
  for (const { path: file, version } of result.data.paths) if (version) seen.set(file, version);
  try {
    const { lines } = (await session.read({ path, maxCharacters: 1 })).data;
    return { ...result, message: await words(lines, result.data) };
  } catch {
    // Somebody else took the file away meanwhile: the edit is done all the same, and the engine has words for it.
    return result;
  }
}

function isFolder(path, entries) {
  const more = entries.length > 40 ? ` and ${entries.length - 40} more` : '';
  const holds = entries.length === 0 ? 'It is empty.' : `It holds ${entries.slice(0, 40).join(', ')}${more}.`;
  return new EditError('IS_DIRECTORY', `${path} is a folder. Name a file in it. ${holds}`, { path });
}

/** Lines with numbers, long ones cropped, and no more than a model should read at once. */
function framed(content, first, { max_line_tokens: most, max_total_read_tokens: total, countTokens }) {
  const lines = content === '' ? [] : content.replace(/\r?\n$/, '').split(/\r?\n/);
  const width = String(first + lines.length - 1).length;
  const [kept, cropped] = [[], []];
  let left = total;
  for (const [at, line] of lines.entries()) {
    const tokens = countTokens(line);
    if (tokens > most) cropped.push(first + at);
    const short =
      tokens > most ? `${line.slice(0, Math.floor((line.length * most) / tokens)).toWellFormed()}...` : line;
    left -= countTokens(short);
    if (left < 0 && kept.length > 0) break;
    kept.push(`${String(first + at).padStart(width)} ${short}`);
  }
  const warnings = [
    ...(cropped.length > 0
      ? [`long lines ${cropped.join(', ')} cropped - use terminal for precise manipulation`]
      : []),
    ...(kept.length < lines.length
      ? [
          `output trimmed at line ${first + kept.length} due to token limit - use line_from/line_to for remaining`,
        ]
      : []),
  ];
  return { text: kept.join('\n'), warnings: warnings.map(one => `\nwarning: ${one}`).join('') };
}

/** Agent Zero's own words, before those of the engine. */
const WORDS = {
  NOT_VIEWED: 'read file before patching - line numbers unknown. ',
  STALE: 'file changed since last read - re-read to get current line numbers. ',
};

/** `asked` is `null` where the arguments were not understood. */
function response(name, asked, result) {
  const respond = (message, more) => {
    return { message, break_loop: false, additional: { _tool_name: name, ...more }, result };
  };
  if (asked === null) return respond(textOf(result), {});
  const { action, path, fields } = asked;
  const extension = /\.[^./]+$/.exec(path)?.[0] ?? '';
  const about = { action, path, extension, format: extension.slice(1) || 'text' };
  if (!result.ok)
    return respond(
      `error ${ACTIONS[action].verb} ${path}: ${WORDS[result.code] ?? ''}${textOf(result)}`,
      about,
    );
  const { context_id: id } = fields;
  const chat = id === undefined ? {} : { context_id: id, ctxid: id };
  return respond(result.message, { ...about, ...chat, open_in_canvas: isTrue(fields.open_in_canvas) });
}

/** The path as the workspace has it. */
function fileOf({ data }, path) {
  return data.path ?? data.paths?.[0]?.path ?? path;
}

/** The prompt of the tool, with the name and the numbers that it is set up with. */
export function prompt(options = {}) {
  const { name, ...most } = { ...SETTINGS, ...options };
  const example = args => `~~~json\n${JSON.stringify({ tool_name: name, tool_args: args })}\n~~~`;
  const canvas =
    '- open_in_canvas (optional): true only if the user asks to open the file in the canvas or the editor; otherwise omit it: an open file refreshes by itself\n- context_id (optional): the chat, for the answer';
  const changing =
    '- version (optional): refuse if the file is another version by now\n- reason (optional): why, for the history';
  return `### ${name}
read, write and patch text files with numbered lines; no binary files, no code execution
for bulk search and replace use the terminal (grep, find, sed); docx, xlsx, pptx, odt: office_artifact
every change is a commit that can be undone
a text that occurs twice, a line number that moved or a file that changed since is refused: read the answer, it says what to send
action may also stand in the tool's name, as in ${name}:read

action read
- path: the file
- line_from (optional): first line, from 1
- line_to (optional): last line, inclusive; -1: the last of the file
${canvas}
without line_from and line_to: the first ${most.default_line_count} lines
a line of more than ${most.max_line_tokens} tokens is cropped; a read ends after ${most.max_total_read_tokens} tokens: use line_from/line_to for the rest
read the surrounding lines before you patch

action write
- path: the file
- content: the whole file
${changing}
${canvas}
creates the file or overwrites it; missing folders are made
for large changes write the file anew rather than send many patches; to change a part of a file, patch it

action patch
- path: the file
- old_text (optional): exact text that occurs once
- new_text (optional): what takes its place; "" deletes it
- patch_text (optional): hunks of @@ anchors and lines with " ", "-" or "+"
- edits (optional): line edits, right after a read of the file; each {from: first line, to: last line; absent: insert before from, content: new lines; absent or empty: delete}
${changing}
${canvas}
exactly one of old_text + new_text, patch_text, edits; the file must be there
- old_text + new_text: the exact present text, which must occur once; best for a simple "change X to Y"; new_text "" deletes it
- patch_text: on the present content, no read needed; lines begin with " " (context), "-" (removed) or "+" (added)
  "@@ " and an exact line of the file is an anchor: lines are inserted after it, or replace the lines that follow it
  to replace: @@ the line before, then -old +new; or @@ the old line itself, then -the same old line +new
  give enough unique context; where text is repeated, add an @@ anchor; never list one line as both context and removed
  it may stand between *** Begin Patch and *** End Patch, with *** Update File: and the path
- edits: only right after a read; from and to are inclusive line numbers of that read, do not adjust them for shifts, no overlaps; end lines with \\n
  {from:2,to:2,content:"x\\n"} replaces, {from:1,to:3,content:"x\\n"} replaces a range, {from:2,to:2} deletes, {from:2,content:"x\\n"} inserts before
  re-read after an insertion, a deletion or a replacement of another number of lines; else patch again without
only name the lines that change, not unchanged ones around them
keep the content valid: close all braces, brackets and tags

${example({ action: 'read', path: '/root/notes.md', line_from: 1, line_to: 50 })}
${example({ action: 'write', path: '/root/notes.md', content: '# Notes\n' })}
${example({ action: 'patch', path: '/root/notes.md', old_text: 'status = draft', new_text: 'status = final' })}
${example({ action: 'patch', path: '/root/notes.md', patch_text: '@@ ## Tasks\n-- [ ] call Ada\n+- [x] call Ada' })}
${example({ action: 'patch', path: '/root/notes.md', edits: [{ from: 2, to: 2, content: 'new line 2\n' }] })}
`;
}

if (import.meta.filename === process.argv[1]) {
  const root = process.cwd();
  await initRepository({ root });
  const workspace = await openWorkspace({ root });
  const editor = textEditor(workspace.session({ agent: 'agent-zero' }));
  console.log((await editor.execute({ action: 'write', path: 'hello.txt', content: 'hello\n' })).message);
  console.log((await editor.execute({ path: 'hello.txt' }, 'text_editor:read')).message);
  await workspace.close();
}
