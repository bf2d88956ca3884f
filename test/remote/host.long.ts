/** The stories against a host that somebody has: `npm run test:remote -- <url>`. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanHost, HEADS_STORIES, HOST_STORIES, hostRefs } from './host-stories.ts';

const url = process.env.VEDIT_REMOTE ?? '';
const stories = process.env.VEDIT_REMOTE_HEADS ? [...HOST_STORIES, ...HEADS_STORIES] : HOST_STORIES;

describe.skipIf(url === '')('the host', () => {
  let before: Map<string, string>;
  beforeAll(async () => {
    before = await hostRefs(url);
  });
  afterAll(async () => {
    const left = await cleanHost(url);
    if (left.length > 0) console.log(`taken off, though a story failed: ${left.join(', ')}`);
  });

  it.each(stories)('%s', (_, tell) => tell(url));

  it('has every ref that it had, and no other', async () => {
    expect(await hostRefs(url)).toEqual(before);
  });
});
