import { describe, expect, it } from 'vitest';
import { UneditableError } from '../../../../src/surfaces/cli/install/jsonc-edit.ts';
import { withoutTable, withTable } from '../../../../src/surfaces/cli/install/toml-edit.ts';

const PATH = ['mcp_servers', 'vedit'];
const SERVER = { command: 'vedit', args: ['mcp', 'a "b"'] };
const TABLE = '[mcp_servers.vedit]\ncommand = "vedit"\nargs = ["mcp", "a \\"b\\""]\n';

const FILES: ReadonlyArray<readonly [string, string]> = [
  ['keys and comments', '# mine\nmodel = "m1" # the best\n\n[mcp_servers.own]\ncommand = "x"\n'],
  ['lists of several lines', 'a = [\n  "[mcp_servers.vedit]",\n  [1, 2],\n]\nb = 1\n'],
  ['long texts', 'a = """\n[mcp_servers.vedit]\nx = 1\n"""\n\n[profiles."a.b"]\nmodel = \'[x\'\n'],
  ['a table of all servers', '[mcp_servers]\n\n[mcp_servers.own]\nargs = ["a"]\n'],
];

describe.each(FILES)('a file with %s', (_, text) => {
  it('gets the table at its end, and is what it was without it', () => {
    const put = withTable(text, PATH, SERVER);
    expect(put).toBe(`${text}\n${TABLE}`);
    expect(withoutTable(put, PATH)).not.toBe(put);
    expect(withoutTable(text, PATH)).toBe(text);
    expect(withoutTable(put, PATH)).toBe(text);
  });
});

describe('the table', () => {
  it('is all of a new file', () => {
    expect(withTable(null, PATH, SERVER)).toBe(TABLE);
    expect(withoutTable(TABLE, PATH)).toBe(null);
  });

  it.each(['', '\n', 'a = 1', 'a = 1\n', 'a = 1\n\n', '# mine', 'a = 1\r\n', 'a = 1\r\nb = 2'])(
    'leaves %j as it was when it goes',
    text => {
      expect(withoutTable(withTable(text, PATH, SERVER), PATH)).toBe(text);
    },
  );

  it('keeps what a person put into it and below it; comments of what follows stay', () => {
    const text =
      'a = 1\n\n[mcp_servers."vedit"] # ours\ncommand = "old"\nargs = [\n  "x",\n]\nstartup_timeout_sec = 5\n\n[mcp_servers.vedit.env]\nA = "1"\n\n# next\n[other]\nb = 2\n';
    expect(withTable(text, PATH, SERVER)).toBe(
      `a = 1\n\n${TABLE}startup_timeout_sec = 5\n\n[mcp_servers.vedit.env]\nA = "1"\n\n# next\n[other]\nb = 2\n`,
    );
    expect(withoutTable(text, PATH)).toBe('a = 1\n\n# next\n[other]\nb = 2\n');
  });

  it('keeps line ends', () => {
    expect(withTable('a = 1\r\n', PATH, { b: true })).toBe(
      'a = 1\r\n\r\n[mcp_servers.vedit]\r\nb = true\r\n',
    );
  });

  it.each([
    'mcp_servers.vedit.command = "x"\n',
    'mcp_servers.vedit = { command = "x" }\n',
    '[mcp_servers]\nvedit = { command = "x" }\n',
    '[mcp_servers.vedit]\na = 1\n[other]\nb = 1\n[mcp_servers.vedit.env]\nc = 1\n',
  ])('is not edited in another form: %j', text => {
    expect(() => withTable(text, PATH, SERVER)).toThrow(UneditableError);
    expect(() => withoutTable(text, PATH)).toThrow(UneditableError);
  });

  it('is not put beside servers that are one value', () => {
    expect(() => withTable('mcp_servers = { own = { command = "x" } }\n', PATH, SERVER)).toThrow(
      UneditableError,
    );
  });
});
