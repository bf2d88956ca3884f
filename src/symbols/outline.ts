/** Finds the symbols of a program in its syntax tree: what is declared, in whatever language, by the kinds of its nodes. */

import type { Node as SyntaxNode } from '@vscode/tree-sitter-wasm';
import { type FileSymbol, trimmedEnd } from './symbol.ts';

/** Nodes around a declaration that belong to it, and say nothing of it. */
const AROUND = words(
  'export_statement decorated_definition template_declaration ambient_declaration expression_statement',
);

/** Declarations that may declare several names, each by a node of its own. */
const GROUPS = words(
  'lexical_declaration variable_declaration type_declaration const_declaration var_declaration field_declaration ' +
    'property_declaration event_field_declaration',
);
const IN_GROUPS = words(
  'variable_declarator variable_declaration type_spec type_alias const_spec var_spec const_element property_element',
);

/** Variables, which are no symbols inside a function unless they hold one. */
const VARIABLES = words('variable_declarator assignment variable_assignment const_spec var_spec declaration');

/** The nodes that declare something, of all languages. */
const DECLARATIONS = words(
  // JavaScript, TypeScript
  'function_declaration generator_function_declaration class_declaration abstract_class_declaration function_expression class ' +
    'interface_declaration enum_declaration enum_assignment type_alias_declaration method_definition abstract_method_signature ' +
    'method_signature property_signature public_field_definition field_definition function_signature internal_module module ' +
    'variable_declarator pair assignment_expression ' +
    // Python, Go, Rust
    'function_definition class_definition assignment type_alias_statement ' +
    'method_declaration type_spec type_alias const_spec var_spec field_declaration method_elem ' +
    'function_item function_signature_item struct_item enum_item union_item trait_item impl_item mod_item const_item static_item ' +
    'type_item macro_definition enum_variant ' +
    // Java, C#, C and C++
    'record_declaration annotation_type_declaration constructor_declaration enum_constant ' +
    'namespace_declaration struct_declaration delegate_declaration destructor_declaration property_declaration event_declaration ' +
    'enum_member_declaration local_function_statement ' +
    'class_specifier struct_specifier enum_specifier union_specifier namespace_definition declaration alias_declaration ' +
    'type_definition preproc_def preproc_function_def enumerator ' +
    // PHP, Ruby, Bash, CSS
    'trait_declaration const_element property_element enum_case method singleton_method variable_assignment ' +
    'rule_set media_statement keyframes_statement supports_statement',
);

/** Nodes whose parts may declare symbols. */
const HOLDS =
  /(^(program|module|source_file|translation_unit|compilation_unit|stylesheet|object|struct_type|interface_type|.*block|enum_body_declarations|singleton_class|switch_.*|(if|for|while|try|with|do)_statement|else.*|(finally|except|catch)_clause|preproc_if.*|preproc_else|linkage_specification|namespace_use.*|statement_list|begin|then)$)|_body$|^body_statement$|(declaration|variant|member_declaration|enumerator|enum_declaration)_list$/;

const FUNCTIONS = /function|method|constructor|destructor|arrow|lambda/;

/** Comments, decorators and the like that stand before a declaration. */
const LEADS =
  /comment|^(decorator|attribute_item|attribute_list|attribute_group|annotation|marker_annotation)$/;

function words(all: string): ReadonlySet<string> {
  return new Set(all.split(' '));
}

interface Place {
  node: SyntaxNode;
  path: readonly string[];
  /** The node that belongs to the declaration, where that is in one. */
  outer?: SyntaxNode | undefined;
  inFunction: boolean;
}

/** Symbols that are nested deeper have no name that anybody would write. */
const DEEPEST = 32;

