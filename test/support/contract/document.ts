import { openApi } from '../../../src/app.ts';

/** Returns the OpenAPI document. `Parts` is what the caller reads of it: the document is plain JSON. */
export const openApiDocument = <Parts>(): Parts => JSON.parse(openApi()) as Parts;
