import { Progress, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { Chart } from 'pentad/admin/parts/charts.tsx'
import { DaysSelect, daysOf } from 'pentad/admin/parts/days-select.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatDate, formatNumber, formatPercent, formatShort } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { monthName } from 'pentad/admin/parts/months.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { Stat, Stats } from 'pentad/admin/parts/stat.tsx'
import { SettingsForm } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { nameOfPurpose } from './purposes.ts'
import type { Usage } from './routes.ts'

/** Token usage per day, and its limits. */
export default function UsageScreen() {
  const query = useListQuery()
  const usage = useRead<Usage>('ai/v1/usage', { days: daysOf(query) })
  const draft = useSettings('ai')
  return (
    <Page
      title={__('Usage', 'pentad')}
      description={__('Providers charge per token. Days and months are in UTC.', 'pentad')}
      actions={<DaysSelect query={query} />}
    >
      <Loaded query={usage} lines={8}>
        {(data) => <Used usage={data} />}
      </Loaded>
      <SettingsForm
        draft={draft}
        groups={[{ title: __('Limits', 'pentad'), keys: ['dailyTokenLimit', 'monthlyTokenLimit'] }]}
      />
    </Page>
  )
}

const total = ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) =>
  inputTokens + outputTokens

function Used({ usage: { month, limit, users, days, purposes } }: { usage: Usage }) {
  const used = users.reduce((sum, user) => sum + total(user), 0)
  const visitors = users.find(({ userId }) => userId === 0)
  const inSpan = days.reduce((sum, day) => sum + total(day), 0)
  return (
    <Stack gap="md">
      <Stats>
        <Stat
          label={sprintf(__('Tokens in %s', 'pentad'), monthName(month))}
          value={formatNumber(used)}
          hint={limit === 0 ? __('no limit', 'pentad') : sprintf(__('of %s', 'pentad'), formatNumber(limit))}
        />
        <Stat
          label={__('Requests this month', 'pentad')}
          value={formatNumber(users.reduce((sum, { calls }) => sum + calls, 0))}
        />
        <Stat label={__('Visitor tokens this month', 'pentad')} value={formatNumber(visitors ? total(visitors) : 0)} />
        <Stat label={__('Tokens in this period', 'pentad')} value={formatNumber(inSpan)} />
      </Stats>
      {limit > 0 && (
        <Section title={__('Monthly limit', 'pentad')}>
          <Progress
            value={Math.min(100, (100 * used) / limit)}
            color={used >= limit * 0.8 ? 'red' : 'pentad'}
            size="lg"
            aria-label={__('Monthly limit used', 'pentad')}
          />
          <Text size="sm">
            {sprintf(
              __('%1$s of this month’s tokens used. Visitors can use up to half of the limit.', 'pentad'),
              formatPercent(used / limit),
            )}
          </Text>
        </Section>
      )}
      {inSpan === 0 ? (
        <EmptyState title={__('No usage in this period', 'pentad')}>
          {__('Ask the copilot something, or use the AI writing tools in the editor.', 'pentad')}
        </EmptyState>
      ) : (
        <>
          <Section title={__('Tokens per day', 'pentad')}>
            <Chart
              kind="bar"
              isStacked
              label={__('Tokens per day', 'pentad')}
              rows={days}
              x={{ title: __('Day', 'pentad'), value: ({ day }) => formatDate(day) }}
              series={[
                { label: __('Input tokens', 'pentad'), color: 'pentad.6', value: ({ inputTokens }) => inputTokens },
                { label: __('Output tokens', 'pentad'), color: 'teal.6', value: ({ outputTokens }) => outputTokens },
              ]}
              format={formatShort}
            />
          </Section>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Shares
              title={__('By feature', 'pentad')}
              rows={purposes.map(({ operation, ...rest }) => ({ name: nameOfPurpose(operation), ...rest }))}
            />
            <Shares
              title={__('By user, this month', 'pentad')}
              rows={users.map(({ userId, name, ...rest }) => ({
                name:
                  userId === 0
                    ? __('Visitors', 'pentad')
                    : (name ?? sprintf(__('User %d (deleted)', 'pentad'), userId)),
                ...rest,
              }))}
            />
          </SimpleGrid>
        </>
      )}
    </Stack>
  )
}

interface SharesProps {
  readonly title: string
  readonly rows: readonly { name: string; calls: number; inputTokens: number; outputTokens: number }[]
}

function Shares({ title, rows }: SharesProps) {
  return (
    <Section title={title}>
      <Table aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{__('Name', 'pentad')}</Table.Th>
            <Table.Th ta="end">{__('Requests', 'pentad')}</Table.Th>
            <Table.Th ta="end">{__('Tokens', 'pentad')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...rows]
            .sort((one, other) => total(other) - total(one))
            .map((row) => (
              <Table.Tr key={row.name}>
                <Table.Th scope="row" fw={400}>
                  {row.name}
                </Table.Th>
                <Table.Td ta="end">{formatNumber(row.calls)}</Table.Td>
                <Table.Td ta="end">{formatNumber(total(row))}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}
