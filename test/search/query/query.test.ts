import { describe, expect, it } from 'vitest';
import { Shop } from '../indexed-tenant.ts';

describe('ranking', () => {
  it('puts a matching SKU before the name, and the name before the rest', async () => {
    const shop = new Shop();
    await shop.sell(
      { name: 'Scarf', description: '<p>Goes with our <b>lamp</b></p>' },
      { name: 'Lamp with a shade' },
      { name: 'Chair', categories: ['Lamp'] },
      { name: 'Table', sku: 'LAMP' },
      { name: 'Lamp' },
    );
    expect(await shop.names('lamp')).toEqual(['Table', 'Lamp', 'Lamp with a shade', 'Scarf', 'Chair']);
  });

  it('puts whole words before prefixes', async () => {
    const shop = new Shop();
    await shop.sell(
      'Capri trousers',
      'Blue warm cap',
      { name: 'Bag', tags: ['cape'] },
      { name: 'Hat', tags: ['cap'] },
    );
    expect(await shop.names('cap')).toEqual(['Blue warm cap', 'Capri trousers', 'Hat', 'Bag']);
  });

  it('puts names with all words before names with some, and those before names with none', async () => {
    const shop = new Shop();
    await shop.sell(
      { name: 'Gift', description: 'a blue shirt' },
      { name: 'Shirt', attributes: ['Blue'] },
      { name: 'Shirt in ocean blue' },
    );
    expect(await shop.names('blue shirt')).toEqual(['Shirt in ocean blue', 'Shirt', 'Gift']);
  });

  it("finds a variant's product by its SKU in any case, and distinguishes similar SKUs", async () => {
    const shop = new Shop();
    await shop.sell(
      { name: 'A-1 steak sauce' },
      { name: 'Shirt', sku: 'TS', variantSkus: ['A1', 'ä-2 ', '***'] },
      { name: 'Skirt', sku: 'A-1', variantSkus: ['TS-S'] },
    );
    expect(await shop.names('a1')).toEqual(['Shirt']);
    expect((await shop.names('A-1'))[0]).toBe('Skirt');
    expect(await shop.names('A-2')).toEqual(['Shirt']);
    expect(await shop.names('***')).toEqual(['Shirt']);
    expect(await shop.names('ts')).toEqual(['Shirt', 'Skirt']);
  });

  it('breaks ties by the shorter name, then by id', async () => {
    const shop = new Shop();
    await shop.sell('Big red cup', 'Red cup', 'Old cup', 'Very big red cup');
    expect(await shop.names('cup')).toEqual(['Red cup', 'Old cup', 'Big red cup', 'Very big red cup']);
  });
});

