/** Lengths of a GTIN: GTIN-8, UPC, EAN or ISBN-13, ITF-14. */
const LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14]);

/** GS1 prefixes that Google refuses: restricted circulation (02, 04, 2) and coupons (05, 98, 99). */
const REFUSED = /^(?:0[245]|2|9[89])/;

/**
 * Returns the GTIN of a barcode, without spaces and hyphens; null if it is none: another length, a wrong check
 * digit (GS1 General Specifications, 7.9) or a prefix that Google refuses.
 */
export function gtinOf(barcode: string): string | null {
  const digits = barcode.replace(/[\s-]/g, '');
  if (!LENGTHS.has(digits.length) || !/^\d+$/.test(digits) || /^0+$/.test(digits)) return null;
  if (checkDigit(digits.slice(0, -1)) !== Number(digits.at(-1))) return null;
  if (digits.length === 8) return /^[02]/.test(digits) ? null : digits;
  const padded = digits.padStart(14, '0');
  return padded.startsWith('0') && REFUSED.test(padded.slice(1)) ? null : digits;
}

/** Returns the check digit: the weights 3 and 1 alternate from the right, and the sum is filled up to tens. */
function checkDigit(digits: string): number {
  let sum = 0;
  for (let n = 0; n < digits.length; n++) sum += Number(digits.at(-1 - n)) * (n % 2 === 0 ? 3 : 1);
  return (10 - (sum % 10)) % 10;
}
