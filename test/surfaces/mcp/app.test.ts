/** The live page as an MCP App, in a small host in a real browser, with a real `vedit mcp` behind it. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, NO_BROWSER } from '../../helpers/browser.ts';
import { type Connected, connect, SHOWS_APPS } from '../../helpers/mcp-client.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { hosting, type Shown } from './app-host.ts';

/** On a machine that does other work too. */
const SOON = { timeout: 15_000 };

function shop(): Place {
  const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n' });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  return repo;
}

const agent = (repo: Place, ...args: string[]): Promise<Connected> =>
  connect(repo, ['--agent', 'fixer', ...args], {}, SHOWS_APPS);

const edit = ({ call }: Connected, from: string, to: string): Promise<{ text: string; isError: boolean }> =>
  call('str_replace', { path: 'a.txt', old_str: from, new_str: to, reason: `${to} is better` });

async function opened({ client }: Connected): Promise<{ html: string; result: CallToolResult }> {
  const { tools } = await client.listTools();
  const { resourceUri } = tools.find(one => one.name === 'review_page')!._meta!.ui as { resourceUri: string };
  const { contents } = await client.readResource({ uri: resourceUri });
  const result = (await client.callTool({ name: 'review_page', arguments: {} })) as CallToolResult;
  return { html: (contents[0] as { text: string }).text, result };
}

const called = async ({ seen }: Shown): Promise<string[]> =>
  (await seen()).flatMap(one => (one.method === 'tools/call' ? [one.name!] : []));

describe('the tools of a client that shows apps', () => {
  it('are one more for the model, and those of the page, which are for the page alone', async () => {
    const { client } = await agent(shop());
    const { tools } = await client.listTools();
    const visibility = (tool: (typeof tools)[number]): string =>
      ((tool._meta?.ui as { visibility?: string[] } | undefined)?.visibility ?? ['model']).join('+');
    const own = tools.filter(tool => visibility(tool) !== 'model');
    expect(own.map(tool => [tool.name, visibility(tool)])).toEqual([
      ['review_page', 'model+app'],
      ...[
        'history',
        'open',
        'hunks',
        'lines',
        'image',
        'events',
        'accept',
        'accept_listed',
        'edit',
        'comment',
        'claim',
        'reject',
        'take_back',
        'undo',
        'revert',
        'restore',
        'land',
      ].map(one => [`page_${one}`, 'app']),
    ]);
    expect(client.getServerCapabilities()).toHaveProperty('resources');
    expect((await client.listResources()).resources).toMatchObject([
      { uri: 'ui://vedit/edits', mimeType: 'text/html;profile=mcp-app' },
    ]);
    const page = await client.readResource({ uri: 'ui://vedit/edits' });
    expect(page.contents[0]).toMatchObject({ mimeType: 'text/html;profile=mcp-app' });
    await expect(client.readResource({ uri: 'ui://vedit/other' })).rejects.toThrow('not found');
  });

  it('accept nothing for an agent that calls them by name: the ticket is in what only the page is given', async () => {
    const repo = shop();
    const one = await agent(repo);
    await edit(one, 'two', '2');
    const result = (await one.client.callTool({ name: 'review_page', arguments: {} })) as CallToolResult;
    expect(JSON.stringify(result.content)).not.toContain(String(result._meta?.['vedit/ticket']));
    expect(result.structuredContent).toBeUndefined();
    const hunk = { path: 'a.txt', kind: 'lines', lines: { start_line: 2, end_line: 2 } };
    for (const ticket of [undefined, '', 'x', null])
      for (const name of ['page_accept', 'page_reject', 'page_history', 'page_land']) {
        const refused = await one.call(name, { hunk, ticket });
        expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('not for an agent') });
      }
    expect(repo.git('for-each-ref', 'refs/vedit-review')).toBe('');
    expect(repo.read('a.txt')).toContain('2\n');
    const ticket = result._meta?.['vedit/ticket'];
    expect((await one.call('page_accept', { hunk, ticket })).isError).toBe(false);
    expect(repo.git('for-each-ref', 'refs/vedit-review')).not.toBe('');
  });

  it('only show where the server is read-only', async () => {
    const one = await agent(shop(), '--read-only');
    const { tools } = await one.client.listTools();
    const pages = tools.map(tool => tool.name).filter(name => name.startsWith('page_'));
    expect(pages).toEqual([
      'page_history',
      'page_open',
      'page_hunks',
      'page_lines',
      'page_image',
      'page_events',
    ]);
    await expect(one.call('page_accept', {})).rejects.toThrow('There is no tool "page_accept"');
  });
});

