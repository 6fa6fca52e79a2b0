import { Button, Group } from '@mantine/core'
import { useChange, useList, useRead } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { Chart } from 'pentad/admin/parts/charts.tsx'
import { confirmDelete } from 'pentad/admin/parts/confirm.tsx'
import { type Column, DataTable } from 'pentad/admin/parts/data-table.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatDate, formatNumber, formatTime } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { SearchField } from 'pentad/admin/parts/search-field.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { Link } from 'react-router'
import { AudienceFields } from './audience-fields.tsx'
import { countryName } from './country.ts'
import { type Audience, PWA, SUBSCRIBERS, type Subscriber, type SubscriberSummary } from './routes.ts'

const PER_PAGE = 50

const COLUMNS: readonly Column<Subscriber>[] = [
  { title: __('Browser', 'pentad'), cell: ({ browser }) => browser || '–' },
  { title: __('Operating system', 'pentad'), cell: ({ operatingSystem }) => operatingSystem || '–' },
  { title: __('Device', 'pentad'), cell: ({ device }) => device || '–' },
  { title: __('Country', 'pentad'), cell: ({ country }) => countryName(country) || '–' },
  {
    title: __('User', 'pentad'),
    isMinor: true,
    cell: ({ userId }) => (userId === null ? __('Visitor', 'pentad') : `#${userId}`),
  },
  { title: __('Subscribed', 'pentad'), isWhole: true, cell: ({ date }) => formatTime(date) },
]

const KEYS = ['device', 'operatingSystem', 'browser', 'country'] as const

export default function PwaSubscribers() {
  const query = useListQuery()
  const audience: Audience = Object.fromEntries(KEYS.map((key) => [key, query.get(key) || undefined]))
  const search = query.get('search')
  const summary = useRead<SubscriberSummary>(`${SUBSCRIBERS}/summary`, { days: 30 })
  const list = useList<Subscriber>(`${SUBSCRIBERS}/fetch`, {
    page: query.page,
    perPage: PER_PAGE,
    search,
    ...audience,
  })
  const remove = useChange(({ id }: Subscriber) => change('DELETE', `${PWA}/push-subscription/remove`, { id }), {
    invalidates: [SUBSCRIBERS],
    done: __('Subscriber deleted.', 'pentad'),
  })

  async function removeOne(subscriber: Subscriber) {
    const isSure = await confirmDelete(
      nameOf(subscriber),
      __('This browser will not receive any more notifications. It can subscribe again.', 'pentad'),
    )
    if (isSure) remove.mutate(subscriber)
  }

  const isFiltered = search !== '' || KEYS.some((key) => audience[key] !== undefined)
  return (
    <Page
      title={__('Subscribers', 'pentad')}
      description={__(
        'Browsers that are subscribed to push notifications. Their push endpoints are never shown.',
        'pentad',
      )}
    >
      <Loaded query={summary}>
        {(found) =>
          found.total > 0 && (
            <Section title={sprintf(__('New in the last %d days', 'pentad'), found.daily.length)}>
              <Chart
                kind="bar"
                height={160}
                label={__('New subscribers per day', 'pentad')}
                rows={found.daily}
                x={{ title: __('Day', 'pentad'), value: ({ date }) => formatDate(date) }}
                series={[{ label: __('Subscribers', 'pentad'), color: 'indigo.6', value: ({ count }) => count }]}
                format={formatNumber}
              />
            </Section>
          )
        }
      </Loaded>
      <Group>
        <SearchField label={__('Search subscribers', 'pentad')} query={query} />
      </Group>
      {summary.data && (
        <AudienceFields
          summary={summary.data}
          value={audience}
          onChange={(next) => query.set(Object.fromEntries(KEYS.map((key) => [key, next[key] ?? ''])))}
        />
      )}
      <DataTable
        label={__('Subscribers', 'pentad')}
        list={list}
        columns={COLUMNS}
        rowId={({ id }) => id}
        query={query}
        actions={(subscriber) => (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            onClick={() => removeOne(subscriber)}
            aria-label={sprintf(__('Delete subscriber %d', 'pentad'), subscriber.id)}
          >
            {__('Delete', 'pentad')}
          </Button>
        )}
        empty={
          isFiltered ? (
            <EmptyState title={__('No subscribers found', 'pentad')}>
              {__('Try a different search, or clear the filters.', 'pentad')}
            </EmptyState>
          ) : (
            <EmptyState
              title={__('No subscribers yet', 'pentad')}
              action={
                <Button component={Link} to="/pwa/settings" variant="default">
                  {__('Set up the notification prompt', 'pentad')}
                </Button>
              }
            >
              {__(
                'Visitors subscribe with the bell button on every page or through the notification prompt.',
                'pentad',
              )}
            </EmptyState>
          )
        }
      />
    </Page>
  )
}

const nameOf = ({ browser, operatingSystem, id }: Subscriber) =>
  sprintf(__('%1$s on %2$s (#%3$d)', 'pentad'), browser || '?', operatingSystem || '?', id)
