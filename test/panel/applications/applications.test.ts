import { expect, it } from 'vitest';
import { asAdmin, asDeveloper, fieldsOf, fill } from '../../support/fixtures/browser.ts';
import { admin, type World, world } from '../../support/world.ts';

const NEW = '/developer/applications/new';

const newest = async (shop: World) =>
  (await admin('GET', `/tenants/${shop.slug}/applications`)).body.data.at(-1);

it("does not give an integration the storefront's ticked scopes", async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(NEW);
  expect(fieldsOf(html, NEW).scopes_storefront).toContain('cart:write');
  await fill(developer, NEW, NEW, {
    name: 'Warehouse',
    kind: 'integration',
    scopes_integration: ['orders:read', 'inventory:write'],
  });
  expect(await newest(shop)).toMatchObject({
    kind: 'integration',
    scopes: ['orders:read', 'inventory:write'],
  });
});

it('gives a mobile app what is ticked for it, not for a storefront', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const scopes = ['catalog:read', 'cart:read'];
  await fill(developer, NEW, NEW, { name: 'App', kind: 'mobile', scopes_mobile: scopes });
  expect(await newest(shop)).toMatchObject({ kind: 'mobile', scopes });
});

it('gives a storefront the scopes that shopping needs', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await fill(developer, NEW, NEW, { name: 'Shop', kind: 'storefront' });
  const { scopes } = await newest(shop);
  expect(scopes).toEqual(expect.arrayContaining(['catalog:read', 'cart:write', 'checkout:write']));
  expect(scopes).not.toContain('orders:read');
});

it.each([
  ['mobile', 'Whoever has the app can read it there'],
  ['integration', 'Store it where only your server can read it'],
])('tells where the token of a %s may be kept', async (kind, words) => {
  const developer = await asDeveloper((await world()).slug);
  await fill(developer, NEW, NEW, { name: 'X', kind, scopes_integration: ['orders:read'] });
  expect(developer.last.html).toContain(words);
});

it.each([
  ['storefront', ['catalog:read', 'orders:write'], 'orders:write: only an integration can have this'],
  ['mobile', ['settings:write'], 'settings:write: only an integration can have this'],
  ['integration', [], 'Choose at least one scope'],
])('refuses for a %s the scopes %j, by name', async (kind, scopes, words) => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const got = await fill(developer, NEW, NEW, { name: 'X', kind, [`scopes_${kind}`]: scopes });
  expect(got.status).toBe(422);
  expect(got.html).toContain(`id="f-scopes_${kind}-error">${words}`);
  expect(fieldsOf(got.html, NEW)).toMatchObject({ name: 'X', kind });
});

it('refuses on a change the scopes that its kind cannot have, except those that it has', async () => {
  const shop = await world();
  const { id } = await shop.register({ kind: 'storefront', scopes: ['catalog:read', 'orders:read'] });
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/applications/${id}`;
  const refused = await fill(developer, here, here, { scopes: ['orders:read', 'settings:write'] });
  expect([refused.status, refused.html]).toEqual([
    422,
    expect.stringContaining('id="f-scopes-error">settings:write: only an integration can have this'),
  ]);
  const saved = await fill(developer, here, here, { scopes: ['orders:read', 'cart:read'] });
  expect(saved.html).toContain('Saved.');
  expect((await newest(shop)).scopes).toEqual(expect.arrayContaining(['orders:read', 'cart:read']));
});

it('disables a token after a question, and enables it again', async () => {
  const shop = await world();
  const { id } = await shop.register();
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/applications/${id}`;
  await developer.get(`${here}/disable`);
  expect(developer.last.html).toContain('Disable the token of ');
  expect((await newest(shop)).status).toBe('active');
  await developer.submit(`${here}/disable`, {});
  expect(developer.last.html).toContain('The token is disabled');
  expect((await newest(shop)).status).toBe('passive');
  await developer.submit(`${here}/enable`, {});
  expect((await newest(shop)).status).toBe('active');
});

it('does not promise that tokens of a disabled application work', async () => {
  const shop = await world();
  const { id } = await shop.register({ kind: 'storefront', status: 'passive' });
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/applications/${id}`;
  expect((await developer.get(here)).html).not.toContain('both work for 24 hours');
  const { html } = await developer.get(`${here}/rotate`);
  expect(html).not.toContain('keeps working');
  expect(html).toContain('rejected until you enable the token');
});

it('names one act everywhere: to rotate a token', async () => {
  const shop = await world();
  const { id, name } = await shop.register();
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/applications/${id}`;
  expect((await developer.get(here)).html).toMatch(/rotate" class="button secondary">\s*Rotate token\s*</);
  const { html } = await developer.get(`${here}/rotate`);
  expect(html).toContain(`Rotate the token of ${name}?</h1>`);
  expect(html).toMatch(/<button type="submit" class="danger">\s*Rotate token\s*</);
});

const trailIn = (html: string): string[] =>
  [...(/aria-label="Breadcrumbs">(.*?)<\/nav>/s.exec(html)?.[1] ?? '').matchAll(/href="([^"]+)"/g)].map(
    ([, href = '']) => href,
  );

it.each(['/new', '/:id', '/:id/rotate', '/:id/disable'])(
  "names the tenant above the super-admin's page %s, and leads back to it",
  async (page) => {
    const shop = await world();
    const { id } = await shop.register();
    const [tenant, admin] = [`/admin/tenants/${shop.slug}`, await asAdmin()];
    const list = `${tenant}/applications`;
    const { html } = await admin.get(list + page.replace(':id', String(id)));
    const own = page.startsWith('/:id/') ? [`${list}/${id}`] : [];
    expect(trailIn(html)).toEqual(['/admin', tenant, list, ...own]);
  },
);

it('leads from a new token back to its application', async () => {
  const shop = await world();
  const { id } = await shop.register();
  const list = '/developer/applications';
  const developer = await asDeveloper(shop.slug);
  await developer.get(`${list}/${id}/rotate`);
  const { html } = await developer.submit(`${list}/${id}/rotate`, {});
  expect(html).toContain('value="sfe_live_');
  expect(trailIn(html)).toEqual([list, `${list}/${id}`]);
});

it('finds no tenant for the page of a new application of a slug that nobody has', async () => {
  expect((await (await asAdmin()).get('/admin/tenants/nobody/applications/new')).status).toBe(404);
});
