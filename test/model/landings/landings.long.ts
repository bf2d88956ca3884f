/** The same landings, over 20,000 of them. */

process.env.LANDINGS ??= '1500';
await import('./landings.test.ts');
