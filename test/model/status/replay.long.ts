/** The same histories, 300 of them. */

process.env.REPLAYS ??= '300';
await import('./replay.test.ts');
