import { Hono } from 'hono';
import { answer } from './answer.ts';
import { type Bindings, thing } from './object.ts';

export { Thing } from './object.ts';

/**
 * The framework, and one Durable Object call with one durable write or read. It takes the service's own requests to one
 * cart and sends the service's own answer, which is also what the object stores: the same bytes go in, out, and through
 * the call.
 */
const app = new Hono<{ Bindings: Bindings }>();
app.post('/v1/cart/items', async (c) => {
  const { cart_token: token } = await c.req.json();
  const body = await thing(c.env, token).write(answer.body);
  return c.body(body, 200, answer.headers);
});
app.get('/v1/cart/:token', async (c) => {
  const body = await thing(c.env, c.req.param('token')).read();
  return body === null ? c.notFound() : c.body(body, 200, answer.headers);
});

export default app;
