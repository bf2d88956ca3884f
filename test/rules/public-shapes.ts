/** The types that public signatures name: each has to be public too, or nobody can write it down. */

import { importsOf, parse, type Sources } from '../helpers/source.ts';

/** A part of a syntax tree. */
type Node = { type?: string; [key: string]: unknown };

interface Declared {
  path: string;
  name: string;
}

/** `file: name` of every type that a public signature names and that `list` does not export, sorted. */
export function hiddenShapes(files: Sources, list: string): string[] {
  const house = new House(files);
  const named = house.exportsOf(list);
  const key = ({ path, name }: Declared): string => `${path}: ${name}`;
  const listed = new Set(named.map(key));
  const seen = new Map(named.map(one => [key(one), one]));
  for (const one of seen.values()) for (const next of house.namedBy(one)) seen.set(key(next), next);
  return [...seen.keys()].filter(one => !listed.has(one)).sort();
}

class House {
  readonly #files: Sources;
  readonly #bodies = new Map<string, readonly Node[]>();

  constructor(files: Sources) {
    this.#files = files;
  }

  /** Where what a list of names exports is declared. */
  exportsOf(path: string): Declared[] {
    return this.#body(path).flatMap(node => {
      if (node.type === 'ExportAllDeclaration') return this.#declaredIn(this.#target(path, node));
      if (node.type !== 'ExportNamedDeclaration' || !node.source) return [];
      const target = this.#target(path, node);
      return (node.specifiers as Node[]).map(one => this.#declaration(target, nameOf(one.local)));
    });
  }

  /** The types of this house in the signature of a declaration. */
  namedBy({ path, name }: Declared): Declared[] {
    const node = this.#declarations(path).get(name);
    const names = node ? typesIn(node) : [];
    return names.flatMap(one => {
      if (this.#declarations(path).has(one)) return [{ path, name: one }];
      const from = this.#imported(path, one);
      return from ? [from] : [];
    });
  }

  #body(path: string): readonly Node[] {
    const known = this.#bodies.get(path);
    if (known) return known;
    const body = parse(path, this.#files.get(path)!).body as unknown as Node[];
    this.#bodies.set(path, body);
    return body;
  }

  /** By name, what is declared in a file. */
  #declarations(path: string): Map<string, Node> {
    const found = new Map<string, Node>();
    for (const node of this.#body(path)) {
      const declaration = (node.declaration ?? node) as Node;
      if (declaration.id) found.set(nameOf(declaration.id), declaration);
      for (const one of (declaration.declarations ?? []) as Node[]) found.set(nameOf(one.id), one);
    }
    return found;
  }

  #declaredIn(path: string): Declared[] {
    const exported = this.#body(path).filter(
      node => node.type === 'ExportNamedDeclaration' && node.declaration,
    );
    return exported.map(node => ({ path, name: nameOf((node.declaration as Node).id) }));
  }

  /** Follows names that a file only passes on. */
  #declaration(path: string, name: string): Declared {
    if (this.#declarations(path).has(name)) return { path, name };
    const passed = this.#imported(path, name) ?? this.exportsOf(path).find(one => one.name === name);
    return passed ?? { path, name };
  }

  #imported(path: string, name: string): Declared | null {
    for (const node of this.#body(path)) {
      if (node.type !== 'ImportDeclaration') continue;
      const one = (node.specifiers as Node[]).find(each => nameOf(each.local) === name);
      const target = one && this.#target(path, node);
      if (one && this.#files.has(target!)) return this.#declaration(target!, nameOf(one.imported));
    }
    return null;
  }

  #target(path: string, node: Node): string {
    const specifier = (node.source as { value: string }).value;
    return importsOf(path, this.#files.get(path)!).find(one => one.specifier === specifier)!.target;
  }
}

/** Names of types, without those that a parameter of a type has. */
function typesIn(declaration: Node): string[] {
  const found = new Set<string>();
  const own = new Set<string>();
  walk(declaration, node => {
    if (node.type === 'BlockStatement' || node.type === 'FunctionBody' || isPrivate(node)) return false;
    if (node.type === 'TSTypeParameter') own.add(nameOf(node.name));
    if (node.type === 'TSInferType') own.add(nameOf((node.typeParameter as Node).name));
    if (node.type === 'TSTypeReference') found.add(nameOf(node.typeName));
    if (node.type === 'TSInterfaceHeritage' || node.type === 'TSClassImplements')
      found.add(nameOf(node.expression));
    if (node.superClass) found.add(nameOf(node.superClass));
    return true;
  });
  return [...found].filter(name => !own.has(name));
}

/** What no caller sees: private members, and the values that members and constants begin with. */
function isPrivate(node: Node): boolean {
  const key = node.key as Node | undefined;
  return (
    key?.type === 'PrivateIdentifier' ||
    node.accessibility === 'protected' ||
    node.kind === 'constructor' ||
    VALUES.has(node.type ?? '')
  );
}

const VALUES = new Set(['ObjectExpression', 'ArrayExpression', 'CallExpression', 'NewExpression']);

function walk(value: unknown, visit: (node: Node) => boolean): void {
  if (Array.isArray(value)) for (const one of value) walk(one, visit);
  else if (typeof value === 'object' && value !== null) {
    const node = value as Node;
    if (typeof node.type === 'string' && !visit(node)) return;
    for (const [key, one] of Object.entries(node)) if (key !== 'parent') walk(one, visit);
  }
}

function nameOf(node: unknown): string {
  if (typeof node === 'string') return node;
  const { name, value } = Object(node) as { name?: unknown; value?: unknown };
  return typeof name === 'string' ? name : typeof value === 'string' ? value : name ? nameOf(name) : '';
}
