import { Badge, Text } from '@mantine/core'
import { useList } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { DataTable } from 'pentad/admin/parts/data-table.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { FilterSelect } from 'pentad/admin/parts/filter-select.tsx'
import { formatTime } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import type { AuditItem } from './routes.ts'

const EVENTS: Readonly<Record<AuditItem['event'], string>> = {
  turn: __('Asked', 'pentad'),
  read: __('Read', 'pentad'),
  propose: __('Proposed', 'pentad'),
  apply: __('Applied', 'pentad'),
  discard: __('Discarded', 'pentad'),
}

/** Messages for error codes; errors of a tool are already in the summary. */
const ERRORS: Readonly<Record<string, string>> = {
  ai_no_provider: __('No provider is connected.', 'pentad'),
  ai_provider_auth: __('The provider rejected the API key.', 'pentad'),
  ai_provider_error: __('The provider returned an error.', 'pentad'),
  ai_content_refused: __('The provider declined to answer.', 'pentad'),
  ai_limit_reached: __('The token limit has been reached.', 'pentad'),
  rest_too_many_requests: __('Too many requests.', 'pentad'),
  change_stale: __('The content was changed in the meantime.', 'pentad'),
  change_settled: __('The change had already been applied or discarded.', 'pentad'),
  rest_forbidden: __('The user is not allowed to do this.', 'pentad'),
  internal_error: __('Something went wrong on the server.', 'pentad'),
}

/** The audit log: who had the copilot do what. */
export default function AuditLogScreen() {
  const query = useListQuery()
  const list = useList<AuditItem>('ai/v1/audit-log', { page: query.page, perPage: 25, event: query.get('event') })
  return (
    <Page
      title={__('Audit log', 'pentad')}
      description={__(
        'What the copilot read, proposed, and changed, and for which user. Entries are kept for one year.',
        'pentad',
      )}
      actions={
        <FilterSelect
          label={__('Filter by action', 'pentad')}
          all={__('All entries', 'pentad')}
          name="event"
          query={query}
          data={Object.entries(EVENTS).map(([value, label]) => ({ value, label }))}
        />
      }
    >
      <DataTable
        label={__('Audit log', 'pentad')}
        list={list}
        query={query}
        rowId={({ id }) => id}
        columns={[
          { title: __('Date', 'pentad'), isWhole: true, cell: ({ createdAt }) => formatTime(createdAt) },
          { title: __('Action', 'pentad'), cell: ({ event }) => EVENTS[event] },
          {
            title: __('Summary', 'pentad'),
            cell: ({ summary, ability }) => (
              <Text size="sm" lineClamp={2} title={ability}>
                {summary}
              </Text>
            ),
          },
          { title: __('User', 'pentad'), isWhole: true, cell: ({ userName, userId }) => userName ?? userId },
          {
            title: __('Outcome', 'pentad'),
            cell: ({ outcome }) => <Outcome outcome={outcome} />,
          },
        ]}
        empty={
          <EmptyState title={__('No entries yet', 'pentad')}>
            {__('Entries appear here after you ask the copilot something.', 'pentad')}
          </EmptyState>
        }
      />
    </Page>
  )
}

function Outcome({ outcome }: Pick<AuditItem, 'outcome'>) {
  if (outcome === 'ok') {
    return (
      <Badge variant="dot" color="teal">
        {__('Completed', 'pentad')}
      </Badge>
    )
  }
  const isStopped = outcome === 'cancelled'
  const errorMessage = ERRORS[outcome]
  return (
    <>
      <Badge variant="dot" color={isStopped ? 'gray' : 'red'} title={outcome}>
        {isStopped ? __('Canceled', 'pentad') : __('Failed', 'pentad')}
      </Badge>
      {errorMessage && (
        <Text size="xs" c="dimmed">
          {errorMessage}
        </Text>
      )}
    </>
  )
}
