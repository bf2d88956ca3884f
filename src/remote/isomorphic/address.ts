/** Where a remote is, by git's config, as far as HTTP goes. */

import { EditError } from '../../errors.ts';
import type { Config } from '../../git/repository/config.ts';
import type { TransportPlace } from '../transport.ts';

/** Returns the address, which may hold a user and a password. Throws INVALID_INPUT, which does not show it. */
export function addressOf({ repo: { config }, remote }: TransportPlace, given: string | undefined): string {
  const address = given ?? rewritten(config, config.get(`remote.${remote}.url`) ?? '');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase();
  if ((scheme === 'http' || scheme === 'https') && URL.canParse(address)) return address.replace(/\/+$/, '');
  const where = scheme ?? (/^[^/]*:/.test(address) ? 'ssh' : 'a folder');
  const message = `Without git only servers of http and https can be reached, and the remote ${remote} is not one (${where}). Install git, or give the address over https.`;
  throw new EditError('INVALID_INPUT', message, { field: 'remote', fields: ['remote'] });
}

/** Rewrites an address by `url.<base>.insteadOf`: the longest beginning wins. */
function rewritten(config: Config, address: string): string {
  let best = { from: '', to: '' };
  for (const key of config.keys()) {
    const to = /^url\.(.+)\.insteadof$/s.exec(key)?.[1];
    if (to === undefined) continue;
    for (const from of config.getAll(key))
      if (address.startsWith(from) && from.length > best.from.length) best = { from, to };
  }
  return best.to + address.slice(best.from.length);
}

/** Reads `http.extraHeader`, and `http.<address>.extraHeader` of an address that this one begins with. */
export function headersOf(config: Config, address: string): Record<string, string> {
  const plain = address.replace(/^(\w+:\/\/)[^/]*@/, '$1');
  const headers: Record<string, string> = {};
  for (const key of config.keys()) {
    const base = key === 'http.extraheader' ? '' : /^http\.(.+)\.extraheader$/s.exec(key)?.[1];
    if (base === undefined || !isBelow(plain, base)) continue;
    for (const line of config.getAll(key)) {
      const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
      if (name !== undefined) headers[name] = value!;
    }
  }
  return headers;
}

function isBelow(address: string, base: string): boolean {
  const folder = base.replace(/\/+$/, '');
  return base === '' || address === folder || address.startsWith(`${folder}/`);
}
