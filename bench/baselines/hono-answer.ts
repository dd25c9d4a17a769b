import { Hono } from 'hono';
import { answer } from './answer.ts';

const { body, headers } = answer;

/** The framework, one route, and the service's own answer. */
const app = new Hono();
app.get('/*', (c) => c.body(body, 200, headers));

export default app;