/** The symbols of a tree, in the order of the text; those inside another one come after it. */
export function outlineOf(root: SyntaxNode, text: string): FileSymbol[] {
  const found: FileSymbol[] = [];
  const todo: Place[] = [{ node: root, path: [], inFunction: false }];
  for (let place = todo.pop(); place; place = todo.pop()) {
    const { node, outer } = place;
    const { type } = node;
    const grouped = GROUPS.has(type)
      ? within(node, place).filter(({ node }) => IN_GROUPS.has(node.type))
      : [];
    let below: Place[] = [];
    if (AROUND.has(type)) below = within(node, { ...place, outer: outer ?? node });
    else if (grouped.length === 1) below = [{ ...grouped[0]!, outer: outer ?? node }];
    else if (grouped.length > 1) below = grouped.map(one => ({ ...one, outer: undefined }));
    else if (DECLARATIONS.has(type)) below = declared(place, { root, text, found });
    else if (HOLDS.test(type)) below = within(node, { ...place, outer: undefined });
    if (place.path.length < DEEPEST) todo.push(...below.reverse());
  }
  return found;
}

function within(node: SyntaxNode, place: Omit<Place, 'node'>): Place[] {
  return node.namedChildren.flatMap(child => (child ? { ...place, node: child } : []));
}

interface Outline {
  root: SyntaxNode;
  text: string;
  found: FileSymbol[];
}

/** Notes what a node declares; returns what stands in it. */
function declared(place: Place, { root, text, found }: Outline): Place[] {
  const { node, outer = node } = place;
  const names = isLocal(place) ? [] : namesOf(place);
  for (const name of names) {
    const end = trimmedEnd(text, outer.startIndex, outer.endIndex);
    const start = headOf(outer) ?? outer.startIndex;
    const docStart = docStartOf(root, text, outer.startIndex);
    const isBroken = outer.hasError || outer.nextSibling?.isError === true;
    found.push({ path: [...place.path, ...name], kind: kindOf(node), start, end, docStart, isBroken });
  }
  if (/^assignment/.test(node.type) && names.length === 0) return [];
  const inner = node.type === 'impl_item' ? [implTarget(node)] : names[0];
  const path = names.length === 1 ? [...place.path, ...inner!] : place.path;
  return bodiesOf(node).flatMap(body => {
    const isFunction = FUNCTIONS.test(node.type) || FUNCTIONS.test(body.parent?.type ?? '');
    return within(body, { path, inFunction: place.inFunction || isFunction });
  });
}

function isLocal({ node, inFunction }: Place): boolean {
  if (!inFunction || !VARIABLES.has(node.type)) return false;
  return !FUNCTIONS.test(node.childForFieldName('value')?.type ?? '');
}

/** The nodes that hold what stands in a declaration: its body, that of its value, or those of the type that it names. */
function bodiesOf(node: SyntaxNode): SyntaxNode[] {
  const value = node.childForFieldName('value') ?? node.childForFieldName('right');
  const found = [node, value, node.childForFieldName('type')].flatMap(part => {
    const body = part?.childForFieldName('body') ?? part;
    return body && (body !== part || HOLDS.test(body.type)) ? [body] : [];
  });
  return found.length > 0
    ? found
    : (node.namedChildren.filter(child => child !== null && HOLDS.test(child.type)) as SyntaxNode[]);
}

function kindOf({ type }: SyntaxNode): string {
  const kind = type.replace(
    /_(declaration|definition|item|specifier|spec|statement|elem|declarator|def)$/,
    '',
  );
  return kind
    .replace(/^(generator|local|abstract|public|preproc|internal|singleton)_/, '')
    .replaceAll('_', ' ');
}

