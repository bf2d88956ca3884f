/** The same landings, more of them. */

process.env.LANDINGS ??= '60';
await import('./landings.test.ts');
