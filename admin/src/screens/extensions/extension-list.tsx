import { Anchor, Badge, Button, Code, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useRead } from '../../api/query.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { can } from '../../page-data.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { type ListQuery, useListQuery } from '../../parts/list-query.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { StateBadge, StateButtons, StateReason } from './extension-state.tsx'
import { ExtensionUpdates, VulnerableExtensions } from './extension-updates.tsx'
import { SandboxBadge } from './sandbox.tsx'
import { useSwitchExtension, useToldAfterReload } from './switch-extension.ts'
import { EXTENSIONS, type ExtensionReport } from './types.ts'

/** Lists the services and extensions of the site. */
export default function ExtensionList() {
  useToldAfterReload()
  const query = useListQuery()
  const extensions = useRead<readonly ExtensionReport[]>(EXTENSIONS)
  return (
    <Page
      title={__('Extensions', 'pentad')}
      description={__('Activate or deactivate services and extensions at any time. No restart is needed.', 'pentad')}
      actions={
        can('install_plugins') && (
          <Button component={Link} to="/extensions/add">
            {__('Add extension', 'pentad')}
          </Button>
        )
      }
    >
      {can('update_plugins') && <VulnerableExtensions />}
      {can('update_plugins') && <ExtensionUpdates />}
      <Group>
        <SegmentedControl
          aria-label={__('Filter by status', 'pentad')}
          value={query.get('state') || 'all'}
          onChange={(state) => query.set({ state: state === 'all' ? '' : state })}
          data={[
            { value: 'all', label: __('All', 'pentad') },
            { value: 'active', label: __('Active', 'pentad') },
            { value: 'inactive', label: __('Inactive', 'pentad') },
            { value: 'paused', label: __('Paused', 'pentad') },
          ]}
        />
        <SearchField label={__('Search extensions', 'pentad')} query={query} />
      </Group>
      <Loaded query={extensions} lines={8}>
        {(all) => <Groups extensions={all.filter((one) => isMeant(one, query)).toSorted(byName)} query={query} />}
      </Loaded>
    </Page>
  )
}

const byName = (one: ExtensionReport, other: ExtensionReport) => one.name.localeCompare(other.name)

function isMeant({ id, name, description, state }: ExtensionReport, query: ListQuery): boolean {
  const wanted = query.get('state')
  const text = query.get('search').toLowerCase()
  return (wanted === '' || state === wanted) && [id, name, description].some((one) => one.toLowerCase().includes(text))
}

function Groups({ extensions, query }: { extensions: readonly ExtensionReport[]; query: ListQuery }) {
  const { run, busy } = useSwitchExtension()
  if (extensions.length === 0) return <Nothing isFiltered={query.get('search') !== '' || query.get('state') !== ''} />
  const groups = [
    { title: __('Extensions', 'pentad'), members: extensions.filter(({ isService }) => !isService) },
    { title: __('Services', 'pentad'), members: extensions.filter(({ isService }) => isService) },
  ]
  return groups.map(({ title, members }) =>
    members.length === 0 ? null : (
      <Stack key={title} gap="xs" component="section" aria-label={title}>
        <Title order={2}>{title}</Title>
        {members.map((extension) => (
          <Paper key={extension.id} withBorder p="md" data-extension={extension.id}>
            <Stack gap="xs">
              <Group justify="space-between" align="flex-start">
                <div>
                  <Group gap="xs">
                    <Anchor component={Link} to={`/extensions/${extension.id}`} fw={600}>
                      {extension.name}
                    </Anchor>
                    <Text size="sm" c="dimmed">
                      {extension.version}
                    </Text>
                    <StateBadge extension={extension} />
                    <SandboxBadge extension={extension} />
                    {extension.pro && <Badge variant="outline">{__('License required', 'pentad')}</Badge>}
                  </Group>
                  <Text size="sm">{extension.description}</Text>
                </div>
                <StateButtons
                  extension={extension}
                  isBusy={busy === extension.id}
                  onRun={(...what) => void run(...what)}
                />
              </Group>
              <StateReason extension={extension} />
              {extension.state === 'active' && <Registered extension={extension} />}
            </Stack>
          </Paper>
        ))}
      </Stack>
    ),
  )
}

function Registered({ extension }: { extension: ExtensionReport }) {
  const { hooks, routes, abilities, jobs, pages, hasSettings } = extension
  const counts = [
    hooks.length > 0 && sprintf(_n('%d hook', '%d hooks', hooks.length, 'pentad'), hooks.length),
    routes.length > 0 && sprintf(_n('%d route', '%d routes', routes.length, 'pentad'), routes.length),
    abilities.length > 0 && sprintf(_n('%d ability', '%d abilities', abilities.length, 'pentad'), abilities.length),
    jobs.length > 0 && sprintf(_n('%d job', '%d jobs', jobs.length, 'pentad'), jobs.length),
    pages.length > 0 && sprintf(_n('%d page', '%d pages', pages.length, 'pentad'), pages.length),
    hasSettings && __('settings', 'pentad'),
  ].filter((count) => count !== false)
  return (
    <Text size="xs" c="dimmed">
      {counts.length > 0 ? counts.join(' · ') : __('No registered components.', 'pentad')}
    </Text>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title={__('No extensions found', 'pentad')} />
  return (
    <EmptyState title={__('No extensions yet', 'pentad')}>
      {__('Run this command to create a working extension, with a test, in the site folder:', 'pentad')}{' '}
      <Code>npm run pentad -- extension new hello</Code>
    </EmptyState>
  )
}