/** The names that a node declares, each in its parts; none where it declares nothing. */
function namesOf({ node, outer }: Pick<Place, 'node' | 'outer'>): string[][] {
  const { type } = node;
  if (/^(rule_set|media_statement|keyframes_statement|supports_statement)$/.test(type))
    return [[node.text.split('{', 1)[0]!.trim().replace(/\s+/g, ' ')]];
  if (/^assignment/.test(type)) return assignedName(node);
  if (type === 'impl_item') {
    const trait = node.childForFieldName('trait');
    return [[`impl ${trait ? `${trait.text} for ` : ''}${implTarget(node)}`]];
  }
  // A type that is only named, or declared for later.
  if (/^(class|struct|enum|union)_specifier$/.test(type) && !node.childForFieldName('body')) return [];
  const own = node.childrenForFieldName('name').flatMap(name => (name ? [plain(name.text)] : []));
  if (own.length > 0) return own.map(name => [...receiverOf(node), ...nameParts(type, name)]);
  const key = node.childForFieldName('key') ?? node.childForFieldName('property');
  if (key) return [[plain(key.text)]];
  const declarators = node.childrenForFieldName('declarator').flatMap(declaratorName);
  if (declarators.length > 0) return declarators;
  if (type === 'const_element') return [[node.namedChildren[0]!.text]];
  const isDefault = outer?.type === 'export_statement' && outer.childForFieldName('value')?.id === node.id;
  return isDefault ? [['default']] : [];
}

/** A name without the signs of strings and variables around it. */
function plain(name: string): string {
  return name.replace(/^(["'`])(.*)\1$/s, '$2').replace(/^\$/, '');
}

function nameParts(type: string, name: string): string[] {
  if (type === 'destructor_declaration') return [`~${name}`];
  return /namespace|internal_module/.test(type) ? name.split(/\.|::|\\/) : [name];
}

/** The type that a method of Go is of. */
function receiverOf(node: SyntaxNode): string[] {
  const receiver = node.childForFieldName('receiver')?.text ?? '';
  return /(\w+)\s*(?:\[[^\]]*\])?\s*\)$/.exec(receiver)?.slice(1) ?? [];
}

/** The type that an `impl` of Rust is of, whose functions are its. */
function implTarget(node: SyntaxNode): string {
  return (node.childForFieldName('type')?.text ?? '').replace(/<.*/s, '');
}

function assignedName(node: SyntaxNode): string[][] {
  const left = node.childForFieldName('left');
  if (left?.type === 'identifier' || left?.type === 'constant')
    return node.type === 'assignment' ? [[left.text]] : [];
  const holds = /function|class/.test(node.childForFieldName('right')?.type ?? '');
  return holds && left?.type === 'member_expression' ? [left.text.split('.')] : [];
}

/** The name in a declarator of C and C++, which may be wrapped as often as the type is. */
function declaratorName(given: SyntaxNode | null): string[][] {
  let node = given;
  for (let inner = node; inner; inner = inner.childForFieldName('declarator')) node = inner;
  if (node && /^(reference|parenthesized)_declarator$/.test(node.type))
    return declaratorName(node.namedChildren[0] ?? null);
  const isName = node !== null && /identifier|_name$/.test(node.type);
  return isName ? [node!.text.replace(/<[^<>]*>/g, '').split('::')] : [];
}

/** Where a declaration begins without what stands before it inside its node. */
function headOf(node: SyntaxNode): number | null {
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (LEADS.test(child.type)) continue;
    const inside = child.type === 'modifiers' || AROUND.has(child.type) ? headOf(child) : child.startIndex;
    if (inside !== null) return inside;
  }
  return null;
}

/** Where the comments, decorators and attributes begin that stand on the lines right above an offset, or the offset itself. */
function docStartOf(root: SyntaxNode, text: string, offset: number): number {
  let start = offset;
  for (;;) {
    const end = trimmedEnd(text, 0, start);
    if (end === 0 || text.slice(end, start).split('\n').length > 2) return start;
    let lead: SyntaxNode | null = null;
    for (let node = root.descendantForIndex(end - 1); node; node = node.parent)
      if (LEADS.test(node.type)) lead = node;
    const at = lead?.startIndex ?? start;
    const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
    if (at >= start || before.trim() !== '' || text.startsWith('#!', at)) return start;
    start = at;
  }
}
