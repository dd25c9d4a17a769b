import { z } from 'zod';
import { Import, ImportStarted, MAX_FILE } from '../imports/index.ts';
import type { Trouble } from './api.ts';
import { Field, Form } from './form.tsx';
import { form, look, type Outcome, type Page, trouble, type Visit } from './page.ts';
import { State, Table, When } from './parts.tsx';

const root = '/developer/imports';

const uploadPage = async (visit: Visit, wrong: Trouble | null) => ({
  title: 'Import products',
  body: (
    <>
      <p>
        A product CSV as Shopify exports it. It is read in the background, and is safe to repeat: what is so
        already is left alone.
      </p>
      <Form visit={visit} action={root} submit="Upload and import" file>
        <Field
          f={{ visit, trouble: wrong }}
          name="file"
          label="CSV file"
          type="file"
          hint="At most 32 MiB"
          required
          attributes={{ accept: '.csv,text/csv' }}
        />
        <p class="field">
          <label class="check">
            <input type="checkbox" name="stock" value="set" />
            <span>Set the stock of products that exist already as well</span>
          </label>
        </p>
      </Form>
    </>
  ),
});

const Upload = z.object({
  file: z
    .instanceof(File, { message: 'must be a file' })
    .refine((file) => file.size > 0, 'must not be empty'),
  stock: z.literal('set').optional(),
});

async function upload(visit: Visit, { file, stock }: z.output<typeof Upload>): Promise<Outcome> {
  const started = await visit.api({
    method: 'POST',
    path: `/v1/imports/products${stock ? '?stock=set' : ''}`,
    file,
    mediaType: 'text/csv',
    once: visit.sent._once?.[0],
    answer: ImportStarted,
  });
  return started.ok ? { to: `${root}/${started.value.id}` } : started;
}

const progressPage = async (visit: Visit) => {
  const path = `/v1/imports/${encodeURIComponent(visit.param('id'))}`;
  const answer = await visit.api({ path, answer: Import });
  if (!answer.ok) return trouble(answer.trouble.message, answer.trouble.status);
  const { status, rows, processed, created, updated, unchanged, failed, errors, updated_at } = answer.value;
  const live = status === 'queued' || status === 'running';
  const facts = { Created: created, Updated: updated, Unchanged: unchanged, 'Lines that failed': failed };
  const body = (
    <section id="progress" data-live={live ? 'yes' : undefined} aria-label="Progress">
      <p role="status">
        <State is={status} /> {processed} of {rows} lines
      </p>
      <progress
        max={Math.max(rows, 1)}
        value={status === 'done' ? Math.max(rows, 1) : processed}
        aria-label="Lines that are done"
      />
      <dl class="facts">
        {Object.entries(facts).map(([title, value]) => (
          <div>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Last step</dt>
          <dd>
            <When at={updated_at} />
          </dd>
        </div>
      </dl>
      {errors.length > 0 && (
        <>
          <h2>What went wrong</h2>
          <Table
            label="Lines that failed"
            head={['Line', 'Why']}
            rows={errors.map(({ line, message }) => [line, message])}
          />
        </>
      )}
      {!live && (
        <p>
          <a class="button" href="/developer/products">
            To the products
          </a>
        </p>
      )}
    </section>
  );
  return { title: 'Import', body, ...(live ? { refresh: 2 } : {}) };
};

const at = (path: string) => ({ path: `/developer/imports${path}`, audience: 'developer' }) as const;

/** Importing a CSV, and watching how far it is. */
export const importPages: readonly Page[] = [
  look(at(''), uploadPage),
  // The file, and what a form wraps around it.
  form({ ...at(''), form: Upload, maxBytes: MAX_FILE + 64 * 1024 }, uploadPage, upload),
  look(at('/:id'), progressPage),
];
