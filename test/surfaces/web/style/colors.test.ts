/** Contrast as WCAG 2.2 counts it (1.4.3 for text, 1.4.11 for what is drawn), of both themes. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../helpers/source.ts';

const CSS = readFileSync(join(ROOT, 'src/surfaces/web/style/colors.css'), 'utf8');
const PAIRS = [...CSS.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)];

const THEMES = (['light', 'dark'] as const).map((name, at) => ({
  name,
  colors: new Map(PAIRS.map(([, key, ...values]) => [key!, values[at]!])),
}));

const TINTS = ['0', '1', '2', '3', '4', '5', '6', '7', 'other'].map(name => `tint-${name}`);

const TEXTS: ReadonlyArray<readonly [text: string, grounds: readonly string[]]> = [
  [
    'ink',
    ['ground', 'panel', 'raised', 'accent-ground', 'plus-ground', 'plus-mark', 'minus-ground', 'minus-mark'],
  ],
  ['dim', ['ground', 'panel', 'raised', 'accent-ground', 'plus-ground', 'minus-ground']],
  ['plus', ['panel', 'raised', 'accent-ground', 'plus-ground']],
  ['minus', ['panel', 'raised', 'accent-ground', 'minus-ground']],
  ['accent', ['panel', 'raised']],
  ['on-accent', ['accent']],
  ...['syn-keyword', 'syn-string', 'syn-name', 'syn-property'].map(
    name => [name, ['panel', 'plus-ground', 'minus-ground']] as const,
  ),
  ['warn-ink', ['warn-ground']],
  ['hidden-ink', ['hidden-ground']],
  ...TINTS.map(tint => [tint, ['panel', 'raised', 'accent-ground']] as const),
];

describe('colours', () => {
  it('are as the system has it, as the reader chose, and light on paper', () => {
    expect(CSS.match(/color-scheme: [\w ]+/g)).toEqual([
      'color-scheme: light dark',
      'color-scheme: light',
      'color-scheme: dark',
      'color-scheme: light',
    ]);
  });

  it.each(THEMES)('of the $name theme can be told from what is behind them', ({ colors }) => {
    const faint = TEXTS.flatMap(([text, grounds]) =>
      grounds.map(ground => ({ text, ground, ratio: contrast(colors.get(text)!, colors.get(ground)!) })),
    ).filter(({ ratio }) => ratio < 4.5);
    expect(faint).toEqual([]);
  });
});

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5]
    .map(at => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
