/** The real program on a pseudo-terminal, by python3: what a person sees, and what they type when they see it. */

import { spawnSync } from 'node:child_process';
import type { Sandbox } from './real-git.ts';
import { BIN, cleanEnv } from './vedit.ts';

/** Waits for each text in turn and then types the answer; then reads on until the program ends. */
const DRIVER = `
import json, os, pty, select, sys, time
steps, argv = json.loads(sys.argv[1]), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(argv[0], argv)
seen, at = b"", 0
def more():
    global seen
    if not select.select([fd], [], [], 60)[0]:
        sys.stderr.write("nothing came; so far: " + seen.decode("utf8", "replace"))
        sys.exit(99)
    try:
        part = os.read(fd, 65536)
    except OSError:
        part = b""
    seen += part
    return part != b""
for wanted, typed in steps:
    while (found := seen.find(wanted.encode(), at)) < 0:
        if not more():
            sys.stderr.write("it ended without " + wanted + ": " + seen.decode("utf8", "replace"))
            sys.exit(98)
    at = found + len(wanted)
    os.write(fd, typed.encode())
while more():
    pass
sys.stdout.write(seen.decode("utf8", "replace").replace("\\r\\n", "\\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

export const hasPython: boolean = spawnSync('python3', ['-c', 'import pty']).status === 0;

/** What stood on the terminal, and the exit code. `steps`: a text to wait for, and what is typed then. */
export function onTerminal(
  box: Sandbox,
  args: readonly string[],
  steps: ReadonlyArray<readonly [wanted: string, typed: string]>,
  more: NodeJS.ProcessEnv = {},
): { out: string; code: number } {
  const env = { ...cleanEnv(box), TERM: 'xterm', NO_COLOR: '1', PAGER: 'cat', ...more };
  const driver = ['-c', DRIVER, JSON.stringify(steps), process.execPath, BIN, ...args];
  const ran = spawnSync('python3', driver, { cwd: box.dir, env, encoding: 'utf8' });
  if (ran.status === 98 || ran.status === 99) throw new Error(ran.stderr);
  return { out: ran.stdout, code: ran.status ?? -1 };
}
