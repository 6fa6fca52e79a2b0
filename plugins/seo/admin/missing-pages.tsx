import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { ApiError, messageOf } from 'pentad/admin/api/error.ts'
import { useChange, useList } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { confirm } from 'pentad/admin/parts/confirm.tsx'
import { type Column, DataTable } from 'pentad/admin/parts/data-table.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatAgo, formatNumber } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { readable } from 'pentad/admin/parts/plain-text.ts'
import { SearchField } from 'pentad/admin/parts/search-field.tsx'
import { type FormEvent, useState } from 'react'
import { MISSING_PAGES, type MissingPage, REDIRECTS, type Redirect, SEO } from './routes.ts'
import { TargetField } from './target-field.tsx'

const PER_PAGE = 20
const invalidates = [MISSING_PAGES, REDIRECTS, `${SEO}/overview`]

interface Redirecting {
  readonly entry: MissingPage
  readonly target: string
  readonly status?: number
}

/** Creates a redirect for a 404 error. */
function useRedirecting(quiet: boolean) {
  return useChange(
    ({ entry: { id }, target, status = 301 }: Redirecting) =>
      change<Redirect>('POST', `${MISSING_PAGES}/redirect`, { id, target, status }),
    {
      invalidates,
      quiet,
      done: ({ source, target }) =>
        target
          ? sprintf(__('Redirect created: %1$s → %2$s', 'pentad'), source, target)
          : sprintf(__('%s now returns 410 Gone.', 'pentad'), source),
    },
  )
}

export default function MissingPages() {
  const query = useListQuery()
  const [edited, setEdited] = useState<MissingPage>()
  const list = useList<MissingPage>(MISSING_PAGES, {
    page: query.page,
    perPage: PER_PAGE,
    search: query.get('search'),
  })
  const redirect = useRedirecting(false)
  const ignore = useChange(
    ({ id }: MissingPage) => change<{ ignored: string }>('POST', `${MISSING_PAGES}/ignore`, { id }),
    {
      invalidates,
      done: ({ ignored }) =>
        sprintf(
          __('%s is now ignored. You can change the list of ignored URLs in the SEO settings.', 'pentad'),
          ignored,
        ),
    },
  )
  const clear = useChange(() => change<{ deleted: number }>('DELETE', MISSING_PAGES), {
    invalidates,
    done: ({ deleted }) =>
      sprintf(_n('%s entry deleted.', '%s entries deleted.', deleted, 'pentad'), formatNumber(deleted)),
  })

  async function clearAll() {
    const isSure = await confirm({
      title: __('Clear the 404 log?', 'pentad'),
      body: __('Redirects that were created from it will be kept.', 'pentad'),
      confirm: __('Clear log', 'pentad'),
      isDestructive: true,
    })
    if (isSure) clear.mutate()
  }

  const columns: readonly Column<MissingPage>[] = [
    {
      title: __('URL', 'pentad'),
      cell: ({ url, referrer }) => (
        <>
          <Code>{url}</Code>
          {referrer && (
            <Text size="xs" c="dimmed" lineClamp={1}>
              {sprintf(__('Referrer: %s', 'pentad'), referrer)}
            </Text>
          )}
        </>
      ),
    },
    { title: __('Hits', 'pentad'), align: 'end', cell: ({ hits }) => formatNumber(hits) },
    { title: __('Last hit', 'pentad'), isMinor: true, isWhole: true, cell: ({ lastSeenAt }) => formatAgo(lastSeenAt) },
    {
      title: __('Suggestion', 'pentad'),
      cell: (entry) =>
        entry.suggestion === null ? (
          <Text size="sm" c="dimmed" span>
            {__('None', 'pentad')}
          </Text>
        ) : (
          <Button
            size="xs"
            variant="light"
            h="auto"
            mih={30}
            maw="100%"
            styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}
            onClick={() => redirect.mutate({ entry, target: entry.suggestion ?? '' })}
            aria-label={sprintf(__('Redirect to %2$s: %1$s', 'pentad'), entry.url, readable(entry.suggestion))}
          >
            {sprintf(__('Redirect to %s', 'pentad'), readable(entry.suggestion))}
          </Button>
        ),
    },
  ]
  const isEmpty = list.data?.total === 0
  return (
    <Page
      title={__('404 errors', 'pentad')}
      description={__('URLs that visitors requested but that do not exist, most requested first.', 'pentad')}
      actions={
        !isEmpty && (
          <Button variant="light" color="red" onClick={clearAll}>
            {__('Clear log', 'pentad')}
          </Button>
        )
      }
    >
      <Group>
        <SearchField label={__('Search URLs', 'pentad')} query={query} />
      </Group>
      <DataTable
        label={__('404 errors', 'pentad')}
        list={list}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        actions={(entry) => (
          <>
            <Button
              size="xs"
              variant="subtle"
              onClick={() => setEdited(entry)}
              aria-label={`${__('Redirect…', 'pentad')} ${entry.url}`}
            >
              {__('Redirect…', 'pentad')}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              onClick={() => ignore.mutate(entry)}
              aria-label={sprintf(__('Ignore %s', 'pentad'), entry.url)}
            >
              {__('Ignore', 'pentad')}
            </Button>
          </>
        )}
        empty={
          query.get('search') ? (
            <EmptyState title={__('No URLs found', 'pentad')}>{__('Try a different search.', 'pentad')}</EmptyState>
          ) : (
            <EmptyState title={__('No 404 errors', 'pentad')}>
              {__('URLs that visitors request but that do not exist appear here, ready to be redirected.', 'pentad')}
            </EmptyState>
          )
        }
      />
      <Modal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={sprintf(__('Redirect %s', 'pentad'), edited?.url ?? '')}
      >
        {edited && <RedirectEntry entry={edited} onDone={() => setEdited(undefined)} />}
      </Modal>
    </Page>
  )
}

function RedirectEntry({ entry, onDone }: { entry: MissingPage; onDone: () => void }) {
  const [target, setTarget] = useState(entry.suggestion ?? '')
  const redirect = useRedirecting(true)
  const fieldError = redirect.error instanceof ApiError ? redirect.error.params.target : undefined
  const send = (asked: Redirecting) => redirect.mutate(asked, { onSuccess: onDone })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send({ entry, target })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TargetField
          value={target}
          onChange={setTarget}
          error={fieldError ?? (redirect.error ? messageOf(redirect.error) : undefined)}
        />
        <Button type="submit" loading={redirect.isPending} disabled={target.trim() === ''}>
          {__('Create redirect', 'pentad')}
        </Button>
        <Button variant="subtle" onClick={() => send({ entry, target: '', status: 410 })}>
          {__('Mark as gone (410)', 'pentad')}
        </Button>
      </Stack>
    </form>
  )
}
