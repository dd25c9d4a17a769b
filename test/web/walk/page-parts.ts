/** Reads a page as a browser does: its links, its forms, and what names what in it. */

export interface Field {
  readonly name: string;
  /** The type of an input; `select` or `textarea`. */
  readonly type: string;
  /** The text that the page shows in it, or the value of a box. */
  value: string;
  /** Whether a box is ticked. */
  readonly ticked: boolean;
  /** The values of a select. */
  readonly options: string[];
}

export interface Form {
  readonly method: 'get' | 'post';
  readonly action: string;
  readonly hasFiles: boolean;
  readonly fields: Field[];
  readonly buttons: { readonly name: string; readonly value: string; readonly action: string }[];
}

export interface PageParts {
  title: string;
  headings: number;
  text: string;
  readonly ids: string[];
  /** The ids that labels, hints and links of the page lead to. */
  readonly namedIds: string[];
  readonly links: string[];
  readonly forms: Form[];
  /** Elements and attributes that no page of ours has. */
  readonly foreignMarkup: string[];
}

const MARKS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const unescaped = (html: string): string =>
  html.replace(/&([a-z]+|#39);/g, (mark, name) => MARKS[name] ?? mark);

const attribute = (element: Element, name: string): string => unescaped(element.getAttribute(name) ?? '');

const fieldOf = (element: Element, type: string): Field => ({
  name: attribute(element, 'name'),
  type,
  value: attribute(element, 'value'),
  ticked: element.hasAttribute('checked'),
  options: [],
});

const NAMING = ['for', 'aria-describedby', 'aria-labelledby', 'popovertarget'];

/** Notes what is of interest of every element. */
const anyElement = (page: PageParts) => (element: Element) => {
  if (element.hasAttribute('id')) page.ids.push(attribute(element, 'id'));
  page.namedIds.push(...NAMING.flatMap((name) => attribute(element, name).split(' ').filter(Boolean)));
  const handlers = [...element.attributes].filter(([name]) => name?.startsWith('on'));
  if (element.tagName === 'xss' || handlers.length > 0) page.foreignMarkup.push(element.tagName);
};

/** Returns the handlers that collect the forms of a page at a path; an input may name a form that it is not in. */
function formHandlers(page: PageParts, here: string) {
  const named = new Map<string, Form>();
  let open: Form | undefined;
  let area: Field | undefined;
  let select: Field | undefined;
  const formOf = (element: Element) => named.get(attribute(element, 'form')) ?? open;
  return {
    form(element: Element) {
      open = {
        method: attribute(element, 'method') === 'post' ? 'post' : 'get',
        action: attribute(element, 'action') || here,
        hasFiles: attribute(element, 'enctype') === 'multipart/form-data',
        fields: [],
        buttons: [],
      };
      page.forms.push(open);
      if (element.hasAttribute('id')) named.set(attribute(element, 'id'), open);
      element.onEndTag(() => {
        open = undefined;
      });
    },
    input: (element: Element) =>
      void formOf(element)?.fields.push(fieldOf(element, attribute(element, 'type') || 'text')),
    button(element: Element) {
      const [name, value] = [attribute(element, 'name'), attribute(element, 'value')];
      if (attribute(element, 'type') === 'submit')
        formOf(element)?.buttons.push({ name, value, action: attribute(element, 'formaction') });
    },
    select(element: Element) {
      select = fieldOf(element, 'select');
      formOf(element)?.fields.push(select);
    },
    option(element: Element) {
      const value = attribute(element, 'value');
      if (select && (select.options.length === 0 || element.hasAttribute('selected'))) select.value = value;
      select?.options.push(value);
    },
    textarea(element: Element) {
      area = fieldOf(element, 'textarea');
      formOf(element)?.fields.push(area);
    },
    textareaText({ text }: Text) {
      if (area) area.value += text;
    },
  };
}

/** Returns the parts of the page at a path. */
export async function readPage(html: string, here: string): Promise<PageParts> {
  const page: PageParts = {
    title: '',
    headings: 0,
    text: '',
    ids: [],
    namedIds: [],
    links: [],
    forms: [],
    foreignMarkup: [],
  };
  const forms = formHandlers(page, here);
  const follow = (element: Element) => {
    const href = attribute(element, 'href');
    if (href.startsWith('#')) page.namedIds.push(decodeURIComponent(href.slice(1)));
    else page.links.push(href);
  };
  const countHeading = () => {
    page.headings += 1;
  };
  const addTo =
    (part: 'title' | 'text') =>
    ({ text }: Text) => {
      page[part] += text;
    };
  const rewriter = new HTMLRewriter()
    .on('*', { element: anyElement(page) })
    .on('title', { text: addTo('title') })
    .on('h1', { element: countHeading })
    .on('a', { element: follow })
    .on('form', { element: forms.form })
    .on('input', { element: forms.input })
    .on('button', { element: forms.button })
    .on('select', { element: forms.select })
    .on('option', { element: forms.option })
    .on('textarea', { element: forms.textarea, text: forms.textareaText })
    .onDocument({ text: addTo('text') });
  await rewriter.transform(new Response(html)).text();
  for (const field of page.forms.flatMap(({ fields }) => fields)) {
    if (field.type === 'textarea') field.value = unescaped(field.value);
  }
  return page;
}
