import fc from 'fast-check';
import { expect, it } from 'vitest';
import { initRepository, memoryFs, openWorkspace } from '../../../src/index.ts';

const line = fc.tuple(
  fc.constantFrom('', 'a', 'b', '{', '  c', 'é'),
  fc.constantFrom('\n', '\r\n', '\r\n', '\r'),
);
const text = fc
  .tuple(fc.array(line, { minLength: 2, maxLength: 8 }), fc.constantFrom('', 'end'))
  .map(([lines, end]) => lines.map(([words, lineEnd]) => words + lineEnd).join('') + end);
const edit = fc.record({
  kind: fc.constantFrom('insert', 'replace_lines', 'edit_lines'),
  from: fc.nat(20),
  count: fc.nat(2),
  content: fc.constantFrom('x\n', 'x\ny\n', '', 'a\n', '{\n'),
});

it('undo and redo of line edits give a file of mixed line ends the bytes that were there', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.array(edit, { minLength: 1, maxLength: 4 }), async (given, edits) => {
      const fs = memoryFs();
      await initRepository({ root: '/r', fs });
      await fs.promises.writeFile('/r/a.txt', given);
      const workspace = await openWorkspace({ root: '/r', fs });
      const session = workspace.session({ agent: 'writer' });
      const read = () => fs.promises.readFile('/r/a.txt', 'utf8');
      const texts = [given];
      for (const { kind, from, count, content } of edits) {
        const { lines } = (await session.view({ path: 'a.txt' })).data as { lines: number };
        const start = Math.min(lines, 1 + (from % Math.max(1, lines)));
        const end = Math.min(lines, start + count);
        const input = {
          insert: { insert_line: from % (lines + 1), insert_text: content || 'x\n' },
          replace_lines: { start_line: start, end_line: end, new_content: content },
          edit_lines: { edits: [{ from: start, to: end, content }] },
        }[kind]!;
        await session.edit(kind as string, { path: 'a.txt', ...input }).then(
          async () => texts.push((await read()) as string),
          error => expect(error.code).toMatch(/NO_CHANGE|INVALID_INPUT|LINE_OUT_OF_RANGE|NOT_VIEWED/),
        );
      }
      for (const before of texts.slice(0, -1).reverse()) {
        await session.undo();
        expect(await read()).toBe(before);
      }
      for (const after of texts.slice(1)) {
        await session.redo();
        expect(await read()).toBe(after);
      }
      await workspace.close();
    }),
    { numRuns: 25 },
  );
});
