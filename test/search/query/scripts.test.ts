import { expect, it } from 'vitest';
import { Shop } from '../indexed-tenant.ts';

/** Expects that a query finds the product of this name and one that has the name in other texts, and nothing else. */
async function expectFound(q: string, name: string, elsewhere: object): Promise<void> {
  const shop = new Shop();
  await shop.sell(name, 'Zzz', '靴下', { name: 'Teapot', ...elsewhere });
  expect(await shop.names(q)).toEqual([name, 'Teapot']);
}

it.each([
  ['агрус', 'Аґрус'],
  // Devanagari without the dot that many keyboards lack, and with either sign of a nasal vowel.
  ['जरी', 'ज़री'],
  ['ज़री', 'जरी'],
  ['चांदी', 'चाँदी'],
  // The singular begins the plural, but for the form that Hebrew letters have at a word's end.
  ['שולחן', 'שולחנות'],
  ['שולחנ', 'שולחן'],
  // The Arabic article is written together with its word.
  ['قميص', 'القميص'],
  ['القميص', 'قميص'],
  ['قهوة', 'والقهوه'],
])('a word is found in the spellings of its language: %s finds %s', (q, name) =>
  expectFound(q, name, { tags: [name] }),
);

it.each([
  ['Tシャツ', 'メンズTシャツ'],
  ['ｔｼｬﾂ', 'メンズTシャツ'],
  ['usb充電器', '高速USB充電器'],
  ['高速usb', '高速USB充電器'],
  ['usb', '高速USB充電器'],
  ['iphone15', '透明iPhone15ケース'],
  ['5本', '鉛筆5本セット'],
  ['nikeสีดำ', 'เสื้อยืดNikeสีดำ'],
  ['nike', 'เสื้อยืดNikeสีดำ'],
  ['usb충전기', '고속USB충전기'],
])('words of several scripts are found within text without spaces: %s finds %s', (q, name) =>
  expectFound(q, name, { description: `<p>${name}</p>` }),
);

it.each([
  ['りんご', '青森リンゴジュース'],
  ['リンゴ', '青森りんごジュース'],
  ['ﾘﾝｺﾞ', 'りんご'],
  ['らーめん', '味噌ラーメン'],
])('Japanese words are found in hiragana and katakana: %s finds %s', (q, name) =>
  expectFound(q, name, { tags: [name] }),
);

it('Thai words are found behind more letters without a space than a word has', async () => {
  const shop = new Shop();
  await shop.sell('Mug', { name: 'Soap', description: `<p>${'กขคงจฉชซ'.repeat(9)}สมุนไพรไทย</p>` });
  expect(await shop.names('สมุนไพร')).toEqual(['Soap']);
});

it('words of other scripts are found in text without spaces, however long it is', async () => {
  const shop = new Shop();
  const letters = Array.from({ length: 2_500 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
  await shop.sell('Mug', { name: 'Charger', description: `<p>${letters}USB充電器</p>` });
  expect(await shop.names('usb')).toEqual(['Charger']);
});
