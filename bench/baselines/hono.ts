import { Hono } from 'hono';

/** The baseline Worker for benchmarks: the framework, one route, one small JSON body. */
const app = new Hono();
app.get('/', (c) => c.json({ id: 7, sku: 'MUG-7', name: 'Mug', price: 12.5, currency: 'EUR', stock: 3 }));

export default app;
