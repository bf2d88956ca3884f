/** The page's one script and one style, as bundle.mjs builds them from page/ and style/ into the place of this module. */

export interface Built {
  text: string;
  /** The hash of `text` as a Content Security Policy names it. */
  hash: string;
}

export declare const SCRIPT: Built;
export declare const STYLE: Built;
