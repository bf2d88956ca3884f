import { describe, expect, it } from 'vitest';
import { unknownTool } from '../../src/tools/index.ts';
import { toolset } from '../../src/tools/toolset/toolset.ts';

describe('a tool that is not there', () => {
  const offered = toolset({ tools: 'minimal', prefix: 'article_', names: { create: 'new_article' } });

  it.each([
    ['edit_file', 'article_str_replace'],
    ['write_file', 'article_new_article'],
    ['article_str_replac', 'article_str_replace'],
    ['article_newarticle', 'article_new_article'],
  ])('%s: the one that was meant is %s, as it is offered', (given, meant) => {
    const { message, data } = unknownTool(given, offered);
    expect(message).toContain(
      `There is no tool "${given}". Did you mean ${meant}? The tools are article_view, `,
    );
    expect(data.suggestion).toBe(meant);
  });

  it.each(['frobnicate', '', 7, null, 'delete_file'])('%j: none is near', given => {
    const { message, data } = unknownTool(given, offered);
    expect(message).not.toContain('Did you mean');
    expect(data.suggestion).toBeUndefined();
  });
});
