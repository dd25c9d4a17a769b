import { csvField } from '../../kernel/http/csv.ts';
import { ATTRIBUTES, type Attribute, type FeedShop, type GoogleItem } from './google-item.ts';
import type { FeedFormat } from './tables.ts';

/** A file format: what begins the file, its items, and what ends it. */
interface FeedWriter {
  readonly contentType: string;
  begin(shop: FeedShop): string;
  write(item: GoogleItem): string;
  readonly end: string;
}

/** Characters that XML 1.0 can't contain (2.2), not even as references. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Returns text for an XML element: without characters that XML 1.0 can't contain, the others escaped. */
const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replace(/[&<>"']/g, (character) => REFERENCES[character] ?? '');

/** The elements that RSS itself defines for an item. */
const RSS_ELEMENTS: ReadonlySet<Attribute> = new Set(['title', 'description', 'link']);

const element = (name: Attribute, value: string): string => {
  const tag = RSS_ELEMENTS.has(name) ? name : `g:${name}`;
  return `<${tag}>${xmlText(value)}</${tag}>`;
};

function valuesOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

/** RSS 2.0 with Google's namespace (https://support.google.com/merchants/answer/14987622). */
const xml: FeedWriter = {
  contentType: 'application/xml; charset=utf-8',
  begin: ({ name, productUrl }) => {
    const home = productUrl === null ? '' : new URL(productUrl).origin;
    return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
<title>${xmlText(name)}</title>
<link>${xmlText(home)}</link>
<description>${xmlText(`Products of ${name}`)}</description>
`;
  },
  write: (item) => {
    const elements = ATTRIBUTES.flatMap((name) => valuesOf(item[name]).map((value) => element(name, value)));
    return `<item>${elements.join('')}</item>\n`;
  },
  end: '</channel>\n</rss>\n',
};

/** Several URLs of one field are separated by commas, so that their own commas are encoded. */
const csvValue = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string'
    ? value
    : valuesOf(value)
        .map((url) => url.replaceAll(',', '%2C'))
        .join(',');

/** RFC 4180, with a header. */
const csv: FeedWriter = {
  contentType: 'text/csv; charset=utf-8; header=present',
  begin: () => `${ATTRIBUTES.join(',')}\r\n`,
  write: (item) => `${ATTRIBUTES.map((name) => csvField(csvValue(item[name]).toWellFormed())).join(',')}\r\n`,
  end: '',
};

/** One JSON object a line (https://jsonlines.org). */
const jsonl: FeedWriter = {
  contentType: 'application/jsonl; charset=utf-8',
  begin: () => '',
  write: (item) => `${JSON.stringify(item)}\n`,
  end: '',
};

/** The writer of each format. */
export const WRITERS: Readonly<Record<FeedFormat, FeedWriter>> = { xml, csv, jsonl };
