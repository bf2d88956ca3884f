/** The clients themselves, with what `vedit install` writes: who wrote what by the trail, and what a model sees. */

import { afterAll, describe, expect, it } from 'vitest';
import { content } from '../helpers/vedit.ts';
import { CLIENTS, installed, type RealClient } from './clients.ts';
import { offered } from './model.ts';
import { blamed, madeRepo, session, sh } from './story.ts';

const WANTED = process.env.VEDIT_CLIENT?.split(',');
const clients = CLIENTS.filter(({ name }) => WANTED?.includes(name) ?? true);

/** What came out, for the table of docs/adapters.md. */
const table = new Map<string, Record<string, string>>();

const note = (client: RealClient, story: string, result: string): void => {
  table.set(client.name, { ...table.get(client.name), [story]: result });
};

afterAll(() => {
  const stories = [...new Set([...table.values()].flatMap(row => Object.keys(row)))];
  const cells = (story: string): string[] => [...table.values()].map(row => row[story] ?? '');
  const rows = stories.map(story => [story, ...cells(story)]);
  const all = [['', ...table.keys()], ['', ...table.keys()].map(() => '---'), ...rows];
  console.log(all.map(row => `| ${row.join(' | ')} |`).join('\n'));
});

/** By hooks a client has the name that `vedit install` knows, by its server the one that it says, such as copilot-cli. */
const isOf = (client: RealClient, who: string): boolean =>
  who === client.name || who.startsWith(`${client.name}-`);

function verdict(client: RealClient, who: string): string {
  if (who === 'outside') return 'nobody’s';
  if (who === 'Ada') return 'hers';
  return who === client.name ? 'its' : isOf(client, who) ? `its (${who})` : who;
}

/** Notes whose each line is. No line of an agent is a person's, and no line of a person an agent's. */
function judge(client: RealClient, lines: Readonly<Record<string, string>>, count: number): void {
  for (const [text, who] of Object.entries(lines))
    note(client, text.replace(/ by \w+$/, ''), verdict(client, who));
  const wrong = Object.entries(lines).filter(([text, who]) =>
    text.endsWith('by agent') ? who !== 'outside' && !isOf(client, who) : isOf(client, who),
  );
  expect(wrong).toEqual([]);
  expect(Object.keys(lines)).toHaveLength(count);
}

