/** A button, with the key that does the same. */

import type { ButtonHTMLAttributes, ComponentChildren, VNode } from 'preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'type'> {
  words: ComponentChildren;
  letter?: string | false;
}

export function Button({ words, letter, ...attributes }: ButtonProps): VNode {
  return (
    <button type="button" {...attributes}>
      {words}
      {letter && [' ', <kbd>{letter}</kbd>]}
    </button>
  );
}
