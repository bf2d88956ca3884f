/**
 * A timeline as one HTML page that needs nothing else: style, script and data are inside, and its Content Security
 * Policy lets only that script run and nothing be loaded.
 */

import type { Timeline } from '../../workspace/queries/timeline/timeline.ts';
import { pageScript } from './script.ts';
import { COLORS } from './style/colors.ts';
import { DETAILS } from './style/details.ts';
import { FRAME } from './style/frame.ts';
import { LANE } from './style/lane.ts';
import { LIVE } from './style/live.ts';
import { template } from './template.ts';

/** How every page begins, so that one can be told from other files. */
export const PAGE_START = '<!doctype html>\n<!-- vedit html -->\n';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='5.5' fill='none' stroke='%236b7be8' stroke-width='4'/%3E%3C/svg%3E";

/** The whole page. Texts of the repository are in it once, as JSON that no HTML parser can take for markup. */
export async function htmlPage(timeline: Timeline): Promise<string> {
  const script = pageScript(
    "new parts.App(JSON.parse(document.getElementById('timeline').textContent), parts);",
  );
  const style = STYLE;
  const data = `<script type="application/json" id="timeline">${scriptJson(timeline)}</script>\n`;
  const policy = `<meta http-equiv="Content-Security-Policy" content="${await policyOf(script, style)}">\n`;
  return whole({ policy, style, body: template(), data, script });
}

/** The page that asks a server, without any data, and the policy to send with it. */
export async function livePage(options: { readOnly: boolean }): Promise<{ page: string; policy: string }> {
  const script = pageScript(`new parts.Live(parts, ${options.readOnly}, new parts.Net());`);
  const style = STYLE + LIVE;
  const policy = `${await policyOf(script, style)}; connect-src 'self'; frame-ancestors 'none'`;
  return { page: whole({ policy: '', style, body: template('live'), data: '', script }), policy };
}

/** The live page as an MCP App: it asks through the host that shows it, and needs nothing else, as its own policy says. */
export async function appPage(options: { readOnly: boolean }): Promise<string> {
  const net = 'new parts.HostNet(new parts.Host())';
  const script = pageScript(`new parts.Live(parts, ${options.readOnly}, ${net});`);
  const style = STYLE + LIVE;
  const policy = `<meta http-equiv="Content-Security-Policy" content="${await policyOf(script, style)}">\n`;
  return whole({ policy, style, body: template('app'), data: '', script });
}

const STYLE = COLORS + FRAME + LANE + DETAILS;

interface Whole {
  policy: string;
  style: string;
  body: string;
  data: string;
  script: string;
}

function whole({ policy, style, body, data, script }: Whole): string {
  return `${PAGE_START}<html lang="en">
<head>
<meta charset="utf-8">
${policy}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>vedit</title>
<link rel="icon" href="${ICON}">
<style>${style}</style>
</head>
<body>${body}
${data}<script>${script}</script>
</body>
</html>
`;
}

/** Content Security Policy Level 3. Trusted Types refuse whatever would parse a text as markup. */
async function policyOf(script: string, style: string): Promise<string> {
  return [
    "default-src 'none'",
    `script-src '${await hashOf(script)}'`,
    `style-src '${await hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`;
}

// What could end the script element or begin a comment in it, and what hides or misleads where the page is read as text.
const UNSAFE = /[<>&\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** JSON for inside a script element (HTML, "Restrictions for contents of script elements"). */
export function scriptJson(value: unknown): string {
  const escaped = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(UNSAFE, escaped);
}
