/**
 * On a pull request: one table of who wrote what and why, and which of it nobody reviewed. On a push: a note on each commit that
 * brings lines of agents, in refs/notes/ai, in the open format of Git AI (authorship/3.0.0).
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { git, linesOfAgents, runs } from './whose.mjs';

const { VEDIT = 'npx -y versioned-edit', GITHUB_EVENT_PATH, GITHUB_STEP_SUMMARY, GITHUB_TOKEN } = process.env;
const vedit = VEDIT.split(' ');
const event = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8'));
const NOTES = 'refs/notes/ai';
/** A runner's git knows nobody. */
const BOT = ['-c', 'user.name=github-actions[bot]', '-c', 'user.email=github-actions[bot]@users.noreply.github.com'];
const MARK = '<!-- vedit -->';
/** A forge shows a table of more rows to nobody. */
const MOST_ROWS = 100;

execFileSync(vedit[0], [...vedit.slice(1), 'fetch'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (event.pull_request) report(event.pull_request);
else note(event);

function report({ number, base, head }) {
  const fork = git('merge-base', base.sha, head.sha).trim();
  const lines = linesOfAgents(vedit, fork, head.sha);
  const found = runs(lines, one => [one.agent, one.session, one.reason, one.isReviewed].join('\0'));
  const text = `${MARK}\n${found.length === 0 ? 'No line of this pull request is known to be an agent’s.' : tableOf(found, lines)}\n`;
  if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, text);
  console.log(text);
  if (GITHUB_TOKEN) comment(number, text);
}

function tableOf(found, lines) {
  const left = lines.filter(one => !one.isReviewed).length;
  const rows = found
    .slice(0, MOST_ROWS)
    .map(({ path, start, end, agent, reason, isReviewed }) =>
      [`\`${path}\``, start === end ? start : `${start}-${end}`, cell(agent), cell(reason), isReviewed ? 'yes' : '**no**'].join(' | '),
    );
  const more = found.length > MOST_ROWS ? [`\n${found.length - MOST_ROWS} more are not shown.`] : [];
  const head = [
    `Agents wrote ${lines.length} lines of this; ${left === 0 ? 'all were reviewed' : `**nobody reviewed ${left} of them**`}.`,
    '',
    'file | lines | who | why | reviewed',
    '--- | --- | --- | --- | ---',
  ];
  return [...head, ...rows, ...more].join('\n');
}

function cell(text) {
  const plain = String(text ?? '').replace(/\s+/g, ' ').trim();
  return plain.slice(0, 120).replace(/[\\`|<>*_[\]@#]/g, one => `\\${one}`);
}

/** One comment, which each run writes anew. */
function comment(number, body) {
  const api = (...args) => execFileSync('gh', ['api', ...args], { encoding: 'utf8' });
  const all = `repos/{owner}/{repo}/issues/${number}/comments`;
  const id = api('--paginate', all, '--jq', `.[] | select(.body | startswith("${MARK}")) | .id`).split('\n')[0];
  if (id) api('-X', 'PATCH', `repos/{owner}/{repo}/issues/comments/${id}`, '-f', `body=${body}`);
  else api(all, '-f', `body=${body}`);
}

/** Notes what was pushed, commit by commit, and pushes the notes; those that are there stay. */
function note({ before, after }) {
  git('fetch', '-q', 'origin', `+${NOTES}:${NOTES}`);
  const isNew = /^0*$/.test(before);
  const commits = git('rev-list', '--reverse', '--no-merges', '--max-count=500', after, ...(isNew ? [] : [`^${before}`]));
  let count = 0;
  for (const commit of commits.split('\n').filter(Boolean)) {
    if (git('notes', `--ref=${NOTES}`, 'show', commit) !== '') continue;
    const base = git('rev-parse', '--verify', '-q', `${commit}^`).trim();
    if (base === '') continue;
    const lines = linesOfAgents(vedit, base, commit);
    if (lines.length === 0) continue;
    execFileSync('git', [...BOT, 'notes', `--ref=${NOTES}`, 'add', '-F', '-', commit], { input: noteOf(lines, base) });
    count++;
  }
  console.log(`${count} commits were noted in ${NOTES}.`);
  if (count > 0) execFileSync('git', ['push', '-q', 'origin', NOTES], { stdio: 'inherit' });
}

/** The lines of each session by file, then what each session is. */
function noteOf(lines, base) {
  const keyOf = ({ agent, session }) => createHash('sha256').update(`${agent}:${session}`).digest('hex').slice(0, 16);
  const prompts = {};
  for (const one of lines) {
    const prompt = (prompts[keyOf(one)] ??= {
      agent_id: { tool: one.agent, id: one.session ?? '', model: one.model ?? 'unknown' },
      messages: [],
      ...{ total_additions: 0, total_deletions: 0, accepted_lines: 0, overriden_lines: 0 },
    });
    prompt.total_additions++;
    prompt.accepted_lines++;
    if (one.reason && !prompt.messages.some(({ text }) => text === one.reason))
      prompt.messages.push({ type: 'assistant', text: one.reason });
  }
  const files = [...new Set(lines.map(one => one.path))].map(path => {
    const own = runs(lines.filter(one => one.path === path), keyOf);
    const entries = Object.keys(prompts).flatMap(key => {
      const ranges = own.filter(one => one.key === key).map(({ start, end }) => (start === end ? start : `${start}-${end}`));
      return ranges.length > 0 ? [`  ${key} ${ranges.join(',')}`] : [];
    });
    return [/\s/.test(path) ? `"${path}"` : path, ...entries].join('\n');
  });
  const metadata = { schema_version: 'authorship/3.0.0', base_commit_sha: base, prompts };
  return `${files.join('\n')}\n---\n${JSON.stringify(metadata, null, 2)}\n`;
}
