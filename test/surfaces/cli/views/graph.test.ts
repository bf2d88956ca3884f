import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { render } from '../../../../src/surfaces/cli/terminal/style.ts';
import { Graph, type GraphNode } from '../../../../src/surfaces/cli/views/graph.ts';
import { repository, type Sandbox } from '../../../helpers/real-git.ts';

const draw = (nodes: ReadonlyArray<Omit<GraphNode, 'glyph'>>, text: (commit: string) => string[]): string => {
  const graph = new Graph();
  return nodes
    .flatMap(node => [
      ...graph.draw(
        { ...node, glyph: '*' },
        text(node.commit).map(line => [line]),
      ),
    ])
    .map(line => render(line, { color: false, escape: false }))
    .join('\n');
};

/** Commits of a line of edits (`e`), and of a branch that is joined to it: `s3` after three commits of its own. */
type Step = 'e' | `s${number}`;

/** Makes the history that a trail has beside a branch. */
function history(steps: readonly Step[]): Sandbox {
  const box = repository();
  const parts: string[] = [];
  let marks = 0;
  const commit = (ref: string, ...parents: number[]): number => {
    const [from, merge] = parents.map(mark => `:${mark}`);
    const lines = [
      `commit refs/${ref}`,
      `mark :${++marks}`,
      `committer A <a@b> ${1_700_000_000 + marks} +0000`,
    ];
    parts.push(
      [...lines, 'data 1', 'm', from ? `from ${from}` : '', merge ? `merge ${merge}` : '']
        .filter(line => line !== '')
        .join('\n'),
    );
    return marks;
  };
  let branch = commit('heads/main');
  let trail = branch;
  for (const step of steps) {
    if (step === 'e') trail = commit('heads/trail', trail);
    else {
      for (let count = Number(step.slice(1)); count > 0; count--) branch = commit('heads/main', branch);
      trail = commit('heads/trail', trail, branch);
    }
  }
  box.pipe(`${parts.join('\n\n')}\n`, 'fast-import', '--quiet');
  return box;
}

/** In git's order, which is that of the log. */
function nodesOf(box: Sandbox): Array<Omit<GraphNode, 'glyph'>> {
  return box
    .git('log', '--topo-order', '--format=%h %p', 'trail')
    .split('\n')
    .map(line => {
      const [commit, ...below] = line.trim().split(' ');
      return { commit: commit!, below };
    });
}

const trimmed = (text: string): string => text.replace(/ +$/gm, '');

describe('the graph', () => {
  const step = fc.oneof(
    fc.constant<Step>('e'),
    fc.integer({ min: 1, max: 3 }).map((count): Step => `s${count}`),
  );

  it('is that of git, whatever a trail beside a branch went through', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), steps => {
        const box = history(['e', ...steps]);
        const git = box.git('log', '--graph', '--format=%h', 'trail');
        expect(draw(nodesOf(box), commit => [commit])).toBe(trimmed(git));
      }),
      { numRuns: 15 },
    );
  });

  it('is that of git beside several lines for each commit', () => {
    const box = history(['e', 's2', 'e', 'e', 's1', 'e']);
    const git = box.git('log', '--graph', '--format=%h%nmore%nand more', 'trail');
    expect(draw(nodesOf(box), commit => [commit, 'more', 'and more'])).toBe(trimmed(git));
  });

  it.each<[string, string[], string]>([
    ['a line of its own', ['a:b', 'b:'], '* a\n* b'],
    ['an aside', ['a:b,x', 'x:b', 'b:'], '*   a\n|\\\n| * x\n|/\n* b'],
    [
      'an aside beside a branch',
      ['s:a,m', 'a:b,x', 'x:b', 'b:m', 'm:'],
      '*   s\n|\\\n* |   a\n|\\ \\\n| * | x\n|/ /\n* | b\n|/\n* m',
    ],
    [
      'three at once',
      ['a:b,c,d', 'b:e', 'c:e', 'd:e', 'e:'],
      '*     a\n|\\ \\\n* | | b\n| * | c\n|/ /\n| * d\n|/\n* e',
    ],
    ['one that ends', ['a:b,c', 'b:', 'c:'], '*   a\n|\\\n* | b\n /\n* c'],
    [
      'one that crosses another',
      ['a:b,c', 'b:d', 'x:y', 'd:', 'y:'],
      '*   a\n|\\\n* | b\n| | * x\n* | | d\n / /\n| * y',
    ],
    [
      'a line that crosses another',
      ['a:m,x,y', 'y:m', 'x:m', 'm:'],
      '*     a\n|\\ \\\n| | * y\n| |/\n|/|\n| * x\n|/\n* m',
    ],
  ])('draws %s', (_, commits, picture) => {
    const nodes = commits.map(one => {
      const [commit, below] = one.split(':') as [string, string];
      return { commit, below: below === '' ? [] : below.split(',') };
    });
    const text = draw(nodes, commit => [commit]);
    expect(text).toBe(picture);
  });
});
