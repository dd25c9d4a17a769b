import { digest62, hasKey, keyVersion, sameText } from '../../kernel/crypto/crypto.ts';
import { FEED_FORMATS, type FeedFormat, type FeedRow } from './tables.ts';

const PURPOSE = 'product-feed';
const FILE = /^fd_((\d{1,15})-(\w{24}))_([1-9])(\w{32})\.([a-z]{1,8})$/;

/** The feed that an address names. */
export type NamedFeed = Pick<FeedRow, 'id' | 'tenantId' | 'format'>;

const digest = (env: object, version: string, claims: string): string =>
  digest62({ env, version, purpose: PURPOSE }, claims, 32);

/**
 * Returns the path of a feed's file: `/feeds/fd_<tenant>-<feed>_<key version><digest>.<format>`. The keyed digest
 * covers all of it, so that a forged path is rejected without I/O. The feed's row alone makes the path valid.
 */
export function feedPath(env: object, { id, tenantId, format }: NamedFeed): string {
  const version = keyVersion(env);
  const claims = `${tenantId}-${id.replace(/^feed_/, '')}`;
  return `/feeds/fd_${claims}_${version}${digest(env, version, `${claims}.${format}`)}.${format}`;
}

/** Returns the feed that a file name was made for, or null if the name is forged. No I/O. */
export function readFeedFile(env: object, file: string): NamedFeed | null {
  const [, claims = '', tenantId, id, version = '', given = '', extension] = FILE.exec(file) ?? [];
  const format = FEED_FORMATS.find((one): one is FeedFormat => one === extension);
  if (!format || !hasKey(env, version)) return null;
  if (!sameText(given, digest(env, version, `${claims}.${format}`))) return null;
  return { id: `feed_${id}`, tenantId: Number(tenantId), format };
}
