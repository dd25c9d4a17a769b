import type { z } from 'zod';
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
  type View,
} from '../../../web/index.ts';
import { downloadList, ExportLink } from '../../csv-download.tsx';
import {
  type FilterFormProps,
  type FilterOption,
  FilterSelect,
  type Filters,
  filteredList,
  filteredPages,
  filteredPath,
  givenFilters,
  NoneFound,
  SearchForm,
} from '../../search-form.tsx';
import { effectText, type Standing, standingOf, usesText } from './sentence.tsx';

/** The path of the list. */
export const PROMOTIONS_PATH = '/developer/promotions';
/** The path above the pages of a promotion. */
export const trail = [[PROMOTIONS_PATH, 'Promotions']] as const;
const EXPORT_PATH = '/developer/exports/promotions';
/** The path of the form for a new promotion. */
export const NEW_PROMOTION_PATH = '/developer/new-promotion';

/** Returns the API's path of the promotion that a page is about. */
export const apiPath = (request: PageRequest): string =>
  `/v1/promotions/${encodeURIComponent(request.param('id'))}`;

const TRIGGERS = [
  ['', 'Any'],
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

/** Sends the promotions of the list as a CSV file. */
export const exportPromotions = (request: PageRequest): Promise<Outcome> =>
  downloadList(request, {
    path: '/v1/promotions',
    query: new URLSearchParams(givenFilters(request, FILTERS)),
    filename: 'promotions.csv',
  });

/** The page that searches and lists promotions. */
export async function listPage(request: PageRequest): Promise<View | Outcome> {
  const filters = givenFilters(request, FILTERS);
  const path = `/v1/promotions?page=${pageParam(request)}&${new URLSearchParams(filters)}`;
  return filteredList({
    title: 'Promotions',
    action: [NEW_PROMOTION_PATH, 'New promotion'],
    answer: await request.api({ path, answer: PromotionList }),
    above: (formError) => <FilterForm filters={filters} formError={formError} />,
    list: (found) => <Found request={request} list={found} filters={filters} />,
  });
}

interface FoundProps {
  readonly request: PageRequest;
  readonly list: z.output<typeof PromotionList>;
  readonly filters: Filters;
}

const Found = ({ request, list: { data, meta }, filters }: FoundProps) => {
  const [currency = ''] = request.tenant.currencies;
  return (
    <>
      <Table
        label="Promotions"
        head={['Name', 'Discount', 'Code', 'Redeemed', 'Status']}
        figures={[3]}
        rows={data.map((promotion) => [
          <a href={`${PROMOTIONS_PATH}/${promotion.id}`}>{clip(promotion.name, 60)}</a>,
          clip(effectText(promotion, currency)),
          promotion.code === null ? 'automatic' : <code>{promotion.code}</code>,
          usesText(promotion),
          <StandingState is={standingOf(promotion)} />,
        ])}
        empty={
          <NoneFound filters={filters} things="promotions" all={PROMOTIONS_PATH}>
            <None request={request} />
          </NoneFound>
        }
        pages={filteredPages(PROMOTIONS_PATH, filters, meta)}
      />
      <ExportLink
        request={request}
        href={filteredPath(EXPORT_PATH, filters)}
        total={meta.total}
        things="promotions"
      />
    </>
  );
};

const withCapital = ([value, label]: FilterOption): FilterOption => [value, capitalized(label)];

const FilterForm = ({ filters, formError }: FilterFormProps) => (
  <SearchForm
    action={PROMOTIONS_PATH}
    filters={filters}
    label="Name or code"
    maxlength={100}
    formError={formError}
  >
    <FilterSelect name="trigger" label="How it applies" options={TRIGGERS} value={filters.trigger} />
    <FilterSelect
      name="standing"
      label="Status"
      options={[['', 'Any'], ...Object.entries(STANDINGS).map(withCapital)]}
      value={filters.standing}
    />
  </SearchForm>
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
