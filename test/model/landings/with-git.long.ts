/** The same landings, 500 and 500. */

process.env.GIT_LANDINGS ??= '500';
await import('./with-git.test.ts');
