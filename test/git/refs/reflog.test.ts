import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { readHeadLog } from '../../../src/git/refs/reflog.ts';
import { locate } from '../../../src/git/repository/repository.ts';
import { personRepo } from '../../helpers/person-repo.ts';

it('tells the moves of HEAD, oldest first, as git logged them', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const first = repo.git('rev-parse', 'HEAD');
  repo.git('commit', '-q', '--allow-empty', '-m', 'two');
  const second = repo.git('rev-parse', 'HEAD');
  repo.git('switch', '-q', '-c', 'topic', 'HEAD~1');
  const moves = await readHeadLog(await locate(nodeFs(), repo.dir));
  const [begun, committed, switched] = moves.slice(-3);
  expect(begun).toMatchObject({ old: null, new: first });
  expect(committed).toMatchObject({ old: first, new: second, message: 'commit: two' });
  expect(switched).toMatchObject({ old: second, new: first, message: 'checkout: moving from main to topic' });
});