describe.skipIf(CHROMIUM === undefined)(`the page in a host${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const show = hosting();

  it('shows the agent’s edits, and takes a yes and a no, of which the agent hears', async () => {
    const repo = shop();
    const one = await agent(repo);
    await edit(one, 'two', '2');
    const shown = await show(one.client, await opened(one));
    const { app } = shown;
    await expect.poll(() => app.locator('.row').count(), SOON).toBe(1);
    await edit(one, 'six', '6');
    await expect.poll(() => app.locator('.row').count(), SOON).toBe(2);
    expect(await app.locator('.row').first().locator('.why').textContent()).toBe('6 is better');
    expect(await app.locator('.live-state').textContent()).toBe('Live');

    await app.locator('#tab-review').click();
    await expect.poll(() => app.locator('.review-hunk').count(), SOON).toBe(2);
    await app.locator('.review-hunk', { hasText: '2 is better' }).locator('h4').click();
    await app.locator('#act-accept').click();
    await expect.poll(() => app.locator('.review-hunk').count(), SOON).toBe(1);
    await app.locator('#act-reject').click();
    await app.locator('#ask-text').fill('words, not digits');
    await app.locator('#ask .main').click();
    await expect.poll(() => repo.read('a.txt'), SOON).toBe('one\n2\nthree\nfour\nfive\nsix\nseven\n');

    const next = await one.call('view', { path: 'a.txt' });
    expect(next.text).toContain('Ada rejected');
    expect(next.text).toContain('words, not digits');
    // A line of one digit is nobody's; one that says something is refused when it comes again.
    expect((await edit(one, 'three', 'three times the price')).isError).toBe(false);
    await expect.poll(() => app.locator('.review-hunk').count(), SOON).toBe(1);
    await app.locator('#act-reject').click();
    await app.locator('#ask-text').fill('too dear');
    await app.locator('#ask .main').click();
    await expect.poll(() => repo.read('a.txt'), SOON).toContain('three\n');
    const again = await edit(one, 'three', 'three times the price');
    expect(again).toMatchObject({ isError: true, text: expect.stringMatching(/^REJECTED: .*too dear/s) });

    await app.locator('#act-back').click();
    await expect.poll(() => repo.read('a.txt'), SOON).toContain('three times the price\n');
    await app.locator('#tab-history').click();
    await app.locator('#act-undo').click();
    await app.locator('#ask .main').click();
    await expect.poll(() => app.locator('#answer-text').textContent(), SOON).not.toBe('');
    expect(await called(shown)).toEqual(
      expect.arrayContaining(['page_accept', 'page_reject', 'page_events']),
    );
    repo.git('fsck', '--strict');
  });

  it('asks while it is seen, with the ticket in no text, and takes the host’s colours and sizes', async () => {
    const repo = shop();
    const one = await agent(repo);
    await edit(one, 'two', '2');
    const hostContext = {
      theme: 'dark',
      displayMode: 'inline',
      availableDisplayModes: ['inline', 'fullscreen'],
      containerDimensions: { maxHeight: 500 },
    };
    const shown = await show(one.client, { ...(await opened(one)), hostContext });
    const { page, app, seen } = shown;
    await expect.poll(() => app.locator('.row').count(), SOON).toBe(1);
    expect(await app.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await page.locator('#sandbox').evaluate(one => (one as HTMLElement).style.height)).toBe('500px');
    await app.locator('#full-screen').click();
    await expect.poll(() => app.locator('#full-screen').textContent(), SOON).toBe('Smaller');

    await page.evaluate(() => scrollTo(0, 2500));
    await sleep(1_500);
    const before = (await called(shown)).length;
    await edit(one, 'six', '6');
    await sleep(3_000);
    expect((await called(shown)).length).toBe(before);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => app.locator('.row').count(), SOON).toBe(2);

    await page.evaluate(() => {
      const { say } = globalThis as unknown as { say(message: object): void };
      say({ method: 'ui/notifications/host-context-changed', params: { theme: 'light' } });
      say({ id: 900, method: 'ui/resource-teardown', params: { reason: 'over' } });
    });
    await expect.poll(() => app.locator('html').getAttribute('data-theme'), SOON).toBe('light');
    await sleep(1_500);
    const ended = (await called(shown)).length;
    await sleep(2_500);
    expect((await called(shown)).length).toBe(ended);
    expect(await app.evaluate(() => location.href + history.length)).not.toContain('#');
    expect((await seen()).some(({ method }) => method === 'ui/open-link')).toBe(false);
  });

  it('is let in again by a server that was started anew, and where the host hands over no answer', async () => {
    const repo = shop();
    const first = await agent(repo);
    await edit(first, 'two', '2');
    const old = await opened(first);
    await first.client.close();
    const second = await agent(repo);
    const shown = await show(second.client, old);
    await expect.poll(() => shown.app.locator('.row').count(), SOON).toBe(1);
    const bare = await show(second.client, { html: old.html });
    await expect.poll(() => bare.app.locator('.row').count(), SOON).toBe(1);
    expect(await called(bare)).toContain('review_page');
  });
});
