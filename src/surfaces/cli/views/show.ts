/** show for a person: the entry, and its change. */

import type { Answer } from '../../../engine/answer.ts';
import type { ShowData } from '../../../queries/log/history.ts';
import type { Call } from '../command.ts';
import { entryPieces } from './log-view.ts';
import { type ChangeOptions, shownChange } from './shown-diff.ts';

export async function show(
  { terminal, options }: Call<ChangeOptions>,
  { data: { diff, stats, ...entry } }: Answer<ShowData>,
): Promise<void> {
  const change = await shownChange(diff, stats, terminal, options);
  await terminal.page();
  await terminal.print(entryPieces(entry), ...(diff === '' ? [] : ['\n', change]));
}