describe('words', () => {
  it.each(['sku', 'slug', 'description', 'vendor'])('are found in %s', async (field) => {
    const shop = new Shop();
    await shop.sell({ name: 'Thing', [field]: 'old-velvet' }, 'Other');
    expect(await shop.names('velv')).toEqual(['Thing']);
  });

  it.each(['categories', 'attributes', 'tags', 'variantSkus'])('are found in %s', async (field) => {
    const shop = new Shop();
    await shop.sell({ name: 'Thing', [field]: ['first', 'old velvet'] }, 'Other');
    expect(await shop.names('velv')).toEqual(['Thing']);
  });

  it('match by prefix, and all must match', async () => {
    const shop = new Shop();
    await shop.sell('Ocean Blue Shirt', 'Red Shirt', 'Comfortableandbreathable');
    expect(await shop.names('shi')).toEqual(['Red Shirt', 'Ocean Blue Shirt']);
    expect(await shop.names('shi oce')).toEqual(['Ocean Blue Shirt']);
    expect(await shop.names('comfortableandbreat')).toEqual(['Comfortableandbreathable']);
    expect(await shop.names('shirt gloves')).toEqual([]);
  });

  it.each([
    ['cay', 'Çay'],
    ['Çay', 'Cay'],
    ['straße', 'Strasse'],
    ['STRASSE', 'Straße'],
    ['strass', 'Straße'],
    ['kéksz', 'Keksz'],
    ['ISIK', 'ışık'],
    ['рубаш', 'Рубашка'],
    ['シャ', 'シャツ'],
  ])('%s finds %s', async (q, name) => {
    const shop = new Shop();
    await shop.sell(name, 'Zzz');
    expect(await shop.names(q)).toEqual([name]);
  });

  it('of Chinese and Japanese are found within text, which has no spaces', async () => {
    const shop = new Shop();
    await shop.sell('日本語の茶碗', '茶の葉', '青花瓷碗礼盒', {
      name: 'Teapot',
      description: '<p>この急須は常滑焼です。</p>',
      tags: ['日本製品'],
    });
    expect(await shop.names('茶碗')).toEqual(['日本語の茶碗']);
    expect(await shop.names('瓷碗')).toEqual(['青花瓷碗礼盒']);
    expect(await shop.names('常滑')).toEqual(['Teapot']);
    expect(await shop.names('製品')).toEqual(['Teapot']);
    expect(await shop.names('日本')).toEqual(['日本語の茶碗', 'Teapot']);
    // One letter, also the last one of a text.
    expect(await shop.names('葉')).toEqual(['茶の葉']);
    expect(await shop.names('碗')).toEqual(['日本語の茶碗', '青花瓷碗礼盒']);
    // The letters must be neighbours, as they are in the word.
    expect(await shop.names('碗茶')).toEqual([]);
    expect(await shop.names('日本語の茶碗')).toEqual(['日本語の茶碗']);
  });

  it.each([
    ['15', 'آيفون ١٥'],
    ['۱۵', 'آيفون 15'],
    ['१२', 'कलम १२'],
    ['كتاب', 'كـتاب'],
    ['مصري', 'قطن مصرى'],
    ['قهوه', 'قهوة'],
    ['قهوة', 'قهوه'],
    ['کتاب', 'كتاب'],
    ["м'яч", 'мʼяч'],
    ['мʼяч', 'м’яч'],
    ['oʻzbek', "O'zbek"],
  ])('are found in the spelling of another keyboard: %s finds %s', async (q, name) => {
    const shop = new Shop();
    await shop.sell(name, 'Zzz', { name: 'Teapot', tags: [name] });
    expect(await shop.names(q)).toEqual([name, 'Teapot']);
  });

  it('of Thai, Lao, Khmer and Burmese are found within text, which has no spaces', async () => {
    const shop = new Shop();
    await shop.sell('เสื้อยืดสีดำ', 'สบู่', 'ເສື້ອສີດຳ', 'អាវយឺតពណ៌ខ្មៅ', 'တီရှပ်အနက်', {
      name: 'Teapot',
      description: '<p>กาน้ำชาเซรามิกใบใหญ่</p>',
    });
    expect(await shop.names('สีดำ')).toEqual(['เสื้อยืดสีดำ']);
    expect(await shop.names('ยืด')).toEqual(['เสื้อยืดสีดำ']);
    expect(await shop.names('เซรามิก')).toEqual(['Teapot']);
    // Two letters, less than what is indexed together.
    expect(await shop.names('ดำ')).toEqual(['เสื้อยืดสีดำ']);
    expect(await shop.names('ชา')).toEqual(['Teapot']);
    expect(await shop.names('ສີດຳ')).toEqual(['ເສື້ອສີດຳ']);
    expect(await shop.names('ពណ៌ខ្មៅ')).toEqual(['អាវយឺតពណ៌ខ្មៅ']);
    expect(await shop.names('အနက်')).toEqual(['တီရှပ်အနက်']);
    // The letters must be neighbours, as they are in the word.
    expect(await shop.names('ดำสี')).toEqual([]);
  });

  it('of Korean are found within text, which often has no space between two', async () => {
    const shop = new Shop();
    await shop.sell('무선이어폰', '이어폰 케이스', {
      name: 'Teapot',
      description: '<p>도자기찻주전자입니다.</p>',
    });
    expect(await shop.names('이어폰')).toEqual(['무선이어폰', '이어폰 케이스']);
    expect(await shop.names('이어폰'.normalize('NFD'))).toEqual(['무선이어폰', '이어폰 케이스']);
    expect(await shop.names('주전자')).toEqual(['Teapot']);
    // A single syllable is found where a word begins with it.
    expect(await shop.names('이')).toEqual(['이어폰 케이스']);
    expect(await shop.names('폰이어')).toEqual([]);
  });

  it('of a number and its unit are found written together and apart', async () => {
    const shop = new Shop();
    await shop.sell('Coffee 250 g', 'Coffee 250g beans', 'Coffee 500 g', {
      name: 'Tea',
      description: 'A box of 250g',
    });
    const found = ['Coffee 250 g', 'Coffee 250g beans'];
    expect(await shop.names('coffee 250g')).toEqual(found);
    expect(await shop.names('Coffee 250 g')).toEqual(found);
    expect(await shop.names('250 G coffee')).toEqual(found);
    expect(await shop.names('250g')).toEqual([...found, 'Tea']);
    expect(await shop.names('250 g')).toEqual([...found, 'Tea']);
    // A number of another meaning is not a unit's.
    expect(await shop.names('500 beans')).toEqual([]);
  });

  it('come from the visible text, not the markup', async () => {
    const shop = new Shop();
    await shop.sell({
      name: 'Lamp',
      description:
        '<div class="velvet">caf&eacute;&nbsp;au&#32;lait<br>warm<script>let hidden</script> 3 < 4 light</div>',
    });
    for (const q of ['cafe', 'au', 'lait', 'warm', 'light']) expect(await shop.names(q)).toEqual(['Lamp']);
    for (const q of ['velvet', 'div', 'nbsp', 'hidden', 'laitwarm']) expect(await shop.names(q)).toEqual([]);
  });

  it('come from what character references stand for', async () => {
    const shop = new Shop();
    const description = 'Kaffee&shy;tasse 40&sup2; &ccaron;aj&hearts;milk &Scaron;koda &OElig;uvre &ETH;ing';
    await shop.sell({ name: 'Cup', description });
    for (const q of ['kaffeetasse', '40 čaj', 'caj', 'milk', 'skoda', 'oeuvre', 'ding'])
      expect(await shop.names(q), q).toEqual(['Cup']);
    for (const q of ['tasse', 'sup2', 'hearts']) expect(await shop.names(q), q).toEqual([]);
  });
});

