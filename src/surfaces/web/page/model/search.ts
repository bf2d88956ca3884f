/** The entries that fit what the list is narrowed to. */

import { wordsIn } from '../../listing.ts';
import type { State } from '../contract.ts';
import type { Story } from './story.ts';

/** Texts that words are looked for in, by commit; made when words are first typed. */
const haystacks = new Map<string, string>();

/** Returns the entries that fit, newest first. */
export function matching(story: Story, { onlyFile, onlyGroup, words }: State): number[] {
  const wanted = wordsIn(words);
  return [...story.entries.keys()].filter(
    index =>
      (onlyFile === null || story.filesOf(index).some(({ name }) => name === onlyFile)) &&
      (onlyGroup === null || story.groupOf(index).key === onlyGroup) &&
      wanted.every(word => haystack(story, index).includes(word)),
  );
}

function haystack(story: Story, index: number): string {
  const { commit, subject, reason, agent, author, session, files } = story.entries[index]!;
  const known = haystacks.get(commit);
  if (known !== undefined) return known;
  const changes = files.flatMap(file => [file.path, file.diff]);
  const text = [commit, subject, reason, agent, author, session, ...changes].join('\n').toLowerCase();
  haystacks.set(commit, text);
  return text;
}
