import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { ActionItems } from 'pentad/admin/parts/action-items.tsx'
import { Chart } from 'pentad/admin/parts/charts.tsx'
import { formatDate, formatNumber } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { ScoreRing } from 'pentad/admin/parts/score-ring.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { Stat, Stats } from 'pentad/admin/parts/stat.tsx'
import { Link } from 'react-router'
import { linkOf } from './item-link.ts'
import { type Daily, type Overview, SEO } from './routes.ts'

export default function SeoOverview() {
  const overview = useRead<Overview>(`${SEO}/overview`)
  return (
    <Page
      title={__('SEO', 'pentad')}
      description={__('How search engines and AI assistants find your site.', 'pentad')}
    >
      <Loaded query={overview} lines={8}>
        {({ scorePercent, actionItems, redirects, missingPages, crawls }) => (
          <Stack>
            <Section title={__('Score', 'pentad')}>
              <Group gap="md" align="flex-start">
                <ScoreRing percent={scorePercent} label={__('SEO score', 'pentad')} />
                <div style={{ flex: '1 1 18rem' }}>
                  {actionItems.length === 0 ? (
                    <Text>{__('Well done! There is nothing left to do.', 'pentad')}</Text>
                  ) : (
                    <ActionItems items={actionItems} linkOf={linkOf} />
                  )}
                </div>
              </Group>
            </Section>
            <Stats>
              <Stat
                label={__('Redirects', 'pentad')}
                value={formatNumber(redirects)}
                hint={redirects > 0 && <More to="/seo/redirects">{__('View redirects', 'pentad')}</More>}
              />
              <Stat
                label={__('404 errors', 'pentad')}
                value={formatNumber(missingPages)}
                hint={missingPages > 0 && <More to="/seo/missing-pages">{__('View 404 errors', 'pentad')}</More>}
              />
              <Stat
                label={sprintf(__('AI crawler visits in the last %d days', 'pentad'), crawls.length)}
                value={formatNumber(visitsOf(crawls))}
                hint={visitsOf(crawls) > 0 && <More to="/seo/crawlers">{__('View crawlers', 'pentad')}</More>}
              />
            </Stats>
            <Section title={__('AI crawler visits', 'pentad')}>
              <Chart
                kind="bar"
                label={__('AI crawler visits per day', 'pentad')}
                rows={crawls}
                x={{ title: __('Day', 'pentad'), value: ({ date }) => formatDate(date) }}
                series={[{ label: __('Visits', 'pentad'), color: 'grape.6', value: ({ hits }) => hits }]}
                format={formatNumber}
              />
            </Section>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

const visitsOf = (days: readonly Daily[]) => days.reduce((sum, { hits }) => sum + hits, 0)

function More({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} size="xs">
      {children}
    </Anchor>
  )
}