describe.each(clients)('$name', client => {
  note(client, 'version', installed(client));
  const { edit, create, shell } = client;
  const read = (path: string) => (client.read ? [client.read(path)] : [shell(`cat ${path}`)]);

  it('is who made its own edits, and what its shell did is no person’s', { timeout: 600_000 }, async () => {
    const box = madeRepo([client]);
    const at = (name: string): string => `${box.dir}/${name}`;
    const { requests, said } = await session(box, client, [
      [...read(at('a.txt')), ...read(at('b.txt')), ...read(at('d.txt'))],
      [edit(at('a.txt'), 'a 3', 'edit by agent')],
      [create(at('new.md'), 'create by agent\n'), create(at('old.md'), 'create, then mv by agent\n')],
      [shell("sed -i 's/^b 5$/sed by agent/' b.txt")],
      [shell("printf 'new file of the shell by agent\\n' > shell.txt")],
      [shell('mv old.md moved.md')],
      [edit(at('a.txt'), 'no such text', 'failing edit by agent')],
      [
        edit(at('d.txt'), 'd 3', 'parallel, first by agent'),
        edit(at('a.txt'), 'a 9', 'parallel, second by agent'),
      ],
      [
        { meanwhile: () => sh(box, "sed -i 's/^a 15$/typed in between by person/' a.txt") },
        ...read(at('a.txt')),
      ],
      [edit(at('a.txt'), 'a 17', 'edit after typing by agent')],
      ...(client.search ? [[client.search]] : []),
      [
        {
          tool: 'vedit:str_replace',
          input: { path: 'd.txt', old_str: 'd 12\n', new_str: 'tool of vedit by agent\n' },
        },
      ],
      [
        shell(
          "sed -i 's/^b 9$/commit of the shell by agent/' b.txt && git add b.txt && git commit -qm agent b.txt",
        ),
      ],
      [{ say: 'done' }],
    ]);
    const first = requests.find(({ body }) => offered(body).length > 1);
    const own = offered(first?.body ?? {}).filter(({ name, namespace }) =>
      `${namespace}${name}`.includes('vedit'),
    );
    note(client, 'tools in the first request', String(own.length));
    const lines = blamed(box);
    expect([said.slice(-500), lines['failing edit by agent']]).toEqual([expect.anything(), undefined]);
    judge(client, lines, 11);
  });

  it('hears what a person rejected, also where its shell puts it back', { timeout: 600_000 }, async () => {
    const box = madeRepo([client]);
    const at = (name: string): string => `${box.dir}/${name}`;
    const { requests } = await session(box, client, [
      [...read(at('a.txt')), ...read(at('b.txt'))],
      [edit(at('a.txt'), 'a 3', 'rejected by agent')],
      [
        { meanwhile: () => sh(box, "vedit reject a.txt -m 'no such line please'") },
        edit(at('b.txt'), 'b 3', 'after the rejection by agent'),
      ],
      // Qwen Code lets its shell change no file by sed that is not as it read it.
      [...read(at('a.txt'))],
      [shell("sed -i 's/^a 3$/rejected by agent/' a.txt")],
      [{ tool: 'vedit:view', input: { path: 'a.txt' } }],
      [{ say: 'done' }],
    ]);
    const heard = requests.findIndex(({ body }) => JSON.stringify(body).includes('no such line please'));
    note(client, 'hears a rejection', heard < 0 ? 'no' : 'yes');
    const land = sh(box, 'vedit land --dry-run --with-outside 2>&1 || true');
    note(client, 'put back by the shell', /it came back/.test(land) ? 'left out' : 'not told');
    judge(client, blamed(box), 2);
  });

  it.runIf(client.args.edits ?? client.args.plan)(
    'may edit by vedit what it may edit itself',
    { timeout: 600_000 },
    async () => {
      for (const mode of ['edits', 'plan'] as const) {
        if (!client.args[mode]) continue;
        const box = madeRepo([client]);
        const { requests } = await session(
          box,
          client,
          [
            [create(`${box.dir}/own.txt`, 'own by agent\n')],
            [{ tool: 'vedit:create', input: { path: 'vedit.txt', file_text: 'own by agent\n' } }],
            [{ tool: 'vedit:view', input: { path: 'a.txt' } }],
            [{ say: 'done' }],
          ],
          mode,
        );
        const made = sh(box, 'ls').split('\n');
        const seen = JSON.stringify(requests.at(-1)?.body).includes('a 13');
        const rights = ['own.txt', 'vedit.txt'].map(name => made.includes(name));
        note(
          client,
          mode === 'plan' ? 'plan mode' : 'accept mode',
          `own ${rights[0]}, vedit ${rights[1]}, view ${seen}`,
        );
        expect(rights[1] && !rights[0]).toBe(false);
      }
    },
  );

  it('works on for a colleague who has no vedit', { timeout: 600_000 }, async () => {
    const box = madeRepo([client]);
    const turns = [read(`${box.dir}/a.txt`), [edit(`${box.dir}/a.txt`, 'a 3', 'without vedit by agent')]];
    await session(box, client, turns, 'all', '/nowhere');
    expect(content(box, 'a.txt')).toContain('without vedit by agent');
    note(client, 'without vedit', 'works on');
  });

  it.runIf(client.delegate)('has sub-agents, whose edits are its own', { timeout: 600_000 }, async () => {
    const box = madeRepo([client]);
    await session(box, client, [
      [client.delegate!],
      read(`${box.dir}/a.txt`),
      [edit(`${box.dir}/a.txt`, 'a 3', 'sub-agent by agent')],
      [{ say: 'sub done' }],
      [{ say: 'done' }],
    ]);
    judge(client, blamed(box), 1);
    note(client, 'sub-agent is named', /"subagent":"/.test(sh(box, 'vedit log --json')) ? 'yes' : 'no');
  });
});

describe.runIf(clients.length > 1)('two clients at once', () => {
  const pairs = clients
    .slice(1)
    .map((client, n) => [clients[n]!.name, client.name, [clients[n]!, client]] as const);
  it.each(pairs)(
    'each made its own edits: %s and %s',
    { timeout: 600_000 },
    async (_first, _second, both) => {
      const box = madeRepo(both);
      const work = ({ name, read, edit, shell }: RealClient, file: string) => [
        read ? [read(`${box.dir}/${file}.txt`)] : [shell(`cat ${file}.txt`)],
        [edit(`${box.dir}/${file}.txt`, `${file} 3`, `${name}: together by agent`)],
        [edit(`${box.dir}/${file}.txt`, `${file} 9`, `${name}: again by agent`)],
        [{ say: 'done' }],
      ];
      await Promise.all(both.map((client, n) => session(box, client, work(client, n === 0 ? 'a' : 'b'))));
      const lines = Object.entries(blamed(box));
      const wrong = lines.filter(
        ([text, who]) =>
          who !== 'outside' && !both.some(one => text.startsWith(`${one.name}:`) && isOf(one, who)),
      );
      expect(wrong).toEqual([]);
      expect(lines).toHaveLength(4);
      const own = lines.filter(([, who]) => who !== 'outside').length;
      note(both[1], `beside the one above`, `${own} of 4 known`);
    },
  );
});
