/** reply: an agent's answer to a person's comment. */

import { type Command, command, must } from './command.ts';
import { viewerOptions } from './options.ts';
import { type Use, use } from './use.ts';

export const reply: Command = command({
  name: 'reply',
  title: 'Reply to a comment',
  description:
    'Answer a person’s comment on an edit. Changes no file. Prefer it where the text stays as it is.',
  says: true,
  fields: {
    comment: must('text', 'The comment’s id, as you were told it.', { aliases: ['id'], arg: '<comment>' }),
    text: must('text', 'What you say.', { aliases: ['reply', 'message', 'reason'], arg: '<text>' }),
  },
  example: { comment: '1a2b3c4', text: 'the old clients send both' },
  run: (session, { comment, text }) => session.reply(comment, text),
});

export const replyLine: Use = /* @__PURE__ */ use({
  details:
    'A person comments on a hunk in a review, without rejecting it; your next answers tell you the comment, and its id. Your reply stands on the hunk of their review, and in vedit show of the edit.',
  options: viewerOptions,
  examples: [["vedit reply 1a2b3c4 'the old clients send both' --agent fixer", '']],
});
