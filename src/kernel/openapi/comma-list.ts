/** Marks a query parameter of the OpenAPI document as a comma-separated list: clients may give it as an array. */
export const COMMA_LIST = { 'x-comma-separated': true } as const;
