/** Every how many calls a fault is tried in the tests of the stores: some in the normal tests, all in `npm run test:crash`. */

export const STRIDE: number = process.env.VEDIT_LONG ? 1 : 7;
