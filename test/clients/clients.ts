/**
 * The clients themselves: how each is installed and started without a person and without the internet, and what its own tools
 * are called. They go into a folder of their own (VEDIT_CLIENTS, or one beside the temporary files), and stay there.
 */

import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Act } from './model.ts';

const FOLDER = process.env.VEDIT_CLIENTS ?? join(tmpdir(), 'vedit-clients');

/** What the client may do: all of it, its own edits, or only look. */
export type Mode = 'all' | 'edits' | 'plan';

export interface Place {
  repo: string;
  home: string;
  /** Of the model. */
  url: string;
}

export interface RealClient {
  /** As `vedit install` and the trail know it. */
  name: string;
  package: string;
  program: string;
  /** Its words for what a model wants; paths are absolute. */
  read?(path: string): Act;
  edit(path: string, old: string, now: string): Act;
  create(path: string, text: string): Act;
  shell(command: string): Act;
  /** How a model comes to the tools of servers, where they are not offered at once. */
  search?: Act;
  /** A sub-agent, whose turns come next. */
  delegate?: Act;
  args: Partial<Record<Mode, readonly string[]>>;
  always(place: Place): readonly string[];
  /** What stands before the prompt, which is last. */
  prompt?: readonly string[];
  env(place: Place): NodeJS.ProcessEnv;
  /** What a person does once: trusting the folder. By paths below the home. */
  files?(place: Place): Readonly<Record<string, string>>;
}

const call = (tool: string, input: object): Act => ({ tool, input });

