import { Stack, Text } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { formatDate, formatNumber } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Trend } from 'pentad/admin/parts/trend.tsx'
import { Figure, ServiceCard } from 'pentad/admin/screens/dashboard/card.tsx'
import type { Analytics, Score } from './routes.ts'

const DAYS = 30
const RESULTS = {
  Excellent: __('Excellent', 'pentad'),
  Good: __('Good', 'pentad'),
  Average: __('Fair', 'pentad'),
  Bad: __('Poor', 'pentad'),
}

export function PwaCard() {
  return (
    <ServiceCard service="pwa" title={__('PWA', 'pentad')} to="/pwa">
      <Pwa />
    </ServiceCard>
  )
}

function Pwa() {
  const score = useRead<Score>('pwa/v1/pwa-score/fetch')
  const users = useRead<Analytics>('pwa/v1/pwa-users/fetch', { days: DAYS })
  return (
    <Stack gap="sm">
      <Loaded query={score} lines={1}>
        {({ scorePercent, scoreResult }) => (
          <Figure
            value={formatNumber(scorePercent)}
            label={sprintf(__('PWA score out of 100: %s', 'pentad'), RESULTS[scoreResult])}
          />
        )}
      </Loaded>
      <Loaded query={users}>
        {({ installations, activeUsers }) => {
          const installed = installations.reduce((sum, { count }) => sum + count, 0)
          return (
            <div>
              <Text size="sm">
                {sprintf(
                  _n('%1$s install in the last %2$s days', '%1$s installs in the last %2$s days', installed, 'pentad'),
                  formatNumber(installed),
                  formatNumber(DAYS),
                )}
                {' · '}
                {sprintf(_n('%s active user', '%s active users', activeUsers, 'pentad'), formatNumber(activeUsers))}
              </Text>
              {installed > 0 && (
                <Trend
                  label={__('Installs per day', 'pentad')}
                  rows={installations}
                  x={{ title: __('Day', 'pentad'), value: ({ date }) => formatDate(date) }}
                  series={[{ label: __('Installs', 'pentad'), color: 'indigo.5', value: ({ count }) => count }]}
                  format={formatNumber}
                />
              )}
            </div>
          )
        }}
      </Loaded>
    </Stack>
  )
}
