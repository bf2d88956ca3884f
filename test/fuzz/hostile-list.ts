/** The conformance list of hostile paths. */

import { readFileSync } from 'node:fs';

export interface LexicalCase {
  id: string;
  input: string;
  verdict: 'reject' | 'allow';
}

const url = new URL('../conformance/hostile-paths.json', import.meta.url);

export const lexical: LexicalCase[] = (JSON.parse(readFileSync(url, 'utf8')) as { lexical: LexicalCase[] })
  .lexical;
