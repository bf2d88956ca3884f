/** The words of the command line for what the library and the tools call fields and options. */

import { EditError } from '../../errors.ts';
import type { Vocabulary } from '../../wording.ts';

/** Whatever one command showed, another does not know of. */
export const FLAGS: Vocabulary = {
  forgets: true,
  fields: {
    allowUnrelated: '--allow-unrelated',
    edits: '--edits',
    from: '--from',
    keep: '--keep',
    maxBytes: '--max-bytes',
    onConflict: '--on-conflict',
    rest: '--rest',
    turn: '--turn',
    outside: '--with-outside',
    withOutside: '--with-outside',
    withUnpushedCommits: '--with-unpushed-commits',
    with_others: '--with-others',
  },
};

/** The refusal as the command line tells it. */
export function inFlags(error: EditError): EditError {
  return EditError.render(error, FLAGS);
}
