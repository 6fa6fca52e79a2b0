import { Anchor, Badge, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { messageOf } from 'pentad/admin/api/error.ts'
import { useChange, useList, useRead } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { CopyButton } from 'pentad/admin/parts/copy-button.tsx'
import { type Column, DataTable } from 'pentad/admin/parts/data-table.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatNumber, formatTime } from 'pentad/admin/parts/format.ts'
import { LicenseNote, needsLicense } from 'pentad/admin/parts/licensed.tsx'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { SettingsForm } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { type FormEvent, useState } from 'react'
import { SEO_FIELDS } from './fields.tsx'
import { INDEXNOW, type Submission } from './routes.ts'

const PER_PAGE = 20
const GROUPS = [
  {
    title: __('Automatic submission', 'pentad'),
    keys: ['indexNow', 'indexNowKey', 'indexNowExcludedTypes', 'indexNowEndpoint'],
  },
]

const COLUMNS: readonly Column<Submission>[] = [
  { title: __('Date', 'pentad'), isWhole: true, cell: ({ submittedAt }) => formatTime(submittedAt) },
  { title: __('Pages', 'pentad'), align: 'end', cell: ({ urls }) => formatNumber(urls) },
  {
    title: __('Response', 'pentad'),
    cell: ({ status, message }) => (
      <Group gap="xs">
        <Outcome status={status} />
        <Text size="sm">{message}</Text>
      </Group>
    ),
  },
  {
    title: __('Trigger', 'pentad'),
    isMinor: true,
    cell: ({ origin }) => (origin === 'manual' ? __('Manual', 'pentad') : __('Automatic', 'pentad')),
  },
]

export default function SeoIndexNow() {
  const query = useListQuery()
  const draft = useSettings('seo')
  const list = useList<Submission>(INDEXNOW, { page: query.page, perPage: PER_PAGE })
  return (
    <Page
      isForm
      title={__('IndexNow', 'pentad')}
      description={__(
        'Notify Bing, Yandex, and other search engines when pages change. Google does not support IndexNow.',
        'pentad',
      )}
    >
      {needsLicense(list.error) ? (
        <LicenseNote>{__('Submit pages manually, and see the log of submissions.', 'pentad')}</LicenseNote>
      ) : (
        <>
          <Submit />
          <Section title={__('Submission log', 'pentad')}>
            <DataTable
              label={__('Submissions', 'pentad')}
              list={list}
              columns={COLUMNS}
              rowId={({ submittedAt, urls, origin }) => `${submittedAt} ${urls} ${origin}`}
              query={query}
              empty={
                <EmptyState title={__('No submissions yet', 'pentad')}>
                  {__('Submit the homepage as a test, or turn on automatic submission below.', 'pentad')}
                </EmptyState>
              }
            />
          </Section>
        </>
      )}
      <SettingsForm draft={draft} groups={GROUPS} fields={SEO_FIELDS} />
    </Page>
  )
}

/** The result of a submission. @param status of the endpoint's response; `null` without one */
function Outcome({ status }: { status: number | null }) {
  const isAccepted = status !== null && status < 300
  return (
    <Badge
      size="sm"
      variant="light"
      color={isAccepted ? 'teal' : 'red'}
      title={status === null ? undefined : sprintf(__('HTTP status %d', 'pentad'), status)}
    >
      {isAccepted ? __('Accepted', 'pentad') : __('Rejected', 'pentad')}
    </Badge>
  )
}

function Submit() {
  const [text, setText] = useState('')
  const { data: key } = useRead<{ key: string; keyLocation: string }>(INDEXNOW, { perPage: 1 })
  const urls = text.split('\n').map((line) => line.trim())
  const asked = urls.filter((url) => url !== '')
  const submit = useChange(
    (given: readonly string[]) =>
      change<{ submitted: number; status: number }>('POST', INDEXNOW, given.length > 0 ? { urls: given } : {}),
    {
      invalidates: [INDEXNOW],
      quiet: true,
      done: ({ submitted }) =>
        sprintf(_n('%s URL submitted.', '%s URLs submitted.', submitted, 'pentad'), formatNumber(submitted)),
    },
  )
  const send = (event: FormEvent) => {
    event.preventDefault()
    submit.mutate(asked, { onSuccess: () => setText('') })
  }
  return (
    <Section title={__('Submit URLs', 'pentad')}>
      {key && (
        <Group gap="xs">
          <Text size="sm">
            {__('Key file:', 'pentad')}{' '}
            <Anchor href={new URL(key.keyLocation).pathname} size="sm">
              {key.keyLocation}
            </Anchor>
          </Text>
          <CopyButton value={key.key} label={__('Copy key', 'pentad')} />
        </Group>
      )}
      <form onSubmit={send}>
        <Stack>
          <Textarea
            label={__('URLs, one per line', 'pentad')}
            description={__('Paths or URLs on this site. Leave empty to submit the homepage as a test.', 'pentad')}
            autosize
            minRows={3}
            maxRows={12}
            value={text}
            error={submit.error ? messageOf(submit.error) : undefined}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" loading={submit.isPending}>
              {asked.length === 0
                ? __('Submit test', 'pentad')
                : sprintf(_n('Submit %d URL', 'Submit %d URLs', asked.length, 'pentad'), asked.length)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
