/** The one place of a text in a file, or a refusal that carries what the next call needs. */

import { EditError } from '../../errors.ts';
import { fieldName, ifField, ifTool, pathName, toolName } from '../../wording.ts';
import { ambiguous } from './ambiguous.ts';
import type { FindOptions, Searched } from './find-options.ts';
import { occurrences, type Place, separateOccurrences } from './match.ts';
import { noMatch } from './no-match.ts';

/** Replacing more places than this in one edit is refused. */
const MOST_PLACES = 1_000_000;
/** So many places are compared to find surroundings that tell them apart. */
const COMPARED_PLACES = 200;

/** The place of the only occurrence of `old`, which may not be empty. Throws NO_MATCH or AMBIGUOUS. */
export function findOne(file: Searched, old: string, options: FindOptions = {}): Place {
  const { count, places } = occurrences(file.text, old, COMPARED_PLACES);
  if (count === 0) throw noMatch(file, old, options);
  if (count > 1) throw ambiguous(file, count, places, options);
  return places[0]!;
}

/** Every place to replace, from left to right without overlaps. Throws NO_MATCH when there is none, or TOO_LARGE. */
export function findAll(file: Searched, old: string, options: FindOptions = {}): Place[] {
  const { count, places } = separateOccurrences(file.text, old, MOST_PLACES);
  if (count === 0) throw noMatch(file, old, options);
  if (count > MOST_PLACES) throw tooMany(file, count, options);
  return places;
}

function tooMany(file: Searched, count: number, { name = 'old_str' }: FindOptions): EditError {
  const message = `${name} occurs ${count} times in ${pathName(file.path)}, and at most ${MOST_PLACES} places are changed in one edit. Use a longer text${ifTool('create', `, or write the file anew with ${toolName('create')}${ifField('overwrite', ` and ${fieldName('overwrite')}: true`)}`)}.`;
  return new EditError('TOO_LARGE', message, { path: file.path, count, limit: MOST_PLACES });
}
