import { Badge, Button, Progress, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { invalidate, useChange, useList } from 'pentad/admin/api/query.ts'
import { change, type Listed } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { confirm } from 'pentad/admin/parts/confirm.tsx'
import { type Column, DataTable } from 'pentad/admin/parts/data-table.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatNumber, formatTime } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { useEffect, useRef } from 'react'
import { Compose } from './compose.tsx'
import { type Broadcast, isSending, SUBSCRIBERS } from './routes.ts'

const PER_PAGE = 10
const POLL_INTERVAL = 1000

const STATES: Readonly<Record<Broadcast['state'], { label: string; color: string }>> = {
  running: { label: __('Sending', 'pentad'), color: 'blue' },
  complete: { label: __('Sent', 'pentad'), color: 'teal' },
  cancelled: { label: __('Canceled', 'pentad'), color: 'gray' },
  failed: { label: __('Failed', 'pentad'), color: 'red' },
}

const COLUMNS: readonly Column<Broadcast>[] = [
  {
    title: __('Notification', 'pentad'),
    cell: ({ title, message, automatic, audience }) => (
      <>
        <Text size="sm" fw={600}>
          {title || __('(no title)', 'pentad')}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {message}
        </Text>
        {automatic && (
          <Badge size="xs" variant="light" me={4}>
            {__('Automatic', 'pentad')}
          </Badge>
        )}
        {audience === 'matching' && (
          <Badge size="xs" variant="light">
            {__('Filtered audience', 'pentad')}
          </Badge>
        )}
      </>
    ),
  },
  { title: __('Date', 'pentad'), isWhole: true, cell: ({ sentAt }) => formatTime(sentAt) },
  {
    title: __('Status', 'pentad'),
    cell: ({ state, percent }) => (
      <>
        <Badge size="sm" variant="light" color={STATES[state].color}>
          {STATES[state].label}
        </Badge>
        {state === 'running' && (
          <Progress mt={4} value={percent} animated aria-label={sprintf(__('%d percent sent', 'pentad'), percent)} />
        )}
      </>
    ),
  },
  {
    title: __('Sent', 'pentad'),
    align: 'end',
    cell: ({ sent, total }) => sprintf(__('%1$s of %2$s', 'pentad'), formatNumber(sent), formatNumber(total)),
  },
  {
    title: __('Failed', 'pentad'),
    align: 'end',
    // Includes subscribers that have unsubscribed.
    cell: ({ failed, removed }) =>
      removed === 0
        ? formatNumber(failed)
        : sprintf(__('%1$s (%2$s unsubscribed)', 'pentad'), formatNumber(failed), formatNumber(removed)),
  },
]

export default function PwaNotifications() {
  const query = useListQuery()
  const broadcasts = useList<Broadcast>(
    `${SUBSCRIBERS}/notifications`,
    { page: query.page, perPage: PER_PAGE },
    { every: (data) => (isSending(data) ? POLL_INTERVAL : false) },
  )
  useCountsAfter(broadcasts.data)
  const cancel = useChange(({ jobId }: Broadcast) => change('POST', `${SUBSCRIBERS}/cancel`, { jobId }), {
    invalidates: [`${SUBSCRIBERS}/notifications`],
    done: __('Sending stopped. Delivered notifications can’t be recalled.', 'pentad'),
  })

  async function stop(broadcast: Broadcast) {
    const isSure = await confirm({
      title: sprintf(__('Stop sending “%s”?', 'pentad'), broadcast.title),
      body: __('Notifications that were delivered can’t be recalled. No more will be sent.', 'pentad'),
      confirm: __('Stop sending', 'pentad'),
      isDestructive: true,
    })
    if (isSure) cancel.mutate(broadcast)
  }

  const stopButton = (broadcast: Broadcast) =>
    broadcast.state === 'running' && (
      <Button
        size="xs"
        variant="subtle"
        color="red"
        onClick={() => stop(broadcast)}
        aria-label={sprintf(__('Stop “%s”', 'pentad'), broadcast.title)}
      >
        {__('Stop', 'pentad')}
      </Button>
    )

  return (
    <Page
      title={__('Notifications', 'pentad')}
      description={__('Send push notifications to your subscribers, even when they are not on the site.', 'pentad')}
    >
      <Compose />
      <Section title={__('Sent in the last 30 days', 'pentad')}>
        <DataTable
          label={__('Sent notifications', 'pentad')}
          list={broadcasts}
          columns={COLUMNS}
          rowId={({ jobId }) => jobId}
          query={query}
          {...(isSending(broadcasts.data) && { actions: stopButton })}
          empty={
            <EmptyState title={__('No notifications yet', 'pentad')}>
              {__('Send the first notification with the form above.', 'pentad')}
            </EmptyState>
          }
        />
      </Section>
    </Page>
  )
}

/** Sending detects unsubscribed browsers, so subscribers are counted again after it has ended. */
function useCountsAfter(broadcasts: Listed<Broadcast> | undefined): void {
  const client = useQueryClient()
  const ended = broadcasts?.items
    .filter(({ state }) => state !== 'running')
    .map(({ jobId }) => jobId)
    .join()
  const before = useRef(ended)
  useEffect(() => {
    if (before.current !== undefined && before.current !== ended) {
      void invalidate(client, [`${SUBSCRIBERS}/fetch`, `${SUBSCRIBERS}/summary`])
    }
    before.current = ended
  }, [client, ended])
}
