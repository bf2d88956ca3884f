/**
 * The message of a landed commit. The commit is the user's own: they sign it off themselves, and the agents stand in trailers
 * that name no address (kernel.org, process/coding-assistants).
 *
 *     3 edits by claude: src/auth.ts, src/log.ts
 *
 *     - str_replace src/auth.ts (+1 -1): Expired tokens passed.
 *
 *     Assisted-by: claude:m1
 *     Vedit-Session: 7f3a
 *     Vedit-Lands: <commits of the trail>
 */

import { EditError } from '../errors.ts';
import { isAgents } from '../history/editors.ts';
import { formatLands, type Lands } from '../history/landing/lands-trailer.ts';
import { checkTrailer, SUBJECT_LIMIT, trailerText } from '../history/message.ts';
import type { TrailEntry } from '../history/walk.ts';
import { saysReason } from '../operations.ts';

export interface LandMessage {
  /** The edits that the message speaks of, oldest first. */
  edits: readonly TrailEntry[];
  paths: readonly string[];
  lands: readonly Lands[];
  /** The user's own words in place of the list. */
  message?: string | undefined;
  /** `Name <address>`: people that the user asked to be named. */
  coAuthors: readonly string[];
}

/** The most edits that are listed, and the most sessions named; Vedit-Lands names them all. */
const LISTED = 50;

/** Throws INVALID_INPUT for a message without text, and for a co-author who is not `Name <address>`. */
export function formatLandMessage(parts: LandMessage): string {
  const words = parts.message === undefined ? ownWords(parts) : given(parts.message);
  const trailers = trailersOf(parts).join('\n');
  const last = words.slice(words.lastIndexOf('\n\n') + 2);
  const joins = parts.message !== undefined && words.includes('\n\n') && isTrailers(last);
  return `${words}${joins ? '\n' : '\n\n'}${trailers}\n`;
}

function given(message: string): string {
  const text = message.replace(/\r\n?/g, '\n').trim();
  if (text !== '' && !/[\0\p{Surrogate}]/u.test(text)) return text;
  throw new EditError('INVALID_INPUT', 'The message of the commit is empty or no text. Give a sentence.', {
    field: 'message',
  });
}

function isTrailers(paragraph: string): boolean {
  return paragraph.split('\n').every(line => /^[A-Za-z0-9-]+: \S/.test(line));
}

function trailersOf({ edits, lands, coAuthors }: LandMessage): string[] {
  const metas = edits.flatMap(({ meta }) => meta ?? []);
  const agents = metas.flatMap(({ agent, model }) => (agent ? `${agent}${model ? `:${model}` : ''}` : []));
  const sessions = metas.flatMap(({ session }) => session ?? []);
  return [
    ...coAuthors.map(one => `Co-authored-by: ${checkPerson(one)}`),
    // A commit from elsewhere may name them by what no trailer holds.
    ...once(agents.flatMap(one => trailerText(one) ?? [])).map(one => `Assisted-by: ${one}`),
    ...once(sessions.flatMap(one => trailerText(one) ?? [])).map(one => `Vedit-Session: ${one}`),
    ...lands.map(one => `Vedit-Lands: ${formatLands(one)}`),
  ];
}

function once(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, LISTED);
}

function checkPerson(person: string): string {
  if (/^[^<>]*[^<>\s] <[^<>\s@]+@[^<>\s@]+>$/.test(person)) return checkTrailer('coAuthors', person);
  const shown = JSON.stringify(person.slice(0, 80));
  throw new EditError('INVALID_INPUT', `${shown} is no co-author. Give "Name <address>".`, {
    field: 'coAuthors',
  });
}

function ownWords({ edits, paths }: LandMessage): string {
  const [only] = edits;
  if (edits.length === 1 && only) return single(only);
  const lines = edits.slice(0, LISTED).map(edit => `- ${listed(edit)}`);
  if (edits.length > LISTED) lines.push(`- and ${edits.length - LISTED} more`);
  return `${subjectOf(edits, paths)}\n\n${lines.join('\n')}`;
}

/** The edit's subject, with the reason where that does not say it. */
function listed(edit: TrailEntry): string {
  const [first] = cleaned(edit.reason).split('\n');
  if (!first) return calledBy(edit);
  return saysReason(edit.subject, first) ? edit.subject : `${edit.subject}: ${first}`;
}

/** The reason given with the edit says what the change is about. */
function single(edit: TrailEntry): string {
  const text = cleaned(edit.reason);
  const [first = '', ...rest] = text.split('\n');
  if (first === '') return calledBy(edit);
  if ([...first].length > SUBJECT_LIMIT) return `${calledBy(edit)}\n\n${text}`;
  const body = [rest.join('\n').trim(), saysReason(edit.subject, first) ? '' : edit.subject];
  return [first, ...body.filter(part => part !== '')].join('\n\n');
}

/** An edit by its tool and its files, where its reason stands besides, or may not be said. */
function calledBy({ subject, reason, meta }: TrailEntry): string {
  if (!meta || !saysReason(subject, reason)) return subject;
  return `${meta.op} ${meta.paths.length === 1 ? meta.paths[0] : `${meta.paths.length} files`}`;
}

/** Cleans what an agent wrote: it may not sign anything, and may not name people. */
function cleaned(reason: string): string {
  const lines = reason.split('\n').filter(line => !/^\s*(signed-off-by|co-authored-by)\s*:/i.test(line));
  return lines.join('\n').trim();
}

function subjectOf(edits: readonly TrailEntry[], paths: readonly string[]): string {
  const agents = [...new Set(edits.flatMap(({ meta }) => meta?.agent ?? []))];
  // Of edits of which some are a person's no agent is named for all.
  const isAll = edits.every(isAgents);
  const who =
    agents.length === 0 || !isAll ? '' : ` by ${agents.length === 1 ? agents[0] : `${agents.length} agents`}`;
  const start = `${edits.length} edits${who}`;
  const full = `${start}: ${paths.join(', ')}`;
  if ([...full].length <= SUBJECT_LIMIT) return full;
  const short = `${start}: ${paths.length} ${paths.length === 1 ? 'file' : 'files'}`;
  return [...short].length <= SUBJECT_LIMIT ? short : `${edits.length} edits: ${paths.length} files`;
}
