/** A page that shares a history through a git server of another origin: no git, no disk, one server that allows it. */

import { copyFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CHROMIUM, NO_BROWSER, startBrowser } from '../helpers/browser.ts';
import { edit, git, serverRefs, shared, using } from '../helpers/clones.ts';
import { httpServer } from '../helpers/git-servers.ts';
import { BUNDLERS, type Bundle, published } from '../helpers/published.ts';

/** Serves the page from an origin of its own until the test ends. */
async function serve({ files, entry }: Bundle): Promise<string> {
  const html = `<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/${entry}"></script>`;
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname.slice(1);
    const body = path === '' ? html : files.get(path);
    response.writeHead(body === undefined ? 404 : 200, {
      'Content-Type': path === '' ? 'text/html' : 'text/javascript',
    });
    response.end(body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
}

describe.skipIf(CHROMIUM === undefined)(`in a browser${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const package_ = published(['isomorphic-git', 'buffer']);
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    package_.remove();
  });

  it('pushes, fetches and merges over http, with a password, and plain git finds it sound', async () => {
    copyFileSync(join(import.meta.dirname, 'remote-story.js'), join(package_.folder, 'remote-story.js'));
    const origin = await serve(await BUNDLERS.esbuild!(package_.folder, 'remote-story.js'));
    const { server, ada } = shared({ 'list.txt': 'one\ntwo\nthree\nfour\n', 'other.txt': 'x\n' });
    await edit(ada, 'list.txt', 'four', 'vier', 'ada-agent');
    const theirs = (await using(ada, one => one.push({ git }))).data.clone!;
    const { url } = await httpServer(server, { auth: 'page:s3cret', cors: true });
    const page = await (await browser.newContext()).newPage();
    const problems: string[] = [];
    page.on('pageerror', error => problems.push(error.message));
    page.on('console', message => {
      // A browser tells of each 401, which is how a server asks for a password.
      if (!message.text().includes('401')) problems.push(message.text());
    });
    await page.goto(origin);
    await page.waitForFunction(() => 'run' in globalThis);
    type Run = { run(given: object): Promise<Record<string, unknown>> };
    const story = await page.evaluate(given => (globalThis as unknown as Run).run(given), {
      url,
      user: 'page',
      password: 's3cret',
    });
    expect(problems).toEqual([]);
    expect(story).toEqual({
      refused: ['REMOTE_FAILED', true],
      // Once for each call.
      asked: 4,
      clone: expect.stringMatching(/^page-\d{8}$/),
      pushed: ['pushed'],
      fetched: 1,
      again: 'Nothing new in 1 history at origin.',
      op: 'merge',
      last: ['pushed'],
      log: ['merge', 'str_replace page'],
      faults: [],
      text: 'uno\ntwo\nthree\nvier\n',
    });
    const ref = `refs/vedit-peers/${story.clone}/trail/main`;
    expect(serverRefs(server)).toEqual(
      ['refs/heads/main', ref, `refs/vedit-peers/${theirs}/trail/main`].sort(),
    );
    expect(server.git('show', `${ref}:list.txt`)).toBe('uno\ntwo\nthree\nvier');
    expect(server.git('fsck', '--strict')).not.toMatch(/error|missing/);
    await using(ada, one => one.fetch({ git }));
    await using(ada, one => one.merge({ peer: String(story.clone) }));
    expect(ada.read('list.txt')).toBe('uno\ntwo\nthree\nvier\n');
  });
});
