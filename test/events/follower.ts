/** Readers of events, and what they read. */

import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { TrailEvent, Workspace } from '../../src/index.ts';
import type { Place } from '../helpers/person-repo.ts';

/** All that there is to tell. */
export async function all(workspace: Workspace, since?: string): Promise<TrailEvent[]> {
  const events: TrailEvent[] = [];
  for await (const event of workspace.events({ since })) events.push(event);
  return events;
}

/** The commits that were told. */
export const commits = (events: readonly TrailEvent[]): string[] =>
  events.flatMap(({ commit, kind }) => (commit && kind !== 'deleted' && kind !== 'rewound' ? [commit] : []));

/** The trail's own commits as git lists them, oldest first. */
export function onTrail(repo: Place, ref: string, ...not: string[]): string[] {
  const list = repo.git('rev-list', '--reverse', '--topo-order', ref, ...not.map(one => `^${one}`));
  return list === '' ? [] : list.split('\n');
}

/** Reads until `enough` says so. */
export class Follower {
  readonly events: TrailEvent[] = [];
  readonly #stop = new AbortController();
  readonly #read: Promise<void>;
  begun = false;

  constructor(workspace: Workspace, since?: string) {
    this.#read = this.#follow(workspace, since);
    onTestFinished(() => this.end());
  }

  async #follow(workspace: Workspace, since?: string): Promise<void> {
    for await (const event of workspace.events({ follow: true, since, signal: this.#stop.signal })) {
      this.begun = true;
      this.events.push(event);
    }
  }

  async until(enough: (events: readonly TrailEvent[]) => boolean): Promise<readonly TrailEvent[]> {
    while (!enough(this.events)) await sleep(10);
    return this.events;
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#read;
  }
}
