/** Options of a search for the place of an old text that let a refusal speak the caller's words. */

/** A file's path and text, of which `TextFile` is one. */
export interface Searched {
  readonly path: string;
  readonly text: string;
  /** The version that a call may cite which names lines; '' or absent for a text that is not written yet. */
  readonly version?: string;
}

export interface FindOptions {
  /** The caller's name for the text that is looked for; default `old_str`. */
  name?: string;
  /** The text that is to replace it, to see whether it is there already. */
  replacement?: string;
  /** The caller's name for the replacement; default `new_str`. */
  replacementName?: string;
  /** The field that allows several places, if there is one: `replace_all`. */
  allField?: string | undefined;
}
