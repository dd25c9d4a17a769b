/** A text file as Vite imports it. */
declare module '*.md?raw' {
  const text: string;
  export default text;
}

/** The quick start's TypeScript as a function, like a page's examples. */
declare module '*/snippets.ts?examples' {
  export default function examples(scope: object): Promise<void>;
}

/** A page's examples as a function; its argument has their free variables (scripts/test/doc-examples.ts). */
declare module '*.md?examples' {
  export default function examples(scope: object): Promise<void>;
}
