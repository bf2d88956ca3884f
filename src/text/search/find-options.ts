/** What a search for the place of an old text is told about its caller, so that a refusal speaks the caller's words. */

/** A file's path and text, of which `TextFile` is one. */
export interface Searched {
  readonly path: string;
  readonly text: string;
  /** What a call that names lines may cite; '' or absent for a text that is not written yet. */
  readonly version?: string;
}

export interface FindOptions {
  /** What the caller calls the text that is looked for; default `old_str`. */
  name?: string;
  /** The text that is to replace it, to see whether it is there already. */
  replacement?: string;
  /** What the caller calls the replacement; default `new_str`. */
  replacementName?: string;
  /** The field that allows several places, if there is one: `replace_all`. */
  allField?: string | undefined;
}
