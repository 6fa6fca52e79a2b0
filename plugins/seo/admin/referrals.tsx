import { Badge, Group, Table, Text } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { Chart } from 'pentad/admin/parts/charts.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatDate, formatNumber } from 'pentad/admin/parts/format.ts'
import { Licensed } from 'pentad/admin/parts/licensed.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { Stat, Stats } from 'pentad/admin/parts/stat.tsx'
import { PageLink } from './page-link.tsx'
import { type Referrals, SEO } from './routes.ts'

/** Assistants with key figures of their own. */
const SHOWN = 4

export default function SeoReferrals() {
  const referrals = useRead<Referrals>(`${SEO}/geo/referrals`, { days: 90 })
  return (
    <Page
      title={__('AI referrals', 'pentad')}
      description={__('Visitors who came from AI assistants, according to the referrer or utm_source.', 'pentad')}
    >
      <Licensed query={referrals} what={__('See which AI assistants send visitors, and to which pages.', 'pentad')}>
        {({ total, days, sources, pages, daily }) =>
          total === 0 ? (
            <EmptyState title={__('No AI referrals yet', 'pentad')}>
              {__('AI assistants cite pages that answer questions. Clear headings and llms.txt help.', 'pentad')}
            </EmptyState>
          ) : (
            <>
              <Stats>
                {sources.slice(0, SHOWN).map(({ name, visits }) => (
                  <Stat key={name} label={name} value={formatNumber(visits)} />
                ))}
              </Stats>
              <Section
                title={sprintf(
                  _n('%1$s visit in the last %2$s days', '%1$s visits in the last %2$s days', total, 'pentad'),
                  formatNumber(total),
                  formatNumber(days),
                )}
              >
                <Chart
                  label={__('Visits per day', 'pentad')}
                  rows={daily}
                  x={{ title: __('Day', 'pentad'), value: ({ date }) => formatDate(date) }}
                  series={[{ label: __('Visits', 'pentad'), color: 'teal.6', value: ({ visits }) => visits }]}
                  format={formatNumber}
                />
              </Section>
              <Section title={__('Landing pages', 'pentad')}>
                <Table aria-label={__('Landing pages', 'pentad')} verticalSpacing="xs">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{__('Page', 'pentad')}</Table.Th>
                      <Table.Th ta="end">{__('Visits', 'pentad')}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {pages.map((page) => (
                      <Table.Tr key={page.url}>
                        <Table.Td>
                          <PageLink url={page.url} size="sm" />
                          <Group gap={4} mt={4}>
                            {page.sources.map(({ name, visits }) => (
                              <Badge key={name} size="sm" variant="light">
                                {name}: {formatNumber(visits)}
                              </Badge>
                            ))}
                          </Group>
                        </Table.Td>
                        <Table.Td ta="end">
                          <Text size="sm">{formatNumber(page.visits)}</Text>
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Section>
            </>
          )
        }
      </Licensed>
    </Page>
  )
}
