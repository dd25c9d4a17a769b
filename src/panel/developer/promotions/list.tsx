import { PromotionList } from '../../../promotions/index.ts';
import { ActionLink, clip, type PageRequest, Part, pageParam, State, Table } from '../../../web/index.ts';
import { effectText, type Standing, standingOf } from './sentence.tsx';

/** The path of the list. */
export const PROMOTIONS_PATH = '/developer/promotions';
/** The path of the form for a new promotion. */
export const NEW_PROMOTION_PATH = '/developer/new-promotion';

const TRIGGERS = [
  ['', 'Any trigger'],
  ['automatic', 'Automatic'],
  ['code', 'By code'],
] as const;

/** The label of each standing, in a filter and as a state. */
const STANDINGS: Readonly<Record<Standing, string>> = {
  running: 'active',
  scheduled: 'scheduled',
  over: 'ended',
  off: 'inactive',
};

/** The standing of a promotion, as a coloured label. */
export const StandingState = ({ is }: { is: Standing }) => <State is={STANDINGS[is]} />;

/** A page of promotions, with filters. */
export const listPage = async (request: PageRequest) => {
  const chosen = { q: request.query('q').trim(), trigger: request.query('trigger') };
  const standing = request.query('standing');
  const filters = Object.entries({ ...chosen, standing }).filter(([, value]) => value !== '');
  const search = new URLSearchParams(filters);
  const path = `/v1/promotions?page=${pageParam(request)}&${search}`;
  const answer = await request.api({ path, answer: PromotionList });
  if (!answer.ok) return answer;
  const { data, meta } = answer.value;
  const [currency = ''] = request.tenant.currencies;
  const body = (
    <>
      <Filters {...chosen} standing={standing} />
      <Table
        label="Promotions"
        head={['Name', 'Discount', 'Code', 'Redeemed', 'Status']}
        figures={[3]}
        rows={data.map((promotion) => [
          <a href={`${PROMOTIONS_PATH}/${promotion.id}`}>{clip(promotion.name, 60)}</a>,
          clip(effectText(promotion, currency)),
          promotion.code === null ? 'automatic' : <code>{promotion.code}</code>,
          `${promotion.uses}${promotion.max_uses === null ? '' : ` of ${promotion.max_uses}`}`,
          <StandingState is={standingOf(promotion)} />,
        ])}
        empty={search.size > 0 ? <NoneFound /> : <None request={request} />}
        pages={{ meta: meta, href: (to) => `${PROMOTIONS_PATH}?${search}&page=${to}` }}
      />
    </>
  );
  return { title: 'Promotions', body, action: [NEW_PROMOTION_PATH, 'New promotion'] as const };
};

interface FiltersProps {
  readonly q: string;
  readonly trigger: string;
  readonly standing: string;
}

const Filters = ({ q, trigger, standing }: FiltersProps) => (
  <search>
    <form class="search" action={PROMOTIONS_PATH}>
      <Part name="filters" />
      <input
        name="q"
        type="search"
        value={q}
        aria-label="Name or code"
        placeholder="Name or code"
        maxlength={100}
      />
      <Filter name="trigger" label="How it applies" options={TRIGGERS} value={trigger} />
      <Filter
        name="standing"
        label="Status"
        options={[['', 'Every status'], ...Object.entries(STANDINGS)]}
        value={standing}
      />
      <button type="submit">Filter</button>
    </form>
  </search>
);

interface FilterProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value: string;
}

const Filter = ({ name, label, options, value }: FilterProps) => (
  <select name={name} aria-label={label}>
    {options.map(([option, text]) => (
      <option value={option} selected={option === value}>
        {text.charAt(0).toUpperCase() + text.slice(1)}
      </option>
    ))}
  </select>
);

const NoneFound = () => (
  <p>
    No promotion matches. <a href={PROMOTIONS_PATH}>Show all promotions</a>
  </p>
);

const None = ({ request }: { request: PageRequest }) => (
  <p>
    No promotions yet. A promotion gives a percentage or an amount off, a free item, or free shipping, for
    every cart or by code.{' '}
    <ActionLink request={request} href={NEW_PROMOTION_PATH}>
      Create the first one
    </ActionLink>
  </p>
);