export const CLIENTS: readonly RealClient[] = [
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code@2.1.332',
    program: 'claude',
    read: path => call('Read', { file_path: path }),
    edit: (file_path, old_string, new_string) => call('Edit', { file_path, old_string, new_string }),
    create: (file_path, content) => call('Write', { file_path, content }),
    shell: command => call('Bash', { command, description: 'Change files' }),
    delegate: call('Agent', {
      ...{ description: 'Edit', prompt: 'edit it', subagent_type: 'general-purpose' },
      run_in_background: false,
    }),
    args: {
      all: ['--allowedTools', 'mcp__vedit', 'Edit', 'Write', 'Bash', 'Read', 'Agent'],
      edits: ['--permission-mode', 'acceptEdits'],
      plan: ['--permission-mode', 'plan'],
    },
    always: () => ['--model', 'claude-sonnet-4-5'],
    prompt: ['-p'],
    env: ({ url }) => ({
      ...{
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
      ...{ DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1' },
    }),
  },
  {
    name: 'codex',
    package: '@openai/codex@0.171',
    program: 'codex',
    edit: (path, old, now) => ({
      custom: 'apply_patch',
      text: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${old}\n+${now}\n*** End Patch\n`,
    }),
    create: (path, text) => ({
      custom: 'apply_patch',
      text: `*** Begin Patch\n*** Add File: ${path}\n${text.replace(/^(?=.)/gm, '+')}*** End Patch\n`,
    }),
    shell: cmd => call('exec_command', { cmd }),
    search: { search: 'vedit' },
    args: { all: ['--dangerously-bypass-approvals-and-sandbox'] },
    always: ({ url }) => [
      ...[
        'exec',
        '--dangerously-bypass-hook-trust',
        '-c',
        'model=gpt-5.5',
        '-c',
        'model_provider=fake',
        '-c',
      ],
      `model_providers.fake={name='fake',base_url='${url}/v1',env_key='FAKE_KEY',wire_api='responses',supports_websockets=false,request_max_retries=0,stream_max_retries=0}`,
    ],
    env: ({ home }) => ({ CODEX_HOME: join(home, '.codex'), FAKE_KEY: 'none' }),
    files: ({ repo }) => ({ '.codex/config.toml': `[projects."${repo}"]\ntrust_level = "trusted"\n` }),
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli@0.61',
    program: 'gemini',
    read: file_path => call('read_file', { file_path }),
    edit: (file_path, old_string, new_string) =>
      call('replace', { file_path, instruction: 'edit', old_string, new_string }),
    create: (file_path, content) => call('write_file', { file_path, content }),
    shell: command => call('run_shell_command', { command, description: 'Change files' }),
    delegate: call('invoke_agent', { agent_name: 'generalist', prompt: 'edit it' }),
    args: {
      all: ['--approval-mode', 'yolo'],
      edits: ['--approval-mode', 'auto_edit'],
      plan: ['--approval-mode', 'plan'],
    },
    always: () => ['-m', 'gemini-2.5-flash'],
    prompt: ['-p'],
    env: ({ url }) => ({
      ...{ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none', GEMINI_DEFAULT_AUTH_TYPE: 'gemini-api-key' },
      ...{ GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_TELEMETRY_ENABLED: 'false' },
    }),
    files: ({ repo }) => ({
      '.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}',
      '.gemini/trustedFolders.json': JSON.stringify({ [repo]: 'TRUST_FOLDER' }),
    }),
  },
  {
    name: 'opencode',
    package: 'opencode-ai@1.18',
    program: 'opencode',
    read: filePath => call('read', { filePath }),
    edit: (filePath, oldString, newString) => call('edit', { filePath, oldString, newString }),
    create: (filePath, content) => call('write', { filePath, content }),
    shell: command => call('bash', { command, description: 'Change files' }),
    delegate: call('task', { description: 'Edit', prompt: 'edit it', subagent_type: 'general' }),
    args: { all: [], plan: ['--agent', 'plan'] },
    always: () => ['run'],
    env: ({ url }) => ({
      ...{
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      },
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'none' },
            models: { fake: { tool_call: true, limit: { context: 200_000, output: 8_000 } } },
          },
        },
        ...{ model: 'fake/fake', small_model: 'fake/fake', autoupdate: false, share: 'disabled' },
      }),
    }),
  },
  {
    name: 'copilot',
    package: '@github/copilot@1.0',
    program: 'copilot',
    edit: (path, old_str, new_str) => call('edit', { path, old_str, new_str }),
    create: (path, file_text) => call('create', { path, file_text }),
    shell: command => call('bash', { command, description: 'Change files' }),
    delegate: call('task', {
      ...{ description: 'Edit', prompt: 'edit it', name: 'editor' },
      ...{ agent_type: 'general-purpose', mode: 'sync' },
    }),
    args: { all: ['--allow-all-tools'] },
    always: () => [],
    prompt: ['-p'],
    env: ({ url }) => ({
      ...{
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_PROVIDER_API_KEY: 'none',
      },
      ...{
        COPILOT_MODEL: 'fake',
        COPILOT_OFFLINE: 'true',
        COPILOT_AUTO_UPDATE: 'false',
        COPILOT_ALLOW_ALL: 'true',
      },
    }),
  },
  {
    name: 'qwen',
    package: '@qwen-code/qwen-code@0.24.4',
    program: 'qwen',
    read: file_path => call('read_file', { file_path }),
    edit: (file_path, old_string, new_string) => call('edit', { file_path, old_string, new_string }),
    create: (file_path, content) => call('write_file', { file_path, content }),
    shell: command => call('run_shell_command', { command, is_background: false }),
    delegate: call('agent', {
      ...{ description: 'Edit', prompt: 'edit it', subagent_type: 'general-purpose' },
      run_in_background: false,
    }),
    args: {
      all: ['--approval-mode', 'yolo'],
      edits: ['--approval-mode', 'auto-edit'],
      plan: ['--approval-mode', 'plan'],
    },
    always: () => ['--auth-type', 'openai'],
    prompt: ['-p'],
    env: ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'fake' }),
  },
];

function folderOf({ package: name }: RealClient): string {
  return join(FOLDER, name.replace(/\W+/g, '-'));
}

/** Installs it from the package registry, where it is not installed yet. Answers its version. */
export function installed(client: RealClient): string {
  const folder = folderOf(client);
  const name = client.package.replace(/(?<=.)@.*$/, '');
  if (!existsSync(join(folder, 'node_modules', '.bin', client.program))) {
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--no-audit', '--no-fund', '--prefix', folder, client.package];
    execFileSync('npm', args, { stdio: 'ignore', timeout: 600_000 });
  }
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/** The program and its environment, with what a person does once done. */
export function prepared(
  client: RealClient,
  place: Place,
  path: string,
): { program: string; env: NodeJS.ProcessEnv } {
  for (const [name, text] of Object.entries(client.files?.(place) ?? {})) {
    mkdirSync(dirname(join(place.home, name)), { recursive: true });
    writeFileSync(join(place.home, name), text);
  }
  const bin = join(folderOf(client), 'node_modules', '.bin');
  const { TMPDIR, LANG } = process.env;
  const env = {
    ...client.env(place),
    TMPDIR,
    LANG,
    HOME: place.home,
    PATH: `${path}:${bin}:${process.env.PATH}`,
  };
  return { program: join(bin, client.program), env };
}

/** One session without a person, to its end. */
export function run(client: RealClient, place: Place, mode: Mode, path: string): Promise<string> {
  const { program, env } = prepared(client, place, path);
  const args = [
    ...client.always(place),
    ...(client.args[mode] ?? []),
    ...(client.prompt ?? []),
    'do the work',
  ];
  return new Promise(resolve => {
    const child = execFile(
      program,
      args,
      { cwd: place.repo, env, timeout: 240_000, maxBuffer: 1e8 },
      (error, out, err) => resolve(`${out}\n${err}\n${error?.message ?? ''}`),
    );
    child.stdin?.end();
  });
}
