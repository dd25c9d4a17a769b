import { quickStartSteps } from '../../src/panel/insights/snippets.ts';

/** A code block of a page. */
export interface Example {
  /** The title of its section. */
  readonly title: string;
  readonly code: string;
}

/** Returns the TypeScript blocks of a page, in order. */
export function examplesOf(markdown: string): Example[] {
  return markdown.split(/^## /m).flatMap((section) =>
    [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => ({
      title: section.split('\n', 1)[0] ?? '',
      code,
    })),
  );
}

/**
 * Returns a module whose function runs a page's examples one after the other in one scope. `names` are the free
 * variables, members of the function's argument, which also has `ran(title)`, awaited after each example.
 */
export function examplesModule(markdown: string, names: readonly string[]): string {
  const blocks = examplesOf(markdown);
  const imports = blocks.flatMap(({ code }) => code.match(/^import .*?;$/gms) ?? []);
  const steps = blocks.map(
    ({ title, code }) => `${code.replaceAll(/^import .*?;$/gms, '')}\n  await ran(${JSON.stringify(title)});`,
  );
  return `${imports.join('\n')}
export default async function examples({ ${['ran', ...names].join(', ')} }) {
${steps.join('\n')}
}
`;
}

/** The free variables of docs/client.md, with their types. */
export const CLIENT_EXAMPLES = {
  token: 'string',
  categoryId: 'number',
  password: 'string',
  checkoutSecret: 'string',
  webhookSecret: 'string',
  request: 'Request',
  location: '{ href: string }',
  localStorage: 'Storage',
  console: '{ log(...said: unknown[]): void }',
} as const;

/** The free variables of the quick start's snippets, with their types. */
export const QUICK_START = {
  productId: 'number',
  process: '{ env: Record<string, string | undefined> }',
  request: 'Request',
  console: '{ log(...said: unknown[]): void }',
} as const;

/** Returns the TypeScript of the quick start as a page with a section for each step. */
export const quickStartMarkdown = (): string =>
  quickStartSteps({
    base: 'https://api.example.com',
    seller: { name: 'Web shop', variable: 'WEB_SHOP_TOKEN' },
    registrar: { name: 'Back office', variable: 'BACK_OFFICE_TOKEN' },
    productId: 'productId',
    returnUrl: 'https://shop.example.com/thanks',
  })
    .map(({ title, code }) => `## ${title}\n\n\`\`\`ts\n${code}\n\`\`\`\n`)
    .join('\n');
