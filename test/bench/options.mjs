/** What the bench is asked to do. */

import { parseArgs } from 'node:util';
import { otherBuild } from './builds.mjs';

const HELP = `npm run bench -- [options]
  --files 100,10000   only repositories of these sizes (default: 100,10000,100000)
  --runs N            runs of each contender (default 40; git and processes fewer where they are slow)
  --only a,e          only these rows: edits, history, reading, patch, process, hooks, events, page, fair, work, memory, writers,
                      growth, rate
  --quick             small sizes and few runs: shows that the bench works, proves nothing
  --all               also memory (a pack of 400 MB), writers (8 and 16 processes, 8 work trees), growth (100,000 edits) and
                      rate (1, 8 and 16 processes)
  --against FOLDER    another checkout that was built, or its dist, in turns with this one: fair, work, rate, process, and
                      the rows of --scale that are commands
  --loop              fair and rate also on an ext4 with a journal, made in a loop device (as root)
  --dir FOLDER        where the repositories are made (default: the system's temporary folder)
  --out FILE          where the JSON goes (default: bench-results.json)
  --scale             history at scale instead: long trails and a real clone, whole commands beside git
    --edits 1000,10000  edits of the trails (default: 1000,10000,50000,100000)
    --state packed      only packed trails, or only loose (default: loose,packed)
    --repository PATH   also the rows of a real clone, such as git's own; it is cloned, not changed
    --runs N            runs of each (default 5; 2 where one takes over 5 s)
    --trails FOLDER     keeps the trails that are made there, and copies them from there the next time
    --check             vedit verify says first whether each trail that was made is sound
    --only show,blame   only these rows; each file of test/bench/scale/rows has some`;

/**
 * @typedef {object} Options
 * @property {number[]} files numbers of files of the repositories
 * @property {number} runs runs that are measured
 * @property {number} warmUp runs before them
 * @property {number} history edits of the long trail
 * @property {boolean} quick
 * @property {(part: string) => boolean} wants
 * @property {string | undefined} dir
 * @property {import('./builds.mjs').Build | null} against
 * @property {boolean} loop
 * @property {string} out
 * @property {boolean} scale history at scale, with what follows; `wants` is not asked then
 * @property {string[] | undefined} only
 * @property {number[]} edits
 * @property {Array<'loose' | 'packed'>} states
 * @property {string | undefined} repository
 * @property {boolean} check
 * @property {string | undefined} trails
 */

const USUAL = ['edits', 'history', 'reading', 'patch', 'process', 'hooks', 'events', 'page', 'fair', 'work'];
const PARTS = [...USUAL, 'memory', 'writers', 'growth', 'rate'];

/** @returns {Options | null} `null` when help was asked for, and was printed */
export function parseOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      files: { type: 'string' },
      runs: { type: 'string' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      dir: { type: 'string' },
      against: { type: 'string' },
      loop: { type: 'boolean', default: false },
      trails: { type: 'string' },
      out: { type: 'string', default: 'bench-results.json' },
      scale: { type: 'boolean', default: false },
      edits: { type: 'string' },
      state: { type: 'string', default: 'loose,packed' },
      repository: { type: 'string' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return null;
  }
  if (values.scale) return scaleOptions(values);
  const { quick, all, only } = values;
  const parts = only ? only.split(',') : all ? PARTS : USUAL;
  const strange = parts.filter(part => !PARTS.includes(part));
  if (strange.length > 0) throw new Error(`no row ${strange.join(', ')}; the rows are ${PARTS.join(', ')}`);
  return {
    files: (values.files ?? (quick ? '100,1000' : '100,10000,100000')).split(',').map(wholeNumber),
    runs: values.runs ? wholeNumber(values.runs) : quick ? 5 : 40,
    warmUp: quick ? 2 : 10,
    history: quick ? 500 : 20_000,
    quick,
    wants: part => parts.includes(part),
    dir: values.dir,
    against: otherBuild(values.against),
    loop: values.loop,
    out: values.out,
  };
}

function scaleOptions({ quick, only, edits, runs, state, repository, check, trails, against, dir, out }) {
  const sizes = edits ?? (quick ? '200' : '1000,10000,50000,100000');
  return {
    scale: true,
    edits: sizes.split(',').map(wholeNumber),
    states: state.split(','),
    runs: runs ? wholeNumber(runs) : quick ? 1 : 5,
    quick,
    only: only?.split(','),
    repository,
    check,
    trails,
    against: otherBuild(against),
    dir,
    out,
  };
}

function wholeNumber(text) {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`${text} is no whole number`);
  return Number(text);
}
