import { CsvError, parse } from 'csv-parse/sync';

/** A parsed record; `end` is its byte offset in the parsed bytes. */
export interface ParsedRecord {
  readonly cells: string[];
  readonly end: number;
}

/** Parses records (RFC 4180) up to the first error, or only the first record. `broken` is the code of the error. */
export function parseRecords(
  bytes: Uint8Array,
  first: boolean,
): { readonly records: readonly ParsedRecord[]; readonly broken: CsvError['code'] | null } {
  const records: ParsedRecord[] = [];
  try {
    parse(bytes, {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      ...(first ? { to: 1 } : {}),
      on_record: (cells, { bytes: end }) => {
        records.push({ cells, end });
        return null;
      },
    });
    return { records, broken: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { records, broken: error.code };
  }
}
