import { Button, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { Chart } from 'pentad/admin/parts/charts.tsx'
import { DaysSelect, daysOf } from 'pentad/admin/parts/days-select.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatDate, formatNumber, formatPercent } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { Stat, Stats } from 'pentad/admin/parts/stat.tsx'
import { Link } from 'react-router'
import { countryName } from './country.ts'
import { type Analytics, PWA } from './routes.ts'

/** Number of names shown per category. */
const SHOWN = 8

const MODES: Readonly<Record<string, string | undefined>> = {
  standalone: __('Standalone', 'pentad'),
  'minimal-ui': __('Minimal UI', 'pentad'),
  fullscreen: __('Fullscreen', 'pentad'),
  'window-controls-overlay': __('Window controls overlay', 'pentad'),
  tabbed: __('Tabbed', 'pentad'),
  'picture-in-picture': __('Picture-in-picture', 'pentad'),
  // Browsers report an installation while the site is still open in a tab.
  browser: __('Installed, in a browser tab', 'pentad'),
  Unknown: __('Unknown', 'pentad'),
}

export default function PwaAnalytics() {
  const query = useListQuery()
  const analytics = useRead<Analytics>(`${PWA}/pwa-users/fetch`, { days: daysOf(query) })
  return (
    <Page
      title={__('App analytics', 'pentad')}
      description={__('Installs and app users, counted without storing IP addresses.', 'pentad')}
      actions={<DaysSelect query={query} />}
    >
      <Loaded query={analytics} lines={8}>
        {(found) =>
          found.totalUsers === 0 ? (
            <EmptyState
              title={__('No app users yet', 'pentad')}
              action={
                <Button component={Link} to="/pwa" variant="default">
                  {__('View recommendations', 'pentad')}
                </Button>
              }
            >
              {__('Users are counted here once they install or open the app.', 'pentad')}
            </EmptyState>
          ) : (
            <Found found={found} />
          )
        }
      </Loaded>
    </Page>
  )
}

function Found({ found }: { found: Analytics }) {
  const { installations, activeUsers, totalUsers, browsers, operatingSystems, devices, countries, displayModes } = found
  return (
    <Stack>
      <Stats>
        <Stat
          label={__('Installs', 'pentad')}
          value={formatNumber(installations.reduce((sum, { count }) => sum + count, 0))}
        />
        <Stat label={__('Active users', 'pentad')} value={formatNumber(activeUsers)} />
        <Stat label={__('Total users', 'pentad')} value={formatNumber(totalUsers)} />
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
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        <Shares title={__('Display mode', 'pentad')} shares={displayModes} nameOf={(mode) => MODES[mode] ?? mode} />
        <Shares title={__('Browsers', 'pentad')} shares={browsers} />
        <Shares title={__('Operating systems', 'pentad')} shares={operatingSystems} />
        <Shares title={__('Devices', 'pentad')} shares={devices} />
        <Shares title={__('Countries', 'pentad')} shares={countries} nameOf={countryName} />
      </SimpleGrid>
    </Stack>
  )
}

interface SharesProps {
  readonly title: string
  readonly shares: Analytics['browsers']
  /** Label of a name. */
  readonly nameOf?: (name: string) => string
}

/** The shares of active users. */
function Shares({ title, shares, nameOf = (name) => name }: SharesProps) {
  return (
    <Section title={title}>
      {shares.length === 0 && (
        <Text size="sm" c="dimmed">
          {__('No data for this period.', 'pentad')}
        </Text>
      )}
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {shares.slice(0, SHOWN).map(({ name, active, percentage }) => {
          const label = nameOf(name)
          return (
            <li key={name}>
              <Text size="sm">
                {label}: {formatNumber(active)} ({formatPercent(percentage / 100)})
              </Text>
              <Progress value={percentage} aria-label={label} />
            </li>
          )
        })}
      </Stack>
    </Section>
  )
}
