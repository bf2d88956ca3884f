/** diff for a person: the change as this terminal shows it. */

import type { Answer } from '../../../engine/answer.ts';
import type { DiffData } from '../../../queries/diff/compare.ts';
import type { Call } from '../command.ts';
import { type ChangeOptions, shownChange } from './shown-diff.ts';

export async function show(
  { terminal, options }: Call<ChangeOptions>,
  { data, message }: Answer<DiffData>,
): Promise<void> {
  if (data.diff === '' && !data.unreadable?.length) return terminal.tell(message);
  await terminal.page();
  await terminal.print(await shownChange(data.diff, data.paths, terminal, options));
  await terminal.endPage();
  for (const { path, code } of data.unreadable ?? [])
    await terminal.tell(`${path} changed, and cannot be read: ${code}`);
}
