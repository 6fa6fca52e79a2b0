import { Anchor, Progress, Stack, Text } from '@mantine/core'
import { useList, useRead } from 'pentad/admin/api/query.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { formatDate, formatNumber, formatShort } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Trend } from 'pentad/admin/parts/trend.tsx'
import { Figure, ServiceCard } from 'pentad/admin/screens/dashboard/card.tsx'
import { Link } from 'react-router'
import type { Providers, Usage } from './routes.ts'

export function AiCard() {
  return (
    <ServiceCard service="ai" title={__('AI', 'pentad')} to="/ai">
      <Ai />
    </ServiceCard>
  )
}

function Ai() {
  const providers = useRead<Providers>('ai/v1/providers')
  return (
    <Loaded query={providers}>
      {({ choices }) =>
        choices.text ? (
          <Used />
        ) : (
          <Text size="sm">
            {__('No AI provider is connected yet.', 'pentad')}{' '}
            <Anchor component={Link} to="/ai" size="sm">
              {__('Connect a provider', 'pentad')}
            </Anchor>
          </Text>
        )
      }
    </Loaded>
  )
}

function Used() {
  const usage = useRead<Usage>('ai/v1/usage', { days: 30 })
  const waiting = useList('ai/v1/changes', { status: 'proposed', perPage: 1 })
  const proposed = waiting.data?.total ?? 0
  return (
    <Stack gap="sm">
      <Loaded query={usage}>
        {({ users, limit, days }) => {
          const used = users.reduce((sum, user) => sum + user.inputTokens + user.outputTokens, 0)
          return (
            <>
              <Figure
                value={formatShort(used)}
                label={
                  limit === 0
                    ? __('tokens this month (no limit)', 'pentad')
                    : sprintf(__('of %s tokens this month', 'pentad'), formatShort(limit))
                }
              />
              {limit > 0 && (
                <Progress
                  value={(100 * used) / limit}
                  color={used >= limit * 0.8 ? 'red' : 'pentad'}
                  aria-label={__('Monthly limit used', 'pentad')}
                />
              )}
              {used > 0 && (
                <Trend
                  kind="bars"
                  label={__('Tokens per day', 'pentad')}
                  rows={days}
                  x={{ title: __('Day', 'pentad'), value: ({ day }) => formatDate(day) }}
                  series={[
                    {
                      label: __('Tokens', 'pentad'),
                      color: 'violet.5',
                      value: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
                    },
                  ]}
                  format={formatNumber}
                />
              )}
            </>
          )
        }}
      </Loaded>
      {proposed > 0 && (
        <Text size="sm">
          {sprintf(
            _n('%s proposed change to review.', '%s proposed changes to review.', proposed, 'pentad'),
            formatNumber(proposed),
          )}{' '}
          <Anchor component={Link} to="/ai/changes" size="sm">
            {_n('Review change', 'Review changes', proposed, 'pentad')}
          </Anchor>
        </Text>
      )}
    </Stack>
  )
}
