/** Pictures of the demo shop's products, drawn by code: flat still lifes in the theme's colours. */
import * as kitchen from './kitchen.ts';
import * as outdoors from './outdoors.ts';
import { type Color, darker, lighter, Painter } from './painter.ts';
import { ellipse, rect } from './shapes.ts';
import * as shelf from './shelf.ts';

/** What a picture shows, the wall behind it, and how it is drawn. */
interface Picture {
  readonly alt: string;
  readonly wall: Color;
  readonly draw: kitchen.Draw;
}

const SAND = '#EADFCB';
const SAGE = '#CFDACB';
const CLAY = '#EBCDBB';
const MIST = '#CFDDE0';
const STRAW = '#F0DDAE';

/** What lies on a surface or hangs, seen from the front, and stands on no table. */
const FLAT = new Set([
  ...['BRW-PAPR', 'LIN-TOWL', 'LIN-APRN', 'CMP-SPRK', 'CLO-TEE', 'CLO-OVER', 'CLO-BEAN', 'CLO-SOCK'],
  ...['GFT-25', 'GFT-100', 'DL-MAPS', 'WRK-CUPP'],
]);

const picture = (alt: string, wall: Color, ...draws: readonly kitchen.Draw[]): Picture => ({
  alt,
  wall,
  draw: (p) => {
    for (const draw of draws) draw(p);
  },
});

