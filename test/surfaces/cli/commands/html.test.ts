import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Timeline } from '../../../../src/queries/timeline/timeline.ts';
import { PAGE_START } from '../../../../src/surfaces/web/page.ts';
import { CHROMIUM, NO_BROWSER, openFile, startBrowser, textOf } from '../../../helpers/browser.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { bin, content, personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

/** Two edits by two agents. */
async function edited(): Promise<Sandbox> {
  const box = personRepo();
  await vedit(box, ['replace', 'a.txt', 'two', 'TWO', '--agent', 'fixer', '--session', 's1']);
  await vedit(box, ['replace', 'src/b.txt', 'x', 'z', '--agent', 'reviewer', '--session', 's2']);
  return box;
}

/** The data in a page. */
function dataOf(page: string): Timeline {
  return JSON.parse(/<script type="application\/json" id="timeline">(.*)<\/script>/.exec(page)![1]!);
}

describe('html', () => {
  it('writes one page, over its own last one too, and says what is in it', async () => {
    const box = await edited();
    const first = await vedit(box, ['html', '-o', 'history.html']);
    expect(first).toEqual({ code: 0, out: '', err: 'history.html: 2 entries, 2 files\n' });
    await vedit(box, ['undo']);
    expect((await vedit(box, ['html', '-o', 'history.html'])).err).toBe('history.html: 3 entries, 2 files\n');
    expect(dataOf(content(box, 'history.html')).entries.map(entry => entry.op)).toEqual([
      'undo',
      'str_replace',
      'str_replace',
    ]);
    expect(readdirSync(box.dir).filter(name => name.endsWith('.tmp'))).toEqual([]);
  });

  it('never writes over something else, unless it is forced to', async () => {
    const box = await edited();
    const refused = await vedit(box, ['html', '-o', 'a.txt']);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('a.txt is there and is no page of vedit');
    expect(content(box, 'a.txt')).toBe('one\nTWO\nthree\n');
    expect((await vedit(box, ['html', '-o', 'a.txt', '--force'])).code).toBe(0);
    expect(content(box, 'a.txt').startsWith(PAGE_START)).toBe(true);
  });

  it.skipIf(process.platform === 'win32')(
    'refuses a pipe without waiting for it, a folder, a missing folder',
    async () => {
      const box = await edited();
      execFileSync('mkfifo', [box.path('pipe')]);
      mkdirSync(box.path('folder'));
      for (const name of ['pipe', 'folder', 'missing/history.html']) {
        const { code, err } = await vedit(box, ['html', '-o', name, '--force']);
        expect([name, code === 0, err.includes(name)]).toEqual([name, false, true]);
      }
      symlinkSync('nowhere', box.path('link'));
      expect((await vedit(box, ['html', '-o', 'link'])).code).toBe(0);
      expect(existsSync(box.path('nowhere'))).toBe(false);
    },
  );

  it('writes to standard output, the same page whatever colours are forced', async () => {
    const box = await edited();
    box.write('a.txt', '\u202e\u2028\u007f\n');
    await vedit(box, ['replace', 'a.txt', '\u007f', 'x']);
    const [plain, forced] = await Promise.all([
      vedit(box, ['html', '-o', '-']),
      vedit(box, ['html'], { env: { FORCE_COLOR: '1' } }),
    ]);
    expect(plain.out.startsWith(PAGE_START)).toBe(true);
    expect(dataOf(forced.out).entries).toEqual(dataOf(plain.out).entries);
    expect(JSON.stringify(dataOf(forced.out).entries)).toContain('\u202e\u2028');
  });

  it('asks for a file where a person would get the page on his screen', async () => {
    const { code, out, err } = await vedit(await edited(), ['html'], { tty: ['out'] });
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('vedit html -o history.html');
  });

  it('narrows to a path from where it is called, a session, an agent, a number', async () => {
    const box = await edited();
    const paths = async (...args: string[]): Promise<string[]> => {
      const { data } = await veditJson<Timeline>(box, ['html', ...args]);
      return data.entries.flatMap(entry => entry.files.map(file => file.path));
    };
    expect(await paths()).toEqual(['src/b.txt', 'a.txt']);
    expect(await paths('-C', 'src', '.')).toEqual(['src/b.txt']);
    expect(await paths('--session', 's1')).toEqual(['a.txt']);
    expect(await paths('--agent', 'reviewer')).toEqual(['src/b.txt']);
    expect(await paths('-n', '1')).toEqual(['src/b.txt']);
  });

  it('answers in JSON: the data itself, or what was written where', async () => {
    const box = await edited();
    expect(await veditJson(box, ['html', '-n', '1'])).toMatchObject({
      ok: true,
      message: '1 entry, 1 file, older entries left out (-n)',
      data: { more: true, name: 'repo' },
    });
    const { data } = await veditJson(box, ['html', '-o', 'h.html', '--max-bytes', '1']);
    const bytes = Buffer.byteLength(content(box, 'h.html'));
    expect(data).toEqual({ file: 'h.html', bytes, entries: 2, more: false, left_out: expect.any(Number) });
  });

  it.skipIf(CHROMIUM === undefined)(
    `made by the built program, works in a browser${CHROMIUM ? '' : ` (${NO_BROWSER})`}`,
    async () => {
      const box = await edited();
      expect((await bin(box, ['html', '-o', 'history.html'])).code).toBe(0);
      const browser = await startBrowser();
      try {
        const { page, problems } = await openFile(browser, box.path('history.html'));
        for (const key of ['j', 'r', 'b', 'p', 'd', 't', '?', 'Escape', 'j']) await page.keyboard.press(key);
        expect(await textOf(page, '#body .plus-line .text')).toBe('TWO');
        expect(problems).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );
});
