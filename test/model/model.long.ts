/** The model at length: every history of these shapes. Prints how many worlds it tried. */

import { describe, expect, it } from 'vitest';
import { explore } from './explore.ts';

/**
 * `known`: what is found and not mended. There an owner that was stopped before its edit wakes after another edit of the same
 * file, is killed, somebody packs the refs, and the power goes: the file may be the one before both edits, which are in history.
 */
const SHAPES: ReadonlyArray<{ shape: string; cuts: number; oneOf?: number; known?: readonly string[] }> = [
  { shape: 'work|act|kill', cuts: 2000 },
  { shape: 'beside', cuts: 24 },
  { shape: 'work|act|kill work|act|kill', cuts: 12 },
  { shape: 'work|act work|act work|act', cuts: 8 },
  { shape: 'work|act beside', cuts: 6 },
  { shape: 'plain beside plain', cuts: 8 },
  { shape: 'plain kill kill', cuts: 6 },
  { shape: 'gc-marks|plain gc-marks plain|checkpoint gc-removes plain|checkpoint', cuts: 12 },
  { shape: 'kill act act', cuts: 6 },
  { shape: 'plain|kill cut kill', cuts: 6 },
  { shape: 'stop plain wake', cuts: 24 },
  { shape: 'stop work|act wake', cuts: 6 },
  {
    shape: 'stop plain wake work|act',
    cuts: 4,
    known: ['power cut: I5 w1/f is f, the last edit of it gave f'],
  },
  { shape: 'stop kill wake', cuts: 4 },
  { shape: 'plain act plain act plain', cuts: 4 },
];

describe('the model of the write protocol, at length', () => {
  it.each(SHAPES)('keeps its promises in every history: $shape', ({ shape, cuts, oneOf = 1, known = [] }) => {
    const { histories, worlds, found } = explore([shape], { cuts, oneOf });
    console.log(`model: ${shape}: ${histories} histories, ${worlds} worlds`);
    const news = [...found].filter(([fault]) => !known.includes(fault));
    expect(Object.fromEntries(news)).toEqual({});
  });
});
