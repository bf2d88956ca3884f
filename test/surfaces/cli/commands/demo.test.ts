import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { at } from '../../../helpers/real-git.ts';
import { plainFolder, vedit, veditJson } from '../../../helpers/vedit.ts';

describe('demo', () => {
  beforeEach(() => {
    vi.stubEnv('PATH', '/nonexistent');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('tells a story with mistakes in it, without git', async () => {
    const box = plainFolder();
    vi.stubEnv('TMPDIR', box.dir);
    const { code, out, err } = await vedit(box, ['demo']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const marks = [
      'AMBIGUOUS',
      'STALE',
      'by reviewer',
      'fixer> log',
      'fixer> undo',
      'fixer> rollback',
      'Look for yourself',
    ];
    const places = marks.map(mark => out.indexOf(mark));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it('leaves a repository that is what it says', async () => {
    const box = plainFolder();
    vi.stubEnv('TMPDIR', box.dir);
    const { data, message } = await veditJson<{ root: string; steps: object[] }>(box, ['demo']);
    vi.unstubAllEnvs();
    const shop = at(data.root);
    expect(shop.git('log', '--format=%an %s', 'main..vedit/main').split('\n')).toEqual([
      'fixer rollback src/cart.js (+3 -2)',
      'fixer undo src/cart.js (+1 -1)',
      'fixer count how many of each (src/cart.js)',
      'reviewer str_replace src/cart.js (+1 -0)',
      'fixer checkout adds up as subtotal does (src/cart.js)',
    ]);
    expect(shop.git('status', '--short')).toBe(' M src/tax.js');
    expect(shop.git('fsck', '--strict')).toBe('');
    expect(readFileSync(join(data.root, 'src', 'tax.js'), 'utf8')).toContain('0.25');
    expect(data.steps).toMatchObject([
      { tool: 'view', result: { ok: true } },
      { tool: 'str_replace', result: { code: 'AMBIGUOUS' } },
      { tool: 'str_replace', result: { ok: true } },
      { agent: 'reviewer', result: { ok: true } },
      { tool: 'replace_lines', result: { code: 'STALE' } },
      { tool: 'replace_lines', result: { ok: true } },
      { tool: 'log' },
      { tool: 'undo', result: { ok: true } },
      { tool: 'rollback', result: { ok: true } },
    ]);
    const lines = message.split('\n').filter(line => line.startsWith('  git '));
    expect(lines).toHaveLength(4);
    for (const line of lines) shop.git(...line.trim().split(' ').slice(1));
  });
});
