/** A page that edits files in memory, with history and undo, and without a server. */

import { initRepository, isEditError, memoryFs, openWorkspace } from 'versioned-edit';

const fs = memoryFs();
const root = '/notes';
await initRepository({ root, fs });
const workspace = await openWorkspace({ root, fs });
const session = workspace.session({ agent: 'page' });
await session.edit('create', { path: 'todo.txt', file_text: 'tea\nmilk\n' });

const form = document.querySelector('form');
const show = async said => {
  document.querySelector('#text').textContent = await fs.promises.readFile(`${root}/todo.txt`, 'utf8');
  document.querySelector('#log').textContent = (await session.log()).message;
  document.querySelector('#said').textContent = said;
};
const attempt = call =>
  call.then(
    ({ message }) => message,
    error => (isEditError(error) ? error.message : `${error}`),
  );

form.addEventListener('submit', async event => {
  event.preventDefault();
  const { old_str, new_str } = Object.fromEntries(new FormData(form));
  await show(await attempt(session.edit('str_replace', { path: 'todo.txt', old_str, new_str })));
});
document.querySelector('#undo').addEventListener('click', async () => show(await attempt(session.undo())));
await show('');
