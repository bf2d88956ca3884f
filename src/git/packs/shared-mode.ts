/** File modes as `core.sharedRepository` wants them (git-config(1)): in git, calc_shared_perm and git_config_perm. */

const GROUP = 0o660;
const EVERYBODY = 0o664;

/** Permission bits out of those that the umask left. `value` is that of core.sharedRepository. */
export function sharedMode(value: string | undefined, mode: number): number {
  const shared = permission(value);
  if (shared === null) return mode;
  let bits = shared.bits;
  if ((mode & 0o200) === 0) bits &= ~0o222;
  if ((mode & 0o100) !== 0) bits |= (bits & 0o444) >> 2;
  return shared.isExact ? (mode & ~0o777) | bits : mode | bits;
}

function permission(value: string | undefined): { bits: number; isExact: boolean } | null {
  const word = (value ?? 'umask').toLowerCase();
  if (['group', 'true', 'yes', 'on', '', '1'].includes(word)) return { bits: GROUP, isExact: false };
  if (['all', 'world', 'everybody', '2'].includes(word)) return { bits: EVERYBODY, isExact: false };
  const octal = /^0*[0-7]{3,4}$/.test(word) ? Number.parseInt(word, 8) : 0;
  return (octal & 0o600) === 0o600 ? { bits: octal & 0o666, isExact: true } : null;
}
