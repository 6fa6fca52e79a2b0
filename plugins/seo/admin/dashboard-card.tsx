import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { formatDate, formatNumber } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Trend } from 'pentad/admin/parts/trend.tsx'
import { Figure, ServiceCard } from 'pentad/admin/screens/dashboard/card.tsx'
import { Link } from 'react-router'
import type { Crawlers, Overview } from './routes.ts'

export function SeoCard() {
  return (
    <ServiceCard service="seo" title={__('SEO', 'pentad')} to="/seo">
      <Seo />
    </ServiceCard>
  )
}

function Seo() {
  const overview = useRead<Overview>('seo/v1/overview')
  const crawlers = useRead<Crawlers>('seo/v1/geo/crawlers')
  return (
    <Stack gap="sm">
      <Loaded query={overview} lines={2}>
        {({ scorePercent, redirects, missingPages }) => (
          <>
            <Figure value={formatNumber(scorePercent)} label={__('SEO score out of 100', 'pentad')} />
            <Group gap="md">
              <Anchor component={Link} to="/seo/missing-pages" size="sm">
                {sprintf(__('404 errors: %s', 'pentad'), formatNumber(missingPages))}
              </Anchor>
              <Anchor component={Link} to="/seo/redirects" size="sm">
                {sprintf(__('Redirects: %s', 'pentad'), formatNumber(redirects))}
              </Anchor>
            </Group>
          </>
        )}
      </Loaded>
      <Loaded query={crawlers}>
        {({ total, days, daily }) => (
          <div>
            <Text size="sm">
              {sprintf(
                _n(
                  '%1$s AI crawler visit in the last %2$s days',
                  '%1$s AI crawler visits in the last %2$s days',
                  total,
                  'pentad',
                ),
                formatNumber(total),
                formatNumber(days),
              )}
            </Text>
            {total > 0 && (
              <Trend
                label={__('AI crawler visits per day', 'pentad')}
                rows={daily}
                x={{ title: __('Day', 'pentad'), value: ({ date }) => formatDate(date) }}
                series={[{ label: __('Visits', 'pentad'), color: 'grape.6', value: ({ hits }) => hits }]}
                format={formatNumber}
              />
            )}
          </div>
        )}
      </Loaded>
    </Stack>
  )
}
