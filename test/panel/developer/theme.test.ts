import { expect, it } from 'vitest';
import { palettes } from '../../../src/theme/index.ts';
import { asDeveloper, fieldsOf, fill } from '../../support/fixtures/browser.ts';
import { world } from '../../support/world.ts';

const THEME = '/developer/theme';
const BLANK = { primary: '#FFFFFF', accent: '#FFFFFF', background: '#FFFFFF', text: '#FFFFFF' };

it('previews the colours that checkout corrects, with logo, font and sections in their order', async () => {
  const shop = await world({ name: 'Kettle' });
  await shop.patch('/theme/options', {
    colors: BLANK,
    font_family: 'Georgia, serif',
    homepage_sections: ['sale', 'hero'],
    logo_url: 'https://cdn.example.com/logo.png',
  });
  const { html } = await (await asDeveloper(shop.slug)).get(THEME);
  const [preview = ''] = /<figure id="preview">.*?<\/figure>/s.exec(html) ?? [];
  const { light } = palettes({ colors: BLANK });
  for (const color of [light.primary, light.accent, light.text]) expect(preview).toContain(`fill="${color}"`);
  expect(preview).toContain('font-family="Georgia, serif"');
  expect(preview).toContain('href="https://cdn.example.com/logo.png"');
  expect(preview.indexOf('>sale<')).toBeGreaterThan(0);
  expect(preview.indexOf('>sale<')).toBeLessThan(preview.indexOf('>hero<'));
  expect(preview).toContain('Made readable');
});

it('previews what was typed without saving it', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const typed = { 'colors.primary': '#aa0033', homepage_sections: 'hero\nworkshop' };
  const got = await fill(developer, THEME, THEME, { ...typed, _find: 'preview' });
  const [preview = ''] = /<figure id="preview">.*?<\/figure>/s.exec(got.html) ?? [];
  expect(preview.toLowerCase()).toContain('fill="#aa0033"');
  expect(preview).toContain('>workshop<');
  expect(fieldsOf(got.html, THEME)).toMatchObject(typed);
  expect((await shop.get('/theme/options')).body.colors.primary).not.toBe('#AA0033');
});
