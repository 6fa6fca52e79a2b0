import { Badge, Button, Group, List, Spoiler, Table, Text } from '@mantine/core'
import { useChange, useRead } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { Chart } from 'pentad/admin/parts/charts.tsx'
import { confirm } from 'pentad/admin/parts/confirm.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatAgo, formatDate, formatNumber } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { SettingsForm } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { BlockedCrawlers } from './blocked-crawlers.tsx'
import { PageLink } from './page-link.tsx'
import { type Crawler, type Crawlers, SEO } from './routes.ts'

const PURPOSES: Readonly<Record<Crawler['purpose'], { label: string; color: string }>> = {
  training: { label: __('Training', 'pentad'), color: 'red' },
  search: { label: __('Search', 'pentad'), color: 'blue' },
  user: { label: __('User request', 'pentad'), color: 'teal' },
}

const GROUPS = [
  {
    title: __('Crawler access', 'pentad'),
    description: __(
      'robots.txt asks blocked crawlers to stay away. It is up to crawlers to honor this request.',
      'pentad',
    ),
    keys: ['blockAiTraining', 'blockedCrawlers', 'crawlerTracking', 'referralTracking'],
  },
]

export default function SeoCrawlers() {
  const crawlers = useRead<Crawlers>(`${SEO}/geo/crawlers`)
  const draft = useSettings('seo')
  const clear = useChange(() => change('POST', `${SEO}/geo/clear`), {
    invalidates: [`${SEO}/geo`, `${SEO}/overview`],
    done: __('Crawler and referral data deleted.', 'pentad'),
  })

  async function clearAll() {
    const isSure = await confirm({
      title: __('Delete crawler and referral data?', 'pentad'),
      body: __('All crawler counts and AI referrals, for all dates, will be deleted. This can’t be undone.', 'pentad'),
      confirm: __('Delete data', 'pentad'),
      isDestructive: true,
    })
    if (isSure) clear.mutate()
  }

  return (
    <Page
      title={__('AI crawlers', 'pentad')}
      description={__(
        'Visits from AI services that crawl pages for training, for search, or at a user’s request.',
        'pentad',
      )}
      actions={
        <Button variant="light" color="red" onClick={clearAll}>
          {__('Delete data', 'pentad')}
        </Button>
      }
    >
      <Loaded query={crawlers} lines={6}>
        {({ total, days, daily, crawlers: found }) =>
          total === 0 ? (
            <EmptyState title={__('No crawler visits yet', 'pentad')}>
              {__(
                'It can take a few days for crawlers to find a site. Requests that a CDN serves from its own cache are not counted.',
                'pentad',
              )}
            </EmptyState>
          ) : (
            <>
              <Section
                title={sprintf(
                  _n('%1$s visit in the last %2$s days', '%1$s visits in the last %2$s days', total, 'pentad'),
                  formatNumber(total),
                  formatNumber(days),
                )}
              >
                <Chart
                  kind="bar"
                  label={__('AI crawler visits per day', 'pentad')}
                  rows={daily}
                  x={{ title: __('Day', 'pentad'), value: ({ date }) => formatDate(date) }}
                  series={[{ label: __('Visits', 'pentad'), color: 'grape.6', value: ({ hits }) => hits }]}
                  format={formatNumber}
                />
              </Section>
              <Section title={__('Crawlers', 'pentad')}>
                <Found crawlers={found} />
              </Section>
            </>
          )
        }
      </Loaded>
      <SettingsForm
        draft={draft}
        groups={GROUPS}
        fields={{ blockedCrawlers: (now) => <BlockedCrawlers draft={now} /> }}
      />
    </Page>
  )
}

function Found({ crawlers }: { crawlers: readonly Crawler[] }) {
  return (
    <Table.ScrollContainer minWidth={560} scrollAreaProps={{ type: 'auto' }}>
      <Table aria-label={__('AI crawlers', 'pentad')} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{__('Crawler', 'pentad')}</Table.Th>
            <Table.Th>{__('Purpose', 'pentad')}</Table.Th>
            <Table.Th ta="end">{__('Visits', 'pentad')}</Table.Th>
            <Table.Th>{__('Last visit', 'pentad')}</Table.Th>
            <Table.Th>{__('Pages', 'pentad')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {crawlers.map(({ name, vendor, purpose, hits, lastSeenAt, pages, verified, spoofed = 0 }) => (
            <Table.Tr key={`${name} ${verified}`}>
              <Table.Td>
                <Group gap="xs">
                  <Text size="sm" fw={600}>
                    {name}
                  </Text>
                  {verified === true && (
                    <Badge size="sm" color="teal" variant="light">
                      {__('Verified', 'pentad')}
                    </Badge>
                  )}
                  {spoofed > 0 && (
                    <Badge size="sm" color="red" variant="light">
                      {sprintf(__('%s spoofed', 'pentad'), formatNumber(spoofed))}
                    </Badge>
                  )}
                </Group>
                <Text size="xs" c="dimmed">
                  {vendor}
                </Text>
              </Table.Td>
              <Table.Td>
                <Badge size="sm" variant="light" color={PURPOSES[purpose].color}>
                  {PURPOSES[purpose].label}
                </Badge>
              </Table.Td>
              <Table.Td ta="end">{formatNumber(hits)}</Table.Td>
              <Table.Td>{formatAgo(lastSeenAt)}</Table.Td>
              <Table.Td>
                <Spoiler maxHeight={44} showLabel={__('Show all', 'pentad')} hideLabel={__('Show less', 'pentad')}>
                  <List size="xs" listStyleType="none">
                    {pages.map((page) => (
                      <List.Item key={page.url}>
                        {formatNumber(page.hits)} × <PageLink url={page.url} />
                      </List.Item>
                    ))}
                  </List>
                </Spoiler>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
