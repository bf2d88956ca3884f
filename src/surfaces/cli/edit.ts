/** Runs commands that make one edit. */

import type { Call } from './command.ts';
import { baseInput, type EditOptions } from './input/options.ts';
import type { Place } from './input/place.ts';
import { runWriter } from './views/done.ts';

/** Makes the edit called `name`. `fields` are its own, with paths from the top of the work tree. */
export function runEdit(
  call: Call<EditOptions>,
  name: string,
  fields: (place: Place) => object,
): Promise<number> {
  const preconditions = { ...baseInput(call.options), on_stale: call.options.onStale };
  return runWriter(call, name, ({ place }) => ({ ...fields(place), ...preconditions }));
}
