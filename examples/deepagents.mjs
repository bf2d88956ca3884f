/**
 * A deep agent whose file tools make commits. What they write, edit and delete goes through a session; they read and search
 * as deepagents' own backend for files on disk does.
 */

import { createDeepAgent, FilesystemBackend } from 'deepagents';
import { isEditError } from 'versioned-edit';

/** What deepagents calls the tools and their fields: a refusal then says what to send instead. Paths begin with `/` there. */
const vocabulary = {
  tools: { view: 'read_file', list: 'ls', create: 'write_file', str_replace: 'edit_file', delete: 'delete' },
  fields: {
    ...{ path: 'file_path', old_str: 'old_string', new_str: 'new_string', file_text: 'content' },
    ...{ base: null, version: null, overwrite: null, allow_secret: null },
  },
  path: path => (path === '.' ? '/' : `/${path}`),
};

const isFile = ({ path }) => !path.startsWith('/.git/');
const lines = text => text.replaceAll('\r\n', '\n');

export class VersionedBackend extends FilesystemBackend {
  /** It would write past the session. */
  uploadFiles = undefined;
  #session;
  #turn;

  /** `rootDir`: the folder of the workspace. `signal`: of the run, for deepagents passes its backend none. */
  constructor({ session, rootDir, signal }) {
    super({ rootDir, virtualMode: true });
    this.#session = session;
    // The agent is shown what a refusal says, and no other message.
    this.#turn = { vocabulary, shown: false, signal };
  }

  async ls(path) {
    const { files } = await super.ls(path);
    return { files: files.filter(isFile) };
  }

  async glob(pattern, path) {
    const { files } = await super.glob(pattern, path);
    return { files: files.filter(isFile) };
  }

  async grep(pattern, path, glob, maxCount) {
    const matches = (await super.grep(pattern, path ?? '/', glob)).matches.filter(isFile);
    const most = maxCount ?? matches.length;
    return { matches: matches.slice(0, most), truncated: matches.length > most };
  }

  write(path, content) {
    return this.#edit('create', path, { file_text: content, overwrite: true });
  }

  async edit(path, oldString, newString, replaceAll = false) {
    const { data } = replaceAll ? await this.readRaw(path).catch(() => ({})) : {};
    const occurrences = data ? lines(data.content).split(lines(oldString)).length - 1 : 1;
    const input = { old_str: oldString, new_str: newString, replace_all: replaceAll };
    return { occurrences, ...(await this.#edit('str_replace', path, input)) };
  }

  delete(path) {
    return this.#edit('delete', path, { recursive: true });
  }

  /** Errors are answered there, never thrown; but the reason of a signal stops the run. */
  async #edit(name, path, input) {
    const call = own => own.edit(name, { path: path.replace(/^\/+/, ''), ...input });
    try {
      const { data } = await this.#session.inTurn(call, this.#turn);
      return { path, metadata: { commit: data.commit } };
    } catch (error) {
      if (isEditError(error)) return { error: `${error.code}: ${error.message}` };
      throw error;
    }
  }
}

/** `session`: of a workspace that is open in `rootDir`. Give it any chat model of LangChain. */
export function deepAgent(model, session, rootDir) {
  return createDeepAgent({ model, backend: new VersionedBackend({ session, rootDir }) });
}
