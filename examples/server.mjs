/**
 * A server with a workspace for each user: `node server.mjs <folder> [port]`. Before it, put what tells who asks.
 *
 *   POST /<user>/tools/<name>   {"path": ..., ...}   runs a tool; 200, or 409 with the code and the words of the refusal
 *   POST /<user>/undo                                takes the last edit back
 *   GET  /<user>/log                                 the edits, newest first
 */

import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { initRepository, openWorkspace, runTool } from 'versioned-edit';

const NAME = /^[a-z][a-z0-9-]{0,40}$/;

export function editServer(folder) {
  const workspaces = new Map();
  const workspaceOf = user => {
    const open = async () => {
      const root = join(resolve(folder), user);
      await initRepository({ root });
      return openWorkspace({ root });
    };
    // One for each user, however many ask at once; one that could not be opened is tried again.
    if (!workspaces.has(user)) workspaces.set(user, open());
    workspaces.get(user).catch(() => workspaces.delete(user));
    return workspaces.get(user);
  };
  const server = createServer(async (request, response) => {
    const answer = (status, body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    try {
      const [, user, what, name] = request.url.split('/');
      if (!NAME.test(user)) return answer(404, { message: 'no such user' });
      const session = (await workspaceOf(user)).session({ agent: 'web', id: user });
      if (request.method === 'GET' && what === 'log') return answer(200, (await session.log()).data);
      const input = JSON.parse((await textOf(request)) || '{}');
      const tool = what === 'tools' ? name : what;
      const result = await runTool(session, tool, input);
      return answer(result.ok ? 200 : 409, result);
    } catch (error) {
      return answer(400, { message: error.message });
    }
  });
  server.on('close', async () => {
    for (const workspace of workspaces.values()) await (await workspace).close();
  });
  return server;
}

async function textOf(request) {
  let text = '';
  for await (const part of request) {
    text += part;
    if (text.length > 1_000_000) throw new Error('too long');
  }
  return text;
}

if (process.argv[1] === import.meta.filename) {
  const [folder = 'users', port = 8080] = process.argv.slice(2);
  editServer(folder).listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/ada/log`));
}
