/** A text file as Vite imports it. */
declare module '*.md?raw' {
  const text: string;
  export default text;
}

/** A page's examples as a function; its argument has their free variables (scripts/doc-examples.ts). */
declare module '*.md?examples' {
  export default function examples(scope: object): Promise<void>;
}
