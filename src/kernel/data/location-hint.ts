/** The hint of each continent, where one hint serves all of it. */
const BY_CONTINENT: Readonly<Partial<Record<ContinentCode, DurableObjectLocationHint>>> = {
  AF: 'afr',
  AS: 'apac',
  EU: 'weur',
  OC: 'oc',
  SA: 'sam',
};

/** Countries (ISO 3166-1) that are nearer to another hint than the rest of their continent. */
const BY_COUNTRY: Readonly<Record<string, DurableObjectLocationHint>> = Object.fromEntries([
  ...'AL BA BG BY CY CZ EE FI GR HR HU LT LV MD ME MK PL RO RS RU SI SK UA XK'
    .split(' ')
    .map((country) => [country, 'eeur'] as const),
  ...'AE AM AZ BH EG GE IL IQ IR JO KW LB OM PS QA SA SY TR YE'
    .split(' ')
    .map((country) => [country, 'me'] as const),
]);

/** North America is divided at this longitude (degrees), between Denver and Chicago. */
const WEST_OF_NORTH_AMERICA = -100;

/**
 * Returns the location hint of Durable Objects that is nearest to where a request comes from, or null if that isn't
 * known, as on a developer's machine.
 */
export function locationHint({ cf }: Request): DurableObjectLocationHint | null {
  // Requests that come in have these properties, and those made from them inside the Worker.
  const { continent, country, longitude } = (cf ?? {}) as Partial<IncomingRequestCfProperties>;
  const ofCountry = BY_COUNTRY[country ?? ''];
  if (ofCountry) return ofCountry;
  if (continent === 'NA') return Number(longitude ?? 0) < WEST_OF_NORTH_AMERICA ? 'wnam' : 'enam';
  return (continent && BY_CONTINENT[continent]) ?? null;
}
