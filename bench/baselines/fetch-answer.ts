import { answer } from './answer.ts';

const { body, headers } = answer;

/** No framework, and the service's own answer: nothing that sends it can take less. */
export default { fetch: (): Response => new Response(body, { headers }) };
