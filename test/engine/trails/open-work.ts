/** What each surface says of work that has not landed. */

import type { LandData, LandOptions, Workspace } from '../../../src/index.ts';
import type { Place } from '../../helpers/person-repo.ts';

export const LINES: string = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`).join('');

export interface Numbers {
  status: number;
  /** Edits that would land, and those left after it; or why not. */
  land: string;
  s1: string;
  s2: string;
}

export const countOf = ({ commits }: LandData): number =>
  commits.reduce((sum, one) => sum + one.edits.length, 0);

export async function dry(workspace: Workspace, options: LandOptions): Promise<LandData | string> {
  return workspace.land({ ...options, dryRun: true }).then(
    ({ data }) => data,
    error => error.code as string,
  );
}

export async function numbers(repo: Place): Promise<Numbers> {
  const workspace = await repo.open();
  const { left } = (await workspace.session({ id: 'reader' }).status()).data;
  const landing = async (options: LandOptions): Promise<string> => {
    const found = await dry(workspace, options);
    return typeof found === 'string' ? found : `${countOf(found)} of ${countOf(found) + found.left}`;
  };
  return {
    status: left,
    land: await landing({}),
    s1: await landing({ session: 's1' }),
    s2: await landing({ session: 's2' }),
  };
}
