import { Group, Stack, Text } from '@mantine/core'
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
import { linkOf } from './item-link.ts'
import { type Analytics, PWA, SCORE, type Score, SUBSCRIBERS, type SubscriberSummary } from './routes.ts'

const DAYS = 30

const RESULTS: Readonly<Record<Score['scoreResult'], string>> = {
  Excellent: __('Excellent: the app is fully set up.', 'pentad'),
  Good: __('Good: most of the setup is complete.', 'pentad'),
  Average: __('Fair: setup is incomplete.', 'pentad'),
  Bad: __('Poor: browsers do not offer to install the app.', 'pentad'),
}

export default function PwaOverview() {
  const score = useRead<Score>(SCORE)
  const users = useRead<Analytics>(`${PWA}/pwa-users/fetch`, { days: DAYS })
  const subscribers = useRead<SubscriberSummary>(`${SUBSCRIBERS}/summary`, { days: DAYS })
  return (
    <Page
      title={__('PWA', 'pentad')}
      description={__(
        'Let visitors install the site as an app, with offline support and push notifications.',
        'pentad',
      )}
    >
      <Loaded query={score} lines={6}>
        {({ scorePercent, scoreResult, actionItems }) => (
          <Section title={__('Score', 'pentad')} description={RESULTS[scoreResult]}>
            <Group gap="md" align="flex-start">
              <ScoreRing percent={scorePercent} label={__('PWA score', 'pentad')} good={50} fair={25} />
              <div style={{ flex: '1 1 18rem' }}>
                {actionItems === undefined ? (
                  <Text size="sm" c="dimmed">
                    {__('Get recommendations with a Pro license.', 'pentad')}
                  </Text>
                ) : actionItems.length === 0 ? (
                  <Text>{__('Well done! There is nothing left to do.', 'pentad')}</Text>
                ) : (
                  <ActionItems items={actionItems} linkOf={linkOf} />
                )}
              </div>
            </Group>
          </Section>
        )}
      </Loaded>
      <Loaded query={users} lines={4}>
        {({ installations, activeUsers, totalUsers }) => (
          <Stack>
            <Stats>
              <Stat
                label={sprintf(__('Installs in the last %d days', 'pentad'), DAYS)}
                value={formatNumber(installations.reduce((sum, { count }) => sum + count, 0))}
              />
              <Stat
                label={sprintf(__('Active users in the last %d days', 'pentad'), DAYS)}
                value={formatNumber(activeUsers)}
              />
              <Stat label={__('Total users', 'pentad')} value={formatNumber(totalUsers)} />
              <Stat
                label={__('Subscribers', 'pentad')}
                value={subscribers.data ? formatNumber(subscribers.data.total) : '…'}
              />
            </Stats>
            <Section title={__('Installs per day', 'pentad')}>
              <Chart
                label={__('Installs per day', 'pentad')}
                rows={installations}
                x={{ title: __('Day', 'pentad'), value: ({ date }) => formatDate(date) }}
                series={[{ label: __('Installs', 'pentad'), color: 'indigo.6', value: ({ count }) => count }]}
                format={formatNumber}
              />
            </Section>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}
