/** What the vendors' packages say of the payloads of their hooks and tools: the names of fields, by the name of the type. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Fields = Readonly<Record<string, readonly string[]>>;

export interface Vendor {
  package: string;
  /** Of the package, where its events are in that of another one. */
  carrier?(version: string): string;
  read(folder: string, names: readonly string[]): Fields;
}

export const VENDORS: Readonly<Record<string, Vendor>> = {
  'claude-code': {
    package: '@anthropic-ai/claude-agent-sdk',
    read: (folder, names) => declared([join(folder, 'sdk.d.ts'), join(folder, 'sdk-tools.d.ts')], names),
  },
  gemini: {
    package: '@google/gemini-cli-core',
    read(folder, names) {
      const files = ['hooks/types', 'tools/tools', 'tools/edit', 'tools/write-file', 'tools/shell'];
      return declared(
        files.map(file => join(folder, `dist/src/${file}.d.ts`)),
        names,
      );
    },
  },
  codex: {
    package: '@openai/codex',
    carrier: version => `@openai/codex@${version}-linux-x64`,
    read: embedded,
  },
  acp: {
    package: '@agentclientprotocol/sdk',
    read(folder, names) {
      const { $defs } = JSON.parse(readFileSync(join(folder, 'schema/v1/schema.json'), 'utf8'));
      return Object.fromEntries(names.map(name => [name, Object.keys($defs[name]?.properties ?? {})]));
    },
  },
};

/** Fetches the newest package. Answers its version, and the fields of these types; of one that is gone, none. */
export function fieldsOf(vendor: Vendor, names: readonly string[]): { version: string; fields: Fields } {
  const version = npm(['view', vendor.package, 'version']);
  const folder = mkdtempSync(join(tmpdir(), 'vedit-payloads-'));
  try {
    npm(['pack', '--silent', vendor.carrier?.(version) ?? `${vendor.package}@${version}`], folder);
    const [file] = readdirSync(folder);
    execFileSync('tar', ['xzf', file!], { cwd: folder });
    return { version, fields: vendor.read(join(folder, 'package'), names) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function npm(args: readonly string[], cwd?: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

/** Reads the members of types and interfaces, those of what they extend too. */
function declared(files: readonly string[], names: readonly string[]): Fields {
  const text = files.map(file => readFileSync(file, 'utf8')).join('\n');
  const plain = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*/g, '');
  const all = new Map<string, { head: string; body: string }>();
  for (const [, name, head, body] of plain.matchAll(DECLARATION))
    all.set(name!, { head: head!, body: body! });
  const fieldsOf = (name: string): string[] => {
    const { head, body } = all.get(name) ?? { head: '', body: '' };
    const above = [...head.matchAll(/\w+/g)].flatMap(([word]) => (all.has(word) ? fieldsOf(word) : []));
    // Only those of the first level, which is indented least.
    const indent = /^ +/m.exec(body)?.[0] ?? '';
    const own = [...body.matchAll(/^( +)(?:readonly )?(\w+)\??:/gm)].filter(
      ([, spaces]) => spaces === indent,
    );
    return [...new Set([...above, ...own.map(([, , field]) => field!)])];
  };
  return Object.fromEntries(names.map(name => [name, fieldsOf(name)]));
}

/** A type or an interface: its name, what it extends, and its members, as far as a brace at the line's begin. */
const DECLARATION = /^export (?:declare )?(?:interface|type) (\w+)\b([^{;]*)\{([\s\S]*?)^\}/gm;

/** Reads the schemas that the program itself has in it, by their titles. */
function embedded(folder: string, names: readonly string[]): Fields {
  const target = readdirSync(join(folder, 'vendor'))[0]!;
  const program = readFileSync(join(folder, 'vendor', target, 'bin', 'codex'));
  const fieldsOf = (name: string): string[] => {
    const at = program.indexOf(`"title": "${name}"`);
    if (at < 0) return [];
    const [from, end] = [program.lastIndexOf('{\n  "$schema"', at), program.indexOf('\n}', at) + 2];
    return Object.keys(JSON.parse(program.subarray(from, end).toString()).properties);
  };
  return Object.fromEntries(names.map(name => [name, fieldsOf(name)]));
}
