import type { z } from 'zod';

/** What a value of a type is called: "must be …". */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
  file: 'a file',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a URL',
  date: 'a date such as 2026-05-01',
  datetime: 'a date and time such as 2026-05-01T09:00:00Z',
  time: 'a time such as 09:00',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
};

/** The unit in which the size of a value is counted. */
const UNITS: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['entry', 'entries'],
  file: ['byte', 'bytes'],
};

interface Bound {
  readonly origin: string;
  readonly inclusive?: boolean | undefined;
  readonly exact?: boolean | undefined;
}

/** Describes a bound: `must have at least 1 item`, `must be less than 5`. */
function boundMessage(bound: Bound, limit: number | bigint, [reached, beyond]: [string, string]): string {
  const unit = UNITS[bound.origin]?.[Number(limit) === 1 ? 0 : 1];
  const unlessExact = bound.inclusive === false ? beyond : reached;
  const than = bound.exact ? 'exactly' : unlessExact;
  if (!unit) return `must be ${than} ${limit}`;
  if (bound.origin === 'string' && Number(limit) === 1 && than === 'at least') return 'must not be empty';
  return `must have ${than} ${limit} ${unit}`;
}

/** Describes a refused format without its pattern, which few people read. */
function formatMessage(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string {
  if (issue.format === 'starts_with') return `must start with "${issue.prefix}"`;
  if (issue.format === 'ends_with') return `must end with "${issue.suffix}"`;
  if (issue.format === 'includes') return `must contain "${issue.includes}"`;
  const format = FORMATS[issue.format];
  return format ? `must be ${format}` : 'has an invalid format';
}

/** Describes the values that a field takes. A single one is quoted: "must be set" would ask for any. */
const choices = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${JSON.stringify(values[0])}` : `must be one of ${values.join(', ')}`;

/**
 * Returns the message of a zod issue in the words of the API and of forms, to be read after the field's name:
 * "events: must have at least 1 item". Schemas with a message of their own keep it.
 */
export function validationMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && issue.code !== 'custom' && issue.code !== 'unrecognized_keys') {
    return 'is required';
  }
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? 'a valid value'}`;
    case 'invalid_value':
      return choices(issue.values);
    case 'invalid_union':
      // A union by a field's value, such as a cart operation's `op`, knows the values that it takes.
      return Array.isArray(issue.options) ? choices(issue.options) : 'is invalid';
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is invalid';
    case 'too_small':
      return boundMessage(issue, issue.minimum, ['at least', 'more than']);
    case 'too_big':
      return boundMessage(issue, issue.maximum, ['at most', 'less than']);
    case 'invalid_format':
      return formatMessage(issue);
    case 'not_multiple_of':
      return issue.divisor === 1 ? 'must be a whole number' : `must be a multiple of ${issue.divisor}`;
    default:
      return 'is invalid';
  }
}
