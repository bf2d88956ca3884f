/** Hard links that a system does not have or does not allow. */

/** Error codes of link(2) where the file system has no hard links, no more of this file, or allows none to it. */
export const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EACCES',
]);
