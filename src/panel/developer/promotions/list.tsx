import { capitalized } from '../../../kernel/text/text.ts';
import { PromotionList } from '../../../promotions/index.ts';
import {
  ActionLink,
  clip,
  type Outcome,
  type PageRequest,
  pageParam,
  State,
  Table,
} from '../../../web/index.ts';
import { downloadList, ExportLink } from '../../csv-download.tsx';
import { type FilterOption, FilterSelect, givenFilters, SearchForm } from '../../search-form.tsx';
import { effectText, type Standing, standingOf } from './sentence.tsx';

/** The path of the list. */
export const PROMOTIONS_PATH = '/developer/promotions';
/** The path above the pages of a promotion. */
export const trail = [[PROMOTIONS_PATH, 'Promotions']] as const;
/** The path of the list as a file. */
const EXPORT_PATH = '/developer/exports/promotions';
/** The path of the form for a new promotion. */
export const NEW_PROMOTION_PATH = '/developer/new-promotion';

/** Returns the API's path of the promotion that a page is about. */
export const apiPath = (request: PageRequest): string =>
  `/v1/promotions/${encodeURIComponent(request.param('id'))}`;

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

const FILTERS = ['q', 'trigger', 'standing'] as const;

/** Returns the filters of a request as a query, for the API and for the address of a list. */
const queryOf = (request: PageRequest): URLSearchParams =>
  new URLSearchParams(givenFilters(request, FILTERS));

/** Sends the promotions of the list as a CSV file. */
export const exportPromotions = (request: PageRequest): Promise<Outcome> =>
  downloadList(request, { path: '/v1/promotions', query: queryOf(request), filename: 'promotions.csv' });

/** A page of promotions, with filters. */
export const listPage = async (request: PageRequest) => {
  const search = queryOf(request);
  const path = `/v1/promotions?page=${pageParam(request)}&${search}`;
  const answer = await request.api({ path, answer: PromotionList });
  if (!answer.ok) return answer;
  const { data, meta } = answer.value;
  const [currency = ''] = request.tenant.currencies;
  const body = (
    <>
      <Filters of={search} />
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
      <ExportLink
        request={request}
        href={`${EXPORT_PATH}?${search}`}
        total={meta.total}
        things="promotions"
      />
    </>
  );
  return { title: 'Promotions', body, action: [NEW_PROMOTION_PATH, 'New promotion'] as const };
};

const withCapital = ([value, label]: FilterOption): FilterOption => [value, capitalized(label)];

const Filters = ({ of }: { readonly of: URLSearchParams }) => (
  <SearchForm
    action={PROMOTIONS_PATH}
    q={of.get('q') ?? ''}
    label="Name or code"
    maxlength={100}
    filtered={[...of.values()].some(Boolean)}
  >
    <FilterSelect name="trigger" label="How it applies" options={TRIGGERS} value={of.get('trigger')} />
    <FilterSelect
      name="standing"
      label="Status"
      options={[['', 'Every status'], ...Object.entries(STANDINGS).map(withCapital)]}
      value={of.get('standing')}
    />
  </SearchForm>
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
