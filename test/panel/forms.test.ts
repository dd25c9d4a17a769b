import { expect, it } from 'vitest';
import { asAdmin, asDeveloper, fieldsOf, fill } from '../support/fixtures/browser.ts';
import { importFile } from '../support/fixtures/catalog/imports.ts';
import { world } from '../support/world.ts';

/** What a form says beside a field, and whether the field says that it is wrong. */
function besideField(html: string, name: string): { error: string; marked: boolean } {
  const [, error = ''] = new RegExp(`id="f-${name}-error">([^<]*)<`).exec(html) ?? [];
  const [tag = ''] = new RegExp(`<(?:input|textarea|select)[^>]*id="f-${name}"[^>]*>`).exec(html) ?? [];
  return { error, marked: tag.includes('aria-invalid="true"') && tag.includes(`f-${name}-error`) };
}

it('shows beside the field what is already in use, and which of several origins is invalid', async () => {
  const shop = await world();
  const admin = await asAdmin();
  const taken = await fill(admin, '/admin/new-tenant', '/admin/new-tenant', {
    name: 'Twin',
    slug: shop.slug,
  });
  expect([taken.status, besideField(taken.html, 'slug').error]).toEqual([409, 'The slug is taken.']);
  expect(besideField(taken.html, 'slug').marked).toBe(true);
  const here = `/admin/tenants/${shop.slug}/applications/${shop.applicationId}`;
  const wrong = await fill(admin, here, here, { allowed_origins: 'https://a.example.com\nb.example.com' });
  expect(besideField(wrong.html, 'allowed_origins').error).toMatch(/^line 2: must be an origin/);
});

it('lists past imports with their errors', async () => {
  const shop = await world();
  const { id } = await importFile(shop, 'Handle,Title,Variant Price\nmug,Mug,12\ncup,Cup,none\n');
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get('/developer/imports');
  expect(html).toContain(`href="/developer/imports/${id}"`);
  expect(html).toMatch(/data-label="Failed"[^>]*><b class="error">1</);
  expect((await developer.get(`/developer/imports/${id}`)).html).toContain('The price is &quot;none&quot;');
});

it("sets an application's expiration, and resets a password by a link", async () => {
  const shop = await world();
  const admin = await asAdmin();
  const here = `/admin/tenants/${shop.slug}/applications/${shop.applicationId}`;
  await fill(admin, here, here, { expires_at: '2031-05-01T12:30' });
  expect(fieldsOf(admin.last.html, here).expires_at).toBe('2031-05-01T12:30');
  await asDeveloper(shop.slug, admin, 'ada@example.com');
  await admin.get(`/admin/tenants/${shop.slug}`);
  const action = /action="(\/admin\/tenants\/[^"]+\/link)"/.exec(admin.last.html)?.[1] ?? 'none';
  const reset = await admin.submit(action, {});
  expect(reset.html).toContain('Reset link');
  expect(reset.html).toContain('ada@example.com');
});

it('takes a form whose key no header can carry, once', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await developer.get('/developer/feeds');
  const form = { format: 'csv', _once: 'a\nb' };
  const [first, second] = [
    await developer.post('/developer/feeds', form),
    await developer.post('/developer/feeds', form),
  ];
  expect([first.status, second.status]).toEqual([303, 303]);
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
});
