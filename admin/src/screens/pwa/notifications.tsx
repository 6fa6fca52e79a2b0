import { Badge, Button, Progress, Text } from '@mantine/core'
import { __, sprintf } from '@wordpress/i18n'
import { useChange, useList } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { confirm } from '../../parts/confirm.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatNumber, formatTime } from '../../parts/format.ts'
import { useListQuery } from '../../parts/list-query.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Compose } from './compose.tsx'
import { isSending, type Sending, SUBSCRIBERS } from './routes.ts'

const PER_PAGE = 10
const LOOK_EVERY = 1000

const STATES: Readonly<Record<Sending['state'], { label: string; color: string }>> = {
  running: { label: __('on its way', 'pentad'), color: 'blue' },
  complete: { label: __('sent', 'pentad'), color: 'teal' },
  cancelled: { label: __('stopped', 'pentad'), color: 'gray' },
  failed: { label: __('failed', 'pentad'), color: 'red' },
}

const COLUMNS: readonly Column<Sending>[] = [
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
            {__('by itself', 'pentad')}
          </Badge>
        )}
        {audience === 'matching' && (
          <Badge size="xs" variant="light">
            {__('to some', 'pentad')}
          </Badge>
        )}
      </>
    ),
  },
  { title: __('When', 'pentad'), isWhole: true, cell: ({ sentAt }) => formatTime(sentAt) },
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
  { title: __('Failed', 'pentad'), align: 'end', cell: ({ failed }) => formatNumber(failed) },
  {
    title: __('Gone', 'pentad'),
    align: 'end',
    isMinor: true,
    cell: ({ removed }) => formatNumber(removed),
  },
]

export default function PwaNotifications() {
  const query = useListQuery()
  const sendings = useList<Sending>(
    `${SUBSCRIBERS}/sendings`,
    { page: query.page, perPage: PER_PAGE },
    { every: (answer) => (isSending(answer) ? LOOK_EVERY : false) },
  )
  const cancel = useChange(({ jobId }: Sending) => change('POST', `${SUBSCRIBERS}/cancel`, { jobId }), {
    invalidates: [`${SUBSCRIBERS}/sendings`],
    done: __('It is stopped. Who has it already keeps it.', 'pentad'),
  })

  async function stop(sending: Sending) {
    const isSure = await confirm({
      title: sprintf(__('Stop sending “%s”?', 'pentad'), sending.title),
      body: __('Who has it already keeps it; nobody else gets it.', 'pentad'),
      confirm: __('Stop it', 'pentad'),
      isDestructive: true,
    })
    if (isSure) cancel.mutate(sending)
  }

  return (
    <Page
      title={__('Notifications', 'pentad')}
      description={__('Tell those who have subscribed, also when the site is closed.', 'pentad')}
    >
      <Compose />
      <Section title={__('Sent in the last 30 days', 'pentad')}>
        <DataTable
          label={__('Sent notifications', 'pentad')}
          list={sendings}
          columns={COLUMNS}
          rowId={({ jobId }) => jobId}
          query={query}
          actions={(sending) =>
            sending.state === 'running' && (
              <Button
                size="xs"
                variant="subtle"
                color="red"
                onClick={() => stop(sending)}
                aria-label={sprintf(__('Stop “%s”', 'pentad'), sending.title)}
              >
                {__('Stop', 'pentad')}
              </Button>
            )
          }
          empty={
            <EmptyState title={__('Nothing was sent yet', 'pentad')}>
              {__('Write the first notification above.', 'pentad')}
            </EmptyState>
          }
        />
      </Section>
    </Page>
  )
}
