/**
 * A small host of MCP Apps in a real browser, as the specification of 2026-01-26 has it for hosts that are web pages: the host's
 * page, a sandbox proxy of another origin with the policy that hosts begin with, and the app in a frame within. What the app
 * asks goes through the official client to a real `vedit mcp`.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { startBrowser } from '../../helpers/browser.ts';
import { toLog } from '../web/page/live/watching.ts';

/** Default of the specification, "Host Behavior": the app may connect to nothing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'self'",
].join('; ');

const PROXY = `<!doctype html><body style="margin:0"><script>
const inner = document.createElement('iframe');
inner.sandbox = 'allow-scripts allow-same-origin allow-forms';
inner.style = 'border:0;width:100%;height:100vh;display:block';
addEventListener('message', ({ source, data }) => {
  if (source === inner.contentWindow) return parent.postMessage(data, '*');
  if (source !== parent) return;
  if (data.method !== 'ui/notifications/sandbox-resource-ready') return inner.contentWindow.postMessage(data, '*');
  document.body.append(inner);
  inner.contentDocument.open();
  inner.contentDocument.write(data.params.html);
  inner.contentDocument.close();
});
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script>`;

const hostPage = (proxy: string): string => `<!doctype html><body><h1>A host</h1>
<iframe id="sandbox" sandbox="allow-scripts allow-same-origin allow-forms" style="width:100%;height:150px"></iframe>
<div style="height:3000px"></div><script>
const frame = document.getElementById('sandbox');
const say = message => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '${proxy}');
window.seen = [];
window.say = say;
const answers = {
  'ui/initialize': async () => ({
    protocolVersion: '2026-01-26',
    hostInfo: { name: 'small-host', version: '1' },
    hostCapabilities: { serverTools: {} },
    hostContext: window.given.hostContext,
  }),
  'tools/call': params => window.callServer(params),
  'ui/request-display-mode': async ({ mode }) => {
    frame.style.height = mode === 'fullscreen' ? '100vh' : '640px';
    return { mode };
  },
};
addEventListener('message', async ({ source, origin, data }) => {
  if (source !== frame.contentWindow || origin !== '${proxy}') return;
  const { id, method, params } = data;
  window.seen.push({ method, name: params?.name, at: Date.now(), params });
  if (method === 'ui/notifications/sandbox-proxy-ready')
    say({ method: 'ui/notifications/sandbox-resource-ready', params: { html: window.given.html } });
  if (method === 'ui/notifications/size-changed') frame.style.height = params.height + 'px';
  if (method === 'ui/notifications/initialized') {
    say({ method: 'ui/notifications/tool-input', params: { arguments: {} } });
    if (window.given.result) say({ method: 'ui/notifications/tool-result', params: window.given.result });
  }
  if (id === undefined || method === undefined) return;
  if (!answers[method]) return say({ id, error: { code: -32601, message: 'Method not found' } });
  try {
    say({ id, result: await answers[method](params) });
  } catch (error) {
    say({ id, error: { code: -32000, message: String(error.message) } });
  }
});
window.begin = given => {
  window.given = given;
  frame.src = '${proxy}/';
};
</script>`;

export interface Shown {
  page: Page;
  /** The app itself. */
  app: Frame;
  /** What went over from the app to the host, the names of called tools among it. */
  seen(): Promise<Array<{ method: string; name?: string; at: number; params?: object }>>;
  /** What the console said, and what was loaded; a test takes out what it means. */
  problems: string[];
}

export interface Given {
  html: string;
  /** Of the tool that opened the app; without it the host hands over nothing. */
  result?: CallToolResult | undefined;
  hostContext?: object;
}

/** For a group of tests: a browser, and a function that shows an app in the host. */
export function hosting(): (client: Client, given: Given) => Promise<Shown> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  return async (client, given) => {
    const proxy = await serving(PROXY, POLICY);
    const host = await serving(hostPage(proxy));
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1100, height: 900 } });
    const page = await context.newPage();
    const problems: string[] = [];
    // The browser says so of the attributes that the specification asks for.
    const isMeant = (text: string): boolean => text.includes('both allow-scripts and allow-same-origin');
    page.on('console', message => {
      if (!isMeant(message.text())) problems.push(`console ${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', error => problems.push(`error: ${error.message}`));
    page.on('request', asked => {
      const url = asked.url();
      const isOwn = [host, proxy].some(origin => url === `${origin}/`) || /^(data|about):/.test(url);
      if (!isOwn) problems.push(`request: ${url}`);
    });
    onTestFinished(async () => {
      await context.close();
      expect(problems).toEqual([]);
    });
    await page.exposeFunction('callServer', (params: { name: string; arguments?: object }) =>
      callFor(client, params),
    );
    await page.goto(host);
    await page.evaluate(all => (globalThis as unknown as { begin(all: object): void }).begin(all), given);
    await expect.poll(() => page.frames().length).toBe(3);
    const seen: Shown['seen'] = () =>
      page.evaluate(() => (globalThis as unknown as { seen: Awaited<ReturnType<Shown['seen']>> }).seen);
    await toLog(page.frames()[2]!);
    return { page, app: page.frames()[2]!, seen, problems };
  };
}

/** A host refuses what an app calls and is not for apps ("Visibility"). */
async function callFor(
  client: Client,
  { name, arguments: input = {} }: { name: string; arguments?: object },
): Promise<CallToolResult> {
  const { tools } = await client.listTools();
  const ui = tools.find(tool => tool.name === name)?._meta?.ui as { visibility?: string[] } | undefined;
  if (!ui?.visibility?.includes('app')) throw new Error(`${name} is not for apps`);
  return client.callTool({ name, arguments: { ...input } }) as Promise<CallToolResult>;
}

async function serving(page: string, policy?: string): Promise<string> {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    ...(policy ? { 'Content-Security-Policy': policy } : {}),
  };
  const server = createServer((request, response) => {
    if (request.url === '/') response.writeHead(200, headers).end(page);
    else response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
