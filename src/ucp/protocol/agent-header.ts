import { asUri } from '../../kernel/text/uri.ts';
import { isInnerList, parseDictionary, stringValue } from '../signatures/structured-fields.ts';
import { unsupportedVersion } from './negotiate.ts';
import { type Checked, done, refused } from './outcome.ts';

/** The longest profile URI in characters. */
const MAX_LENGTH = 2_048;

const invalid = (content: string) => refused(400, 'invalid_profile_url', content);

/** Returns the profile's URI that a `UCP-Agent` header names: a dictionary (RFC 8941, 3.2) with a string `profile`. */
export function profileOfHeader(header: string | undefined): Checked<string> {
  if (header === undefined) return invalid('The header UCP-Agent is missing.');
  const member = header.length > 2 * MAX_LENGTH ? undefined : parseDictionary(header)?.get('profile');
  const profile = member && !isInnerList(member) ? stringValue(member.bare) : null;
  if (member === undefined || profile === null) {
    return invalid('The header UCP-Agent must be a dictionary (RFC 8941) with a string "profile".');
  }
  // Earlier versions of the protocol have the version beside the profile.
  const version = stringValue(member.parameters.get('version'));
  return (version === null ? null : unsupportedVersion(version)) ?? checkedProfile(profile);
}

/** What the URL parser drops, or reads as "/". */
const DISGUISE = /[\p{Cc}\s\\]/u;

/**
 * Returns a profile's URI if it is a URL, written as {@link asUri} does: an agent is known by it. Whether it may be
 * fetched is checked when the agent is admitted.
 */
export function checkedProfile(uri: unknown): Checked<string> {
  if (typeof uri !== 'string') return invalid('The profile of the agent is missing.');
  const isUrl = uri.length <= MAX_LENGTH && /^https?:\/\//i.test(uri) && !DISGUISE.test(uri);
  return isUrl && URL.canParse(uri) ? done(asUri(uri)) : invalid("The profile's URL must be an https URL.");
}
