import { z } from '@hono/zod-openapi';
import { MAX_AMOUNT } from './money.ts';

/** The alphabetic codes of ISO 4217 (2026) that have a minor unit. */
const CODES = new Set(
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'.split(
    ' ',
  ),
);

/** Returns whether this is the upper-case ISO 4217 code of a currency with a minor unit. */
export const isCurrency = (code: string): boolean => CODES.has(code);

/** Schema of a currency code. */
export const Currency = z
  .string()
  .refine(isCurrency, 'must be an ISO 4217 code such as EUR')
  .openapi('Currency', { type: 'string', enum: [...CODES], description: 'ISO 4217', example: 'EUR' });

// The OpenAPI generator copies `propertyNames` although its types don't declare it.
const NAMES: object = { propertyNames: { $ref: '#/components/schemas/Currency' } };

/** Returns the schema of an object that maps currency codes to values. */
export const byCurrency = <Value extends z.ZodType>(value: Value) => z.record(Currency, value).openapi(NAMES);

/** Returns the message for what is neither form of an amount; that of a missing one is the usual. */
const noAmount = ({ input }: { readonly input?: unknown }) =>
  input === undefined
    ? undefined
    : 'must be a number, or an object of numbers by currency such as {"EUR": 5}';

const money = z.number().min(0).max(MAX_AMOUNT);
/** Schema of an amount in settings and promotions: a number, or an object by currency. */
export const AmountByCurrency = z.union([money, byCurrency(money)], { error: noAmount });
