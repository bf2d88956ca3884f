/** The wishes of the caller of a landing. */
export interface LandRequest {
  /** Only edits of this session. */
  session?: string | undefined;
  /** Only edits of this agent. */
  agent?: string | undefined;
  /** Only edits of this turn: its id, the start of it, or `latest`. */
  turn?: string | undefined;
  /** Only what is about these files and folders. */
  paths?: readonly string[] | undefined;
  /** Only these edits: ids, `~N`, or rows of them as `after..last`. Default: all that have not landed. */
  commits?: readonly string[] | undefined;
  /** The branch to land on; default: the checked-out one. */
  onto?: string | undefined;
  /** One commit for each edit, in place of one for all. */
  each?: boolean | undefined;
  /** Also what was changed outside the engine in the same files. Default: it stays uncommitted. */
  outside?: boolean | undefined;
  /** Only what was accepted in the review. The rest stays uncommitted. */
  accepted?: boolean | undefined;
  /** Only these places, by the ids that a dry run has of them. */
  hunks?: readonly string[] | undefined;
  /** Answer what would land; write nothing. */
  dryRun?: boolean | undefined;
  /** The message in place of a list of the edits; trailers are added to it. */
  message?: string | undefined;
  /** `Name <address>` of people to name as co-authors. */
  coAuthors?: readonly string[] | undefined;
}