describe('one typo', () => {
  it.each([
    ['a swap', 'shrit'],
    ['a letter too many', 'shiirt'],
    ['a missing letter', 'shrt'],
    ['a wrong letter', 'shurt'],
    ['a wrong first letter', 'dhirt'],
    ['a missing first letter', 'hirt'],
    ['a wrong last letter', 'shirz'],
    ['a letter too many at the end', 'shirtt'],
    ['a swap at the end', 'shitr'],
  ])('%s finds the word and its continuations', async (_, q) => {
    const shop = new Shop();
    await shop.sell('Shirt', 'Two Shirts', 'Jacket');
    expect(await shop.names(q)).toEqual(['Shirt', 'Two Shirts']);
  });

  it('is corrected in the prefix of a longer word', async () => {
    const shop = new Shop();
    await shop.sell('Shirts');
    expect(await shop.names('shrit')).toEqual(['Shirts']);
    expect(await shop.names('shri')).toEqual(['Shirts']);
  });

  it('is not corrected in short words and numbers, nor twice in one word', async () => {
    const shop = new Shop();
    await shop.sell('Cup 2024', 'Trousers');
    for (const q of ['cpu', 'cip', '2023', '20224', 'trusres', 'torusres'])
      expect(await shop.names(q)).toEqual([]);
  });

  it('is counted in characters, in every script', async () => {
    const shop = new Shop();
    await shop.sell('Рубашка', '𐐀𐐁𐐂𐐃𐐄');
    expect(await shop.names('рубшака')).toEqual(['Рубашка']);
    expect(await shop.names('𐐨𐐩𐐫𐐪𐐬')).toEqual(['𐐀𐐁𐐂𐐃𐐄']);
  });

  it('ranks after exact matches, and is not corrected if these suffice', async () => {
    const shop = new Shop();
    await shop.sell('Skirt', 'Shirt', { name: 'Gloves', description: 'for your shirt' });
    expect(await shop.names('shirt')).toEqual(['Shirt', 'Gloves', 'Skirt']);
    await shop.sell('Red shirt', 'Blue shirt', 'Green shirt');
    expect(await shop.names('shirt')).not.toContain('Skirt');
  });

  it('may be in any of several words, and is corrected first in unknown words', async () => {
    const shop = new Shop();
    await shop.sell('Glue Shirt', 'Blue Ocean Shirt', 'Blue Skirt');
    expect(await shop.names('blue shrit')).toEqual(['Blue Ocean Shirt', 'Glue Shirt']);
    expect(await shop.names('bleu shrit')).toEqual(['Blue Ocean Shirt']);
  });

  it("is never corrected to another tenant's words", async () => {
    const [ours, theirs] = [new Shop(), new Shop()];
    await theirs.sell('Shirt');
    await ours.sell('Jacket');
    expect(await ours.names('shirt')).toEqual([]);
    expect(await ours.names('shrit')).toEqual([]);
  });
});

