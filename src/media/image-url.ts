import { localOrHttpsUrl } from '../kernel/text/local-url.ts';
import { mediaHashOf } from './media-uses.ts';

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\/media\//;

/** Returns whether a URL is that of an uploaded image of a service on the developer's own machine. */
const isLocalMedia = (url: string): boolean => LOOPBACK.test(url) && mediaHashOf(url) !== null;

/** Schema of an image's URL: https, or an uploaded image of a service that runs on this machine. */
export const imageUrl = localOrHttpsUrl(isLocalMedia).openapi({
  description: 'The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.',
});