const PICTURES: Readonly<Record<string, Picture>> = {
  'COF-YIRG': picture(
    'A yellow bag of coffee with a bean on its label',
    SAGE,
    kitchen.coffeeBag('#DDA63A', '#FBF3E0', '#6B4128'),
  ),
  'COF-HUIL': picture(
    'A red bag of coffee with a bean on its label',
    MIST,
    kitchen.coffeeBag('#B8452F', '#FBEFE6', '#6B4128'),
  ),
  'COF-HARB': picture(
    'A dark green bag of coffee with a bean on its label',
    SAND,
    kitchen.coffeeBag('#1F4D3A', '#F4EEDF', '#C8553D'),
  ),
  'COF-DECA': picture(
    'A night-blue bag of coffee with a bean on its label',
    CLAY,
    kitchen.coffeeBag('#2C3E5C', '#EEF0F2', '#7A6A9B'),
  ),
  'TEA-RIZE': picture('A red tin of tea with a leaf on it', MIST, kitchen.teaTin('#A63A2E', '#1F4D3A')),
  'TEA-SENC': picture('A green tin of tea with a leaf on it', SAND, kitchen.teaTin('#6E8F57', '#47693A')),
  'OIL-ZAIT': picture(
    'A dark green tin of olive oil with a leaf on it',
    STRAW,
    kitchen.teaTin('#4F5B2A', '#C9B458'),
  ),
  'TEA-CHAM': picture('A yellow tin of tea with a leaf on it', SAGE, kitchen.teaTin('#E2B84B', '#8FA24A')),
  'BRW-DRIP': picture('A white porcelain dripper on a jug of coffee', CLAY, kitchen.dripper),
  'BRW-PAPR': picture('Three paper filters', SAGE, kitchen.filters),
  'BRW-KETL': picture('A steel kettle with a thin curved spout', SAND, kitchen.kettle),
  'BRW-MILL': picture('A hand mill of steel and wood', MIST, kitchen.mill),
  'BRW-PRES': picture('A French press full of coffee', STRAW, kitchen.press),
  'BRW-SCAL': picture('A black scale with a mug on it', SAND, kitchen.scale),
  'CER-MUG': picture('A mug with a blue-green glaze', CLAY, kitchen.glazedMug),
  'CER-PLAT': picture('A speckled grey-green plate', SAND, kitchen.plateAt(50, 53, 30, '#9DB3A6')),
  'CER-BOWL': picture('A deep blue bowl', STRAW, kitchen.bowlAt(50, 56, 31, '#3C6A8C')),
  'CER-VASE': picture('A clay vase with a single green stem', SAGE, kitchen.vase),
  'LIN-TOWL': picture('A linen towel with blue stripes on a rail', MIST, outdoors.towel),
  'LIN-APRN': picture('A grey-green linen apron with a pocket', SAND, outdoors.apron),
  'BAG-ROLL': picture('A green backpack with leather straps', STRAW, outdoors.backpack),
  'BAG-TOTE': picture('A cotton bag with a print of sun and hills', MIST, outdoors.toteAt(50, '#EFE6D2')),
  'CMP-STOV': picture('A brass spirit stove with a flame', SAGE, outdoors.stoveAt(50)),
  'CMP-POT': picture('A steel pot with a lid and a handle', CLAY, outdoors.potAt(45, 50, 1.05)),
  'CMP-CUP': picture('A white enamel cup with a blue rim', SAGE, outdoors.enamelAt(48, 46, 1.2)),
  'CMP-SPRK': picture('A steel spork', STRAW, outdoors.spork),
  'CLO-TEE': picture('A black T-shirt', SAND, shelf.tee('#343B38')),
  'CLO-OVER': picture('A rust-coloured corduroy overshirt', MIST, shelf.overshirt('#A9552F')),
  'CLO-BEAN': picture('A knitted charcoal hat', CLAY, shelf.beanie('#4B5350')),
  'CLO-SOCK': picture('A pair of grey socks with red heels and toes', SAGE, shelf.socks('#7D8783')),
  'SET-PICN': picture(
    'A cotton bag and two enamel cups',
    STRAW,
    outdoors.toteAt(33, '#EFE6D2'),
    outdoors.enamelAt(66, 67, 0.56),
    outdoors.enamelAt(85, 71, 0.44),
  ),
  'SET-TABL': picture(
    'A plate and two bowls',
    CLAY,
    kitchen.plateAt(46, 46, 27, '#9DB3A6'),
    kitchen.bowlAt(36, 66, 18, '#3C6A8C'),
    kitchen.bowlAt(68, 68, 17, '#C98F6B'),
  ),
  'BDL-POUR': picture(
    'A kettle and a small mug',
    SAGE,
    kitchen.kettle,
    kitchen.mugAt(76, 66, 0.5, '#C8553D'),
  ),
  'BDL-TRAI': picture(
    'A pot beside a burning spirit stove',
    SAND,
    outdoors.stoveAt(29),
    outdoors.potAt(66, 61, 0.74),
  ),
  'GFT-25': picture('A red gift card with a ribbon', SAGE, shelf.giftCard('#C8553D', '#F4E7CE')),
  'GFT-100': picture(
    'A dark green gift card with a golden ribbon',
    CLAY,
    shelf.giftCard('#1F4D3A', '#DDA63A'),
  ),
  'DL-BREW': picture('A green book with a drop on its cover', STRAW, shelf.book),
  'DL-MAPS': picture('An unfolded map of a path along a coast', SAGE, shelf.map),
  'WRK-CUPP': picture('Four cups of coffee and a spoon', SAND, shelf.cupping),
  'WRK-POTT': picture("A clay bowl on a potter's wheel", MIST, shelf.wheel),
};

/** Draws the picture of a product (PNG), with its alternative text. Throws for an unknown SKU. */
export function drawPicture(sku: string): { readonly alt: string; readonly png: Buffer } {
  const known = PICTURES[sku];
  if (!known) throw new Error(`There is no picture of ${sku}.`);
  const { alt, wall, draw } = known;
  const p = new Painter(wall);
  p.fill(ellipse(50, FLAT.has(sku) ? 51 : 48, FLAT.has(sku) ? 41 : 37), lighter(wall, 0.32));
  if (!FLAT.has(sku)) {
    p.fill(rect(0, 80, 100, 20), darker(wall, 0.1)).fill(ellipse(52, 85, 30, 3.4), darker(wall, 0.28));
  }
  draw(p);
  return { alt, png: p.png() };
}
