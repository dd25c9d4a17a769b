import { describe, expect, it } from 'vitest';
import { addressLines } from '../../../src/kernel/values/postal-address.ts';

describe('the lines of an address', () => {
  const taro = {
    first_name: '太郎',
    last_name: '山田',
    company: '山田商店',
    line1: '神宮前1-2-3',
    line2: 'サンシャイン101号室',
    postal_code: '150-0001',
    city: '渋谷区',
    region: '東京都',
    country: 'JP',
  };

  it('go from large to small in Japanese', () => {
    expect(addressLines(taro)).toEqual([
      '150-0001',
      '東京都 渋谷区 神宮前1-2-3',
      'サンシャイン101号室',
      '山田商店',
      '山田 太郎',
      'Japan',
    ]);
  });

  it('go from large to small in Korean', () => {
    const kim = { last_name: '김', first_name: '민수', line1: '세종대로 110', city: '중구', region: '서울' };
    expect(addressLines({ ...kim, postal_code: '04524', country: 'KR' })).toEqual([
      '04524',
      '서울 중구 세종대로 110',
      '김 민수',
      'South Korea',
    ]);
  });

  it('go from small to large in Latin letters, in Japan too', () => {
    const latin = { first_name: 'Taro', last_name: 'Yamada', line1: '1-2-3 Jingumae', city: 'Shibuya' };
    expect(addressLines({ ...latin, postal_code: '150-0001', region: 'Tokyo', country: 'JP' })).toEqual([
      'Taro Yamada',
      '1-2-3 Jingumae',
      'Shibuya Tokyo 150-0001',
      'Japan',
    ]);
  });

  it('go from small to large in Catalan, whose raised dot Chinese has too', () => {
    const place = { line1: 'Avinguda del Paral·lel 12', city: 'Barcelona', postal_code: '08004' };
    expect(addressLines({ first_name: 'Marc', last_name: 'Vila', ...place, country: 'ES' })).toEqual([
      'Marc Vila',
      'Avinguda del Paral·lel 12',
      '08004 Barcelona',
      'Spain',
    ]);
  });

  it.each([
    ['DE', '', '78701 Austin', 'Germany'],
    ['IT', 'MI', '78701 Austin', 'MI', 'Italy'],
    ['US', 'TX', 'Austin TX 78701', 'United States'],
    ['GB', '', 'Austin 78701', 'United Kingdom'],
  ])('have the postal code where %s writes it', (country, region, ...lines) => {
    const address = { line1: '1 Main', city: 'Austin', postal_code: '78701', region, country };
    expect(addressLines(address)).toEqual(['1 Main', ...lines]);
  });
});
