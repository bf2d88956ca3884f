/**
 * Names in a message that its reader may know by others: of tools, of fields, of paths. Whoever writes the message marks
 * them; whoever hands it on says it in the reader's words. A tool that the reader does not have is not named to them.
 */

/** The tools and fields that a reader of messages has, and the names that they know them by. */
export interface Vocabulary {
  /** The tools that there are, by their own names, each with the name that the reader knows; default: all, as they are. */
  tools?: Readonly<Record<string, string>> | undefined;
  /** Fields and options of other names, by their own; `null` where there is no such field. A flag begins with `-`. */
  fields?: Readonly<Record<string, string | null>> | undefined;
  /** A path of the workspace as the reader writes it; default: relative to its root. */
  path?: ((path: string) => string) | undefined;
  /** True where each call is a session of its own, so that a view before it tells the next call nothing. */
  forgets?: boolean | undefined;
}

/**
 * Halves of surrogate pairs, which no text of a file and no request holds alone: nothing that is quoted is taken for a
 * mark. They are looked for by code points, as the second half of a pair may be any of them (U+1F400 ends in \udc00).
 */
const BEGIN = '\udc00';
const NEXT = '\udc01';
const END = '\udc02';

/** Marks that hold no other one. */
const MARKS = new RegExp(`${BEGIN}([^${BEGIN}${END}]*)${END}`, 'gu');
const BETWEEN = new RegExp(NEXT, 'u');

function mark(kind: keyof typeof SAID, ...parts: readonly string[]): string {
  return BEGIN + [kind, ...parts].join(NEXT) + END;
}

/** Marks the name of a tool. Words that only those need who have the tool stand in `ifTool`. */
export function toolName(name: string): string {
  return mark('tool', name);
}

/** Those of the tools that the reader has, in a list; all of them for a reader who has none. */
export function toolList(names: readonly string[]): string {
  return mark('tools', ...names);
}

export function fieldName(name: string): string {
  return mark('field', name);
}

/** An option with its value, as its reader gives it: `keep: "mine"` in a program, `--keep mine` on a command line. */
export function optionWords(name: string, value: true | string): string {
  return mark('option', name, String(value));
}

/** A path of the workspace; '.' and '' are its root. */
export function pathName(path: string): string {
  return mark('path', path);
}

/** Returns the text with a capital letter at its beginning. */
export function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** Returns the first digits of an id, as messages name it. */
export function shortId(id: string): string {
  return id.slice(0, 12);
}

/** A verb for looking at what follows it: `view`, `use article_view on`, or `look at` without a tool for it. */
export function look(what: 'file' | 'folder' = 'file'): string {
  return mark('look', what);
}

/** As `look`, at the beginning of a sentence. */
export function Look(what: 'file' | 'folder' = 'file'): string {
  return mark('Look', what);
}

/**
 * Marks words for those who have the tool, which get its name, and others for those who do not. `view first` is a tool
 * that shows a file, and the calls after it know that it did.
 */
export function ifTool(name: string, words: string | ((tool: string) => string), otherwise = ''): string {
  return mark('ifTool', name, typeof words === 'string' ? words : words(toolName(name)), otherwise);
}

/** Marks words for those who have the field, and others for those who do not. */
export function ifField(name: string, words: string, otherwise = ''): string {
  return mark('ifField', name, words, otherwise);
}

/** Marks words for those who have the option; they get it with its value, as optionWords says it. */
export function ifOption(name: string, value: true | string, words: (option: string) => string): string {
  return ifField(name, words(optionWords(name, value)));
}

/** Says the message in the words of its reader; by default in the engine's own, with all of its tools. */
export function render(message: string, vocabulary: Vocabulary = {}): string {
  if (!message.includes(BEGIN)) return message;
  const text = message.replace(MARKS, (_, marked: string) => {
    const [kind, ...parts] = marked.split(BETWEEN);
    return SAID[kind as keyof typeof SAID](vocabulary, ...(parts as [string, string, string]));
  });
  return text === message ? text : render(text, vocabulary);
}

/** Resolves the marks in the data's texts, as `render` does; answers the data itself where there are none. */
export function renderData<T>(data: T): T {
  if (typeof data === 'string') return render(data) as T;
  if (typeof data !== 'object' || data === null) return data;
  const entries = Object.entries(data).map(([key, value]) => [key, renderData(value)] as const);
  if (entries.every(([key, value]) => value === (data as Record<string, unknown>)[key])) return data;
  return (Array.isArray(data) ? entries.map(([, value]) => value) : Object.fromEntries(entries)) as T;
}

/** Returns the reader's name of a tool; `null` where they have none. */
function toolIn(vocabulary: Vocabulary, name: string): string | null {
  const { tools, forgets } = vocabulary;
  if (name === 'view first') return forgets ? null : toolIn(vocabulary, 'view');
  return tools ? (tools[name] ?? null) : name;
}

/** Returns the reader's name of a field; `null` where they have none. */
function fieldIn({ fields = {} }: Vocabulary, name: string): string | null {
  return name in fields ? fields[name]! : name;
}

/** By kind, the words that a mark stands for. */
const SAID = {
  tool: (reader: Vocabulary, name: string) => toolIn(reader, name) ?? name,
  tools: listIn,
  field: (reader: Vocabulary, name: string) => fieldIn(reader, name) ?? name,
  option: optionIn,
  path: (reader: Vocabulary, path: string) => reader.path?.(path) ?? path,
  look: lookIn,
  Look: (reader: Vocabulary, what: string) => capital(lookIn(reader, what)),
  ifTool: (reader: Vocabulary, name: string, words: string, otherwise: string) =>
    toolIn(reader, name) === null ? otherwise : words,
  ifField: (reader: Vocabulary, name: string, words: string, otherwise: string) =>
    fieldIn(reader, name) === null ? otherwise : words,
};

function optionIn(reader: Vocabulary, name: string, value: string): string {
  const known = fieldIn(reader, name) ?? name;
  if (known.startsWith('-')) return value === 'true' ? known : `${known} ${value}`;
  return `${known}: ${value === 'true' ? value : JSON.stringify(value)}`;
}

function listIn(reader: Vocabulary, ...names: readonly string[]): string {
  const own = [...new Set(names.map(name => toolIn(reader, name)))].filter(name => name !== null);
  return (own.length > 0 ? own : names).join(', ');
}

/** `list` is what shows a folder, where that is another tool than `view`. */
function lookIn(reader: Vocabulary, what: string): string {
  const other = what === 'folder' ? reader.tools?.list : undefined;
  const name = other ?? toolIn(reader, 'view');
  if (name === null || name === '') return 'look at';
  return /^(vedit )?(view|read)$/.test(name) ? name.replace('vedit ', '') : `use ${name} on`;
}
