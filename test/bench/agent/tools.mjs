/** The tool sets that are compared, each with `view` and `replace` in the words of its own. All work on files of one folder. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const given = text => ({ text, isError: false });
const refused = error => ({ text: error.message, isError: true });

/** `vedit mcp` and the reference server of files, over the protocol. */
async function overMcp(command, args, cwd, { view, edit }) {
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, cwd, stderr: 'ignore' }));
  const call = async ([name, input]) => {
    try {
      const { content, isError = false } = await client.callTool({ name, arguments: input });
      return { text: content.map(part => part.text ?? '').join('\n'), isError };
    } catch (error) {
      return refused(error);
    }
  };
  return {
    view: path => call(view(path)),
    replace: (...all) => call(edit(...all)),
    close: () => client.close(),
  };
}

export const TOOLS = {
  'versioned-edit': cwd =>
    overMcp(process.execPath, [join(import.meta.dirname, '../../../bin/vedit.js'), 'mcp'], cwd, {
      view: path => ['view', { path }],
      edit: (path, old_str, new_str) => ['str_replace', { path, old_str, new_str }],
    }),
  'MCP filesystem': cwd =>
    overMcp('npx', ['-y', '@modelcontextprotocol/server-filesystem', cwd], cwd, {
      view: path => ['read_text_file', { path: join(cwd, path) }],
      edit: (path, oldText, newText) => [
        'edit_file',
        { path: join(cwd, path), edits: [{ oldText, newText }] },
      ],
    }),
  deepagents: async cwd => {
    const { FilesystemBackend } = await import('deepagents');
    const backend = new FilesystemBackend({ rootDir: cwd, virtualMode: true });
    const text = result => (typeof result === 'string' ? result : JSON.stringify(result));
    return {
      view: async path => given(text(await backend.read(`/${path}`, 0, 2_000))),
      replace: async (path, old, now) => {
        const result = await backend.edit(`/${path}`, old, now);
        return result.error ? refused({ message: result.error }) : given(`Replaced in /${path}`);
      },
      close: () => {},
    };
  },
  // Its apply_patch: a hunk of the old lines and the new ones.
  'OpenAI apply_patch': async cwd => {
    const { applyDiff } = await import('@openai/agents');
    const minus = (sign, text) => text.split('\n').map(line => `${sign}${line}`);
    return {
      view: async path => given(readFileSync(join(cwd, path), 'utf8')),
      replace: async (path, old, now) => {
        try {
          const file = join(cwd, path);
          const diff = ['@@', ...minus('-', old), ...minus('+', now)].join('\n');
          writeFileSync(file, applyDiff(readFileSync(file, 'utf8'), diff));
          return given('Done!');
        } catch (error) {
          return refused(error);
        }
      },
      close: () => {},
    };
  },
};
