/** Other pages of the same browser, and texts that are no text: none of them gets at the live page, or is more than shown in it. */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHROMIUM, NO_BROWSER, textOf } from '../../../../helpers/browser.ts';
import { type Place, personRepo } from '../../../../helpers/person-repo.ts';
import { looking, startWatch, vedit } from './watching.ts';

function shop(): Place {
  const repo = personRepo({ 'a.txt': 'one\n' });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  return repo;
}

/** Another server of this machine, as an agent's own development server is; it keeps what it is asked. */
async function otherServer(page: string): Promise<{ origin: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** A tab of the same browser with the other server's page. */
async function otherTab(context: BrowserContext, origin: string): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(origin);
  return tab;
}

describe.skipIf(CHROMIUM === undefined)(`the live page${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const look = looking();

  it('is out of reach for a page of another port: requests, forms, images, scripts, storage, a frame, a window', async () => {
    const repo = shop();
    await vedit(repo, 'replace', 'a.txt', 'one', 'two', '--agent', 'fixer');
    const { address } = await startWatch(repo);
    const { page } = await look(address);
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    const { origin } = new URL(address);
    const other = await otherServer('<!doctype html><title>other</title><body>');
    const tab = await otherTab(page.context(), other.origin);
    const got = await tab.evaluate(async at => {
      const tried = async (path: string, init?: RequestInit): Promise<string> =>
        fetch(`${at}${path}`, init).then(
          async response => `${response.type} ${await response.text()}`,
          error => error.name,
        );
      const json = { 'Content-Type': 'application/json', Authorization: 'Bearer x' };
      const image = new Image();
      const loaded = new Promise<string>(resolve => {
        image.onload = () => resolve('loaded');
        image.onerror = () => resolve('refused');
      });
      image.src = `${at}/`;
      const script = document.createElement('script');
      const ran = new Promise<string>(resolve => {
        script.onload = () => resolve('ran');
        script.onerror = () => resolve('refused');
      });
      script.src = `${at}/api/history`;
      document.head.append(script);
      return {
        plain: await tried('/api/history'),
        opaque: await tried('/api/act', { method: 'POST', mode: 'no-cors', body: '{"act":"undo"}' }),
        preflight: await tried('/api/act', { method: 'POST', headers: json, body: '{"act":"undo"}' }),
        page: await tried('/'),
        image: await loaded,
        script: await ran,
        storage: [sessionStorage.length, localStorage.length, document.cookie],
      };
    }, origin);
    expect(got).toEqual({
      plain: 'TypeError',
      opaque: 'TypeError',
      preflight: 'TypeError',
      page: 'TypeError',
      image: 'refused',
      script: 'refused',
      storage: [0, 0, ''],
    });
    await tab.evaluate(at => {
      const form = document.createElement('form');
      Object.assign(form, {
        action: `${at}/api/act`,
        method: 'POST',
        enctype: 'text/plain',
        target: 'there',
      });
      const field = document.createElement('input');
      Object.assign(field, { name: '{"act":"undo","x":"', value: '"}' });
      form.append(field);
      const frame = document.createElement('iframe');
      frame.name = 'there';
      const inside = document.createElement('iframe');
      inside.src = `${at}/`;
      document.body.append(frame, form, inside);
      form.submit();
    }, origin);
    await tab.waitForTimeout(500);
    const frames = tab.frames().filter(one => one !== tab.mainFrame());
    for (const frame of frames) expect(await frame.locator('#list').count()).toBe(0);
    expect(repo.read('a.txt')).toBe('two\n');
    // A page that opens it gets no hold of it: openers are cut off.
    const isCut = await tab.evaluate(at => {
      const opened = window.open(at);
      return new Promise(resolve => setTimeout(() => resolve(!opened || opened.closed), 500));
    }, origin);
    expect(isCut).toBe(true);
  });

  it('is not sent by a name that somebody rebound to this machine', async () => {
    const repo = shop();
    const { address } = await startWatch(repo);
    const { page } = await look(address);
    const tab = await page.context().newPage();
    const port = new URL(address).port;
    const response = await tab.goto(`http://rebound.localhost:${port}/`);
    expect(response!.status()).toBe(403);
    expect(await tab.content()).not.toContain('id="list"');
    const read = await tab.evaluate(async () => (await fetch('/api/history')).status).catch(() => 'refused');
    expect(['refused', 403]).toContain(read);
  });

  it('needs its ticket once: neither a second tab nor an old address gets in, and they say what to do', async () => {
    const repo = shop();
    const { address } = await startWatch(repo);
    const { page } = await look(address);
    await expect.poll(() => textOf(page, '#live-state')).toBe('Live');
    for (const again of [address, new URL(address).origin, `${new URL(address).origin}/#ticket=x`]) {
      const { page: second, problems } = await look(again);
      await expect.poll(() => textOf(second, '#notice')).toMatch(/needs an address that vedit watch printed/);
      expect(await second.locator('.row').count()).toBe(0);
      expect(await textOf(second, '#main')).not.toContain('Nothing was edited');
      problems.splice(0);
    }
    await page.reload();
    await expect.poll(() => textOf(page, '#live-state')).toBe('Live');
  });

  it('keeps its token out of history, addresses, referrers, processes and what is printed', async () => {
    const repo = shop();
    const { address, child, said } = await startWatch(repo);
    const ticket = address.split('=')[1]!;
    const { page } = await look(address);
    const asked: string[] = [];
    page.on('request', request =>
      asked.push(request.url(), request.headers().referer ?? '', request.headers().cookie ?? ''),
    );
    await expect.poll(() => textOf(page, '#live-state')).toBe('Live');
    await vedit(repo, 'replace', 'a.txt', 'one', 'two', '--agent', 'fixer');
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    const bearer = await page.evaluate(() => sessionStorage.getItem('vedit-bearer')!);
    expect(bearer).toMatch(/^[\w-]{43}$/);
    const places = await page.evaluate(() => [
      location.href,
      document.referrer,
      document.cookie,
      JSON.stringify(history.state),
      JSON.stringify({ ...localStorage }),
    ]);
    const processes = execFileSync('ps', ['axww', '-o', 'args']).toString();
    const environment = readFileSync(`/proc/${child.pid}/environ`, 'utf8');
    const files = readdirSync(repo.path('.git'), { recursive: true, withFileTypes: true })
      .filter(one => one.isFile())
      .map(one => readFileSync(`${one.parentPath}/${one.name}`, 'latin1'));
    for (const secret of [bearer, ticket])
      for (const text of [...asked, ...places, processes, environment, ...files])
        expect(text.includes(secret)).toBe(false);
    expect(said()).not.toContain(bearer);
    const length = await page.evaluate(() => history.length);
    for (let n = 0; n < length - 1; n++) await page.goBack().catch(() => {});
    expect(page.url()).not.toContain('ticket');
  });

  it('shows hostile names, reasons, contents and agents as text, while they come', async () => {
    const repo = shop();
    const { address } = await startWatch(repo);
    const { page } = await look(address);
    await expect.poll(() => textOf(page, '#live-state')).toBe('Live');
    const texts = [
      '<img src=x onerror="globalThis.hit = 1">',
      '</script><script>globalThis.hit = 1</script>',
      'javascript:globalThis.hit=1',
    ];
    const session = await repo.open();
    for (const [n, text] of texts.entries()) {
      const agent = session.session({ id: `s${n} ${text}`, agent: text, model: text });
      const input = {
        path: `${text.replaceAll('/', '_')}.txt`,
        file_text: `${text}\u202e\n`,
        reason: `${text}\u200b`,
      };
      await agent.edit('create', input);
    }
    await expect.poll(() => page.locator('.row').count()).toBe(3);
    await page.keyboard.press('1');
    await expect.poll(() => page.locator('.review-hunk').count()).toBe(3);
    await expect.poll(() => page.locator('.worker').count()).toBe(3);
    for (const key of ['2', '3', '1']) {
      await page.keyboard.press(key);
      expect(await page.locator('img, iframe, script[src], a, object').count()).toBe(0);
    }
    expect(await textOf(page, '.review-hunk')).toContain(texts[0]!);
    expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined();
    expect(await page.evaluate(() => document.querySelectorAll('script').length)).toBe(1);
    await repo.close();
  });
});
