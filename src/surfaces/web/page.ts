/**
 * The page as HTML that needs nothing else: style, script and what is saved are inside, and its Content Security Policy
 * lets only that script run and nothing be loaded.
 */

import { SCRIPT, STYLE } from './built.ts';

/** Begins every page, so that one can be told from other files. */
export const PAGE_START = '<!doctype html>\n<!-- vedit watch -->\n';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='5.5' fill='none' stroke='%236b7be8' stroke-width='4'/%3E%3C/svg%3E";

/** Names whom the page asks: nobody, its server, or the host that shows it as an MCP App. */
type Kind = 'saved' | 'live' | 'app';

/** Returns a page with the answers in it, by what it asks, as JSON that no HTML parser can take for markup. */
export function savedPage(answers: Readonly<Record<string, object>>): string {
  const data = `<script type="application/json" id="answers">${scriptJson(answers)}</script>\n`;
  return whole({ kind: 'saved', readOnly: true, data, policy: POLICY });
}

/** Returns the page that asks a server, without any data, and the policy to send with it. */
export function livePage({ readOnly }: { readOnly: boolean }): { page: string; policy: string } {
  const policy = `${POLICY}; connect-src 'self'; frame-ancestors 'none'`;
  return { page: whole({ kind: 'live', readOnly }), policy };
}

/** Returns the live page as an MCP App, which asks through the host that shows it. */
export function appPage({ readOnly }: { readOnly: boolean }): string {
  return whole({ kind: 'app', readOnly, policy: POLICY });
}

/** Content Security Policy Level 3. Trusted Types refuse whatever would parse a text as markup. */
const POLICY = [
  "default-src 'none'",
  `script-src '${SCRIPT.hash}'`,
  `style-src '${STYLE.hash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const NO_SCRIPT = 'This page needs JavaScript. On a terminal, <code>vedit log -p</code> tells the same.';

interface Whole {
  kind: Kind;
  readOnly: boolean;
  data?: string;
  /** For a page that no server sends a policy with. */
  policy?: string;
}

function whole({ kind, readOnly, data = '', policy }: Whole): string {
  const meta = policy ? `<meta http-equiv="Content-Security-Policy" content="${policy}">\n` : '';
  return `${PAGE_START}<html lang="en">
<head>
<meta charset="utf-8">
${meta}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>vedit</title>
<link rel="icon" href="${ICON}">
<style>${STYLE.text}</style>
</head>
<body data-kind="${kind}"${readOnly ? ' data-read-only' : ''}>
<div id="page"></div>
<noscript><p class="notice">${NO_SCRIPT}</p></noscript>
${data}<script>${SCRIPT.text}</script>
</body>
</html>
`;
}

// What could end the script element or begin a comment in it, and what hides or misleads where the page is read as text.
const UNSAFE = /[<>&\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Makes JSON for inside a script element (HTML, "Restrictions for contents of script elements"). */
export function scriptJson(value: unknown): string {
  const escaped = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(UNSAFE, escaped);
}
