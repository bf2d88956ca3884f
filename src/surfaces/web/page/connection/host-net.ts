/**
 * The live page as an MCP App: what it asks are calls of tools that the host passes on to the server, and of which an agent
 * has none. The host lets the page connect to nothing, so it asks for what happened, while somebody sees it.
 */

import type { Host, ToolAnswer } from './host.ts';
import type { Answered, Connection, Query, Reading } from './net.ts';

export class HostNet implements Connection {
  readonly kind = 'app';
  readonly here = 'Live';
  readonly notIn = 'This page is not let in any more. Ask the agent to show the edits again.';
  readonly gone = 'The server does not answer. What you see is how it was; the page asks again.';
  readonly pace = [1_000, 5_000] as const;
  /** Milliseconds in which a host hands over what the tool answered that opened the page. */
  readonly #handing = 1_500;
  readonly #opener = 'review_page';

  readonly #host: Host;
  #ticket: string | null = null;
  #isSeen = true;
  #look: (isSeen: boolean) => void = () => {};

  constructor(host: Host) {
    this.#host = host;
  }

  /** Waits for the ticket, which comes with the answer of the tool that opened the page; else calls that tool. */
  async enter(): Promise<boolean> {
    const handed = new Promise<void>(resolve => {
      this.#host.onToolResult = answer => {
        this.#take(answer);
        resolve();
      };
      setTimeout(resolve, this.#handing);
    });
    try {
      await this.#host.enter();
      await handed;
      return this.#ticket !== null || (await this.#renew());
    } catch {
      return false;
    }
  }

  read(what: Reading, asked: Query = {}): Promise<Answered> {
    return this.#call(`page_${what}`, asked);
  }

  act({ act, ...asked }: Readonly<Record<string, unknown>>): Promise<Answered> {
    return this.#call(`page_${act === 'back' ? 'take_back' : String(act)}`, asked);
  }

  /** Calls back when the reader begins to look, and when they look away: to another tab, or by scrolling. */
  onVisible(look: (isSeen: boolean) => void): void {
    this.#look = look;
    let isInSight = true;
    const changed = (): void => this.#seen(isInSight && !document.hidden);
    document.addEventListener('visibilitychange', changed);
    new IntersectionObserver(entries => {
      isInSight = entries.at(-1)!.isIntersecting;
      changed();
    }).observe(document.documentElement);
    this.#host.onEnd = () => this.#seen(false);
  }

  #seen(isSeen: boolean): void {
    if (isSeen === this.#isSeen) return;
    this.#isSeen = isSeen;
    this.#look(isSeen);
  }

  #take({ _meta }: ToolAnswer): void {
    const ticket = _meta?.['vedit/ticket'];
    if (typeof ticket === 'string') this.#ticket = ticket;
  }

  /** Gets another ticket: the page's is of a server that has ended, or was never handed over. */
  async #renew(): Promise<boolean> {
    const before = this.#ticket;
    this.#take(await this.#host.callTool(this.#opener, {}));
    return this.#ticket !== null && this.#ticket !== before;
  }

  async #call(name: string, input: object): Promise<Answered> {
    try {
      const answer = await this.#once(name, input);
      if (answer.code !== 'UNAUTHORIZED' || !(await this.#renew())) return answer;
      return await this.#once(name, input);
    } catch (error) {
      return { ok: false, code: 'AWAY', message: (error as Error).message };
    }
  }

  async #once(name: string, input: object): Promise<Answered> {
    const answer = await this.#host.callTool(name, { ...input, ticket: this.#ticket });
    const { content = [], structuredContent } = answer;
    const text = content.map(one => one.text ?? '').join('\n');
    return (structuredContent as Answered | undefined) ?? { ok: false, code: 'AWAY', message: text };
  }
}
