/** The colours of both themes. Text has a contrast of at least 4.5 to what is behind it, dots and lines of 3. */

const LIGHT = `
  color-scheme: light;
  --ground: #f6f6f4; --panel: #ffffff; --raised: #f0f0ed; --border: #dcdcd6;
  --ink: #1d2126; --dim: #5b636d; --accent: #3b4cca; --accent-ground: #e8eafc; --on-accent: #ffffff;
  --plus: #14713a; --plus-ground: #e7f6ec; --plus-mark: #a9e2bd;
  --minus: #b3261e; --minus-ground: #fdecea; --minus-mark: #f8bdb8;
  --warn-ground: #fff4d6; --warn-ink: #6b4a00; --hidden-ground: #7a1fa2; --hidden-ink: #ffffff;
  --tint-0: #2563c9; --tint-1: #a64a07; --tint-2: #0a7068; --tint-3: #ad2f84;
  --tint-4: #6d45c4; --tint-5: #58690c; --tint-6: #8a5a2b; --tint-7: #116a8d; --tint-other: #5c6470;`;

const DARK = `
  color-scheme: dark;
  --ground: #121417; --panel: #191c21; --raised: #22262d; --border: #333942;
  --ink: #e7e9ec; --dim: #a0a8b3; --accent: #9aa8ff; --accent-ground: #272e54; --on-accent: #12141f;
  --plus: #6fd694; --plus-ground: #14301f; --plus-mark: #24683e;
  --minus: #ff9c94; --minus-ground: #3a1a1a; --minus-mark: #84302c;
  --warn-ground: #3b3010; --warn-ink: #f3d98b; --hidden-ground: #e3a8ff; --hidden-ink: #230a30;
  --tint-0: #6ea4ff; --tint-1: #f29a52; --tint-2: #46c7ba; --tint-3: #ef82c6;
  --tint-4: #b196ff; --tint-5: #b3c74e; --tint-6: #d3a171; --tint-7: #5fc0e6; --tint-other: #98a1ae;`;

const TINTS = ['0', '1', '2', '3', '4', '5', '6', '7', 'other']
  .map(name => `.tint-${name} { --tint: var(--tint-${name}); }`)
  .join('\n');

export const COLORS: string = `
:root {${LIGHT}
}
@media (prefers-color-scheme: dark) { :root:not([data-theme='light']) {${DARK}
} }
:root[data-theme='dark'] {${DARK}
}
:root { --tint: var(--tint-other); }
${TINTS}
.tint-none { --tint: transparent; }
@media print { :root:root:root {${LIGHT}
} }
`;
