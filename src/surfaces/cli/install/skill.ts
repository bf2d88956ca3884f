/** The skill that clients read: when a model uses vedit, and how. The plugins hold the same text. */
export const SKILL = `---
name: vedit
description: Edit files so that each change is checked, recorded with its reason and can be undone; see who wrote a line and why. Use it where tools of vedit are offered or the project has a history of vedit, and when asked to undo, to explain a line, or about what a person rejected.
---

# vedit

1. Edit with the tools of vedit where they are offered: \`view\`, then \`str_replace\`, \`insert\`, \`create\` or \`apply_patch\`. Without them: \`vedit replace FILE OLD NEW -m REASON\`, \`vedit patch\`, \`vedit create\`.
2. Give each edit a reason: one line on why, which people read in \`vedit log\`.
3. A refusal says what the next call needs: more lines around the text, or the newer version. Do that, and do not write the file in another way.
4. \`REJECTED\` means that a person took these lines back. Do it otherwise, or ask them. Never put the lines back.
5. Something went wrong: \`undo\` takes your last edit back, also where others edited since. Never restore files by \`git checkout\` or \`git stash\`: that takes the work of others.
6. Whose a line is, and why it is so: \`vedit blame FILE\`, \`vedit why FILE LINE\`.
7. Commands that change many files: \`vedit run -m REASON COMMAND\`.
8. Do not commit, unless asked: the person reviews (\`vedit review\`) and lands (\`vedit land\`) what you did.
`;