describe('pages', () => {
  it('contain every hit once, in one order, whatever their size', async () => {
    const shop = new Shop();
    await shop.sell(
      ...Array.from({ length: 90 }, (_, index) => ({
        name: index % 3 ? `Lamp ${'old '.repeat(index % 5)}` : `Thing ${index}`,
        tags: ['lamp'],
      })),
    );
    const all = (await shop.find('lamp', 1, 100)).items;
    expect(all).toHaveLength(90);
    expect(new Set(all).size).toBe(90);
    for (const limit of [1, 7, 20, 89]) {
      const pages = [];
      for (let page = 1; page <= Math.ceil(90 / limit) + 1; page++)
        pages.push(await shop.find('lamp', page, limit));
      expect(pages.flatMap(({ items }) => items)).toEqual(all);
      expect(pages.every(({ total }) => total === 90)).toBe(true);
    }
  });

  it('contain corrected hits too', async () => {
    const shop = new Shop();
    await shop.sell('Shrit', ...Array.from({ length: 12 }, (_, index) => `Shirt ${index}`));
    const pages = [
      await shop.names('shrit', 1, 5),
      await shop.names('shrit', 2, 5),
      await shop.names('shrit', 3, 5),
    ];
    expect(pages.map((page) => page.length)).toEqual([5, 5, 3]);
    expect(pages.flat()[0]).toBe('Shrit');
    expect(new Set(pages.flat()).size).toBe(13);
    expect((await shop.find('shrit', 4, 5)).items).toEqual([]);
  });

  it('end at 1,000 hits, as does the total', async () => {
    const shop = new Shop();
    await shop.sell(...Array.from({ length: 1005 }, (_, index) => `Lamp ${index}`));
    expect(await shop.find('lamp', 1, 1)).toMatchObject({ total: 1000 });
    expect((await shop.find('lamp', 34, 30)).items).toHaveLength(10);
    expect(await shop.find('lamp', 11, 100)).toMatchObject({ items: [], total: 1000 });
    expect(await shop.find('lamp', Number.MAX_SAFE_INTEGER, 100)).toMatchObject({ items: [], total: 1000 });
  });
});
