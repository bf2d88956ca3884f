/** The same histories, 20,000 of them. */

process.env.STATUS_HISTORIES ??= '20000';
await import('./status.test.ts');
