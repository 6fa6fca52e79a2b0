import { Alert, Anchor, Button, FileInput, Group, Select, Stack, Textarea } from '@mantine/core'
import { useChange } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { ErrorNote } from 'pentad/admin/parts/error-note.tsx'
import { formatNumber } from 'pentad/admin/parts/format.ts'
import { LongTable } from 'pentad/admin/parts/long-table.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { type ImportResult, REDIRECTS, SEO } from './routes.ts'

const FORMATS = [
  { value: 'auto', label: __('Detect automatically', 'pentad') },
  { value: 'redirection', label: 'Redirection' },
  { value: 'rankmath', label: 'Rank Math' },
  { value: 'yoast', label: 'Yoast' },
  { value: 'seopress', label: 'SEOPress' },
  { value: 'aioseo', label: 'All in One SEO' },
  { value: 'generic', label: __('Other, with source and target columns', 'pentad') },
]

type Refused = ImportResult['errors'][number]

const COLUMNS = [
  {
    title: __('Line', 'pentad'),
    width: '6rem',
    cell: ({ line }: Refused) => sprintf(__('%s', 'pentad'), formatNumber(line)),
  },
  { title: __('Reason', 'pentad'), width: '1fr', cell: ({ message }: Refused) => message },
]

export default function RedirectImport() {
  const [file, setFile] = useState<File | null>(null)
  const [text, setText] = useState('')
  const [format, setFormat] = useState('auto')
  const run = useChange(
    () => {
      const body = new FormData()
      if (!file) return change<ImportResult>('POST', `${REDIRECTS}/import`, { csv: text, format })
      body.append('file', file)
      return change<ImportResult>('POST', `${REDIRECTS}/import`, undefined, { body, query: { format } })
    },
    { invalidates: [REDIRECTS, `${SEO}/overview`], quiet: true },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate()
  }
  return (
    <Page
      title={__('Import redirects', 'pentad')}
      description={__(
        'Import CSV from another plugin or a spreadsheet, JSON, .htaccess, or nginx rules. Invalid lines are skipped.',
        'pentad',
      )}
      actions={
        <Button component={Link} to="/seo/redirects" variant="default">
          {__('Back to redirects', 'pentad')}
        </Button>
      }
    >
      <Section title={__('File to import', 'pentad')}>
        <form onSubmit={submit}>
          <Stack>
            <FileInput
              label={__('File', 'pentad')}
              placeholder={__('Select a file', 'pentad')}
              clearable
              clearButtonProps={{ 'aria-label': __('Remove file', 'pentad') }}
              value={file}
              onChange={setFile}
            />
            {!file && (
              <Textarea
                label={__('Or paste the contents', 'pentad')}
                placeholder={'source,target,status\n/old/,/new/,301'}
                autosize
                minRows={4}
                maxRows={14}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            )}
            <Select
              label={__('Format', 'pentad')}
              data={FORMATS}
              value={format}
              allowDeselect={false}
              onChange={(chosen) => setFormat(chosen ?? 'auto')}
            />
            <Group>
              <Button type="submit" loading={run.isPending} disabled={!file && text.trim() === ''}>
                {__('Import', 'pentad')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
      {run.error && <ErrorNote error={run.error} title={__('Import failed', 'pentad')} />}
      {run.data && <Report result={run.data} />}
    </Page>
  )
}

function Report({ result: { imported, skipped, errors } }: { result: ImportResult }) {
  if (imported + skipped + errors.length === 0)
    return (
      <EmptyState title={__('No redirects found', 'pentad')}>
        {__('Select the format of the file, and try again.', 'pentad')}
      </EmptyState>
    )
  return (
    <Section title={__('Import report', 'pentad')}>
      <Alert color={errors.length > 0 ? 'yellow' : 'teal'} role="status">
        {sprintf(_n('%s redirect imported.', '%s redirects imported.', imported, 'pentad'), formatNumber(imported))}{' '}
        {skipped > 0 &&
          sprintf(_n('%s already existed.', '%s already existed.', skipped, 'pentad'), formatNumber(skipped))}{' '}
        {errors.length > 0 &&
          sprintf(
            _n('%s line could not be imported.', '%s lines could not be imported.', errors.length, 'pentad'),
            formatNumber(errors.length),
          )}
      </Alert>
      {errors.length > 0 && (
        <LongTable label={__('Lines that could not be imported', 'pentad')} columns={COLUMNS} rows={errors} />
      )}
      {imported > 0 && (
        <Anchor component={Link} to="/seo/redirects" size="sm">
          {__('View redirects', 'pentad')}
        </Anchor>
      )}
    </Section>
  )
}
