import { Alert, Anchor, Button, Code, Group, List, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { useRead } from '../../api/query.ts'
import { __, sprintf } from '../../i18n.ts'
import { can, pageData } from '../../page-data.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { pluginAdmins } from '../../plugins/admins.ts'
import { SettingsForm } from '../../settings/settings-form.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { StateBadge, StateButtons, StateReason } from './extension-state.tsx'
import { IsolationSwitch } from './isolation-switch.tsx'
import { PackageOrigin } from './package-origin.tsx'
import { RemoveExtension } from './remove-extension.tsx'
import { Sandbox, SandboxBadge } from './sandbox.tsx'
import { useSwitchExtension, useToldAfterReload } from './switch-extension.ts'
import { EXTENSIONS, type ExtensionReport } from './types.ts'

export default function ExtensionDetails() {
  useToldAfterReload()
  const { id = '' } = useParams()
  const extensions = useRead<readonly ExtensionReport[]>(EXTENSIONS)
  const found = extensions.data?.find((extension) => extension.id === id)
  if (extensions.data && !found) {
    return (
      <Page title={__('Extension', 'pentad')}>
        <EmptyState
          title={__('Extension not found', 'pentad')}
          action={
            <Button component={Link} to="/extensions">
              {__('Back to extensions', 'pentad')}
            </Button>
          }
        />
      </Page>
    )
  }
  return (
    <Page title={found?.name ?? __('Extension', 'pentad')} description={found?.description}>
      <Loaded query={extensions} lines={8}>
        {() => found && <Details extension={found} />}
      </Loaded>
    </Page>
  )
}

function Details({ extension }: { extension: ExtensionReport }) {
  const { run, busy } = useSwitchExtension()
  const { id, version, state, hasSettings } = extension
  return (
    <>
      <Group justify="space-between">
        <Group gap="xs">
          <StateBadge extension={extension} />
          <SandboxBadge extension={extension} />
          <Text size="sm" c="dimmed">
            {sprintf(__('Version %s', 'pentad'), version)}
          </Text>
          <Code>{id}</Code>
        </Group>
        <Group gap="xs">
          <StateButtons extension={extension} isBusy={busy === id} onRun={(...what) => void run(...what)} />
          {!extension.isService && can('delete_plugins') && <RemoveExtension extension={extension} />}
        </Group>
      </Group>
      <StateReason extension={extension} />
      {!extension.isService && <PackageOrigin id={id} />}
      {hasSettings && can('manage_options') && <Settings extension={extension} />}
      {extension.isolation === 'optional' && <IsolationSwitch extension={extension} />}
      {extension.isSandboxed && state !== 'inactive' && <Sandbox id={id} />}
      {state === 'active' ? (
        <Registered extension={extension} />
      ) : (
        <Alert color="gray">{__('Activate the extension to see what it registers.', 'pentad')}</Alert>
      )}
    </>
  )
}

function Settings({ extension: { id, isService } }: { extension: ExtensionReport }) {
  const screen = isService ? pluginAdmins.find((admin) => admin.id === id)?.screens[0] : undefined
  if (screen === undefined) return <OwnSettings id={id} />
  return (
    <Text size="sm">
      <Anchor component={Link} to={`/${screen.path}`} size="sm">
        {__('Settings are on the extension’s own screens.', 'pentad')}
      </Anchor>
    </Text>
  )
}

function OwnSettings({ id }: { id: string }) {
  return <SettingsForm draft={useSettings(id)} />
}

function Registered({ extension }: { extension: ExtensionReport }) {
  const { id, hooks, routes, abilities, jobs, pages } = extension
  const titleOf = (path: string) => pageData.pages.find((page) => page.path === path)?.title ?? path
  return (
    <Section title={__('Registered components', 'pentad')}>
      <Stack gap="sm">
        <Names
          title={__('Pages', 'pentad')}
          names={pages}
          show={(path) => (
            <Anchor component={Link} size="sm" to={path.replace(/^\/wp-admin/, '')}>
              {titleOf(path)}
            </Anchor>
          )}
        />
        <Names
          title={__('Hooks', 'pentad')}
          names={hooks}
          show={(hook) =>
            can('manage_options') ? (
              <Anchor component={Link} to={`/hooks?${new URLSearchParams({ owner: id, search: hook })}`}>
                <Code>{hook}</Code>
              </Anchor>
            ) : (
              <Code>{hook}</Code>
            )
          }
        />
        <Names title={__('Routes', 'pentad')} names={routes} />
        <Names title={__('Abilities', 'pentad')} names={abilities} />
        <Names title={__('Schedules, jobs, and queues', 'pentad')} names={jobs} />
        {[...hooks, ...routes, ...abilities, ...jobs, ...pages].length === 0 && (
          <Text size="sm" c="dimmed">
            {__('No registered components.', 'pentad')}
          </Text>
        )}
      </Stack>
    </Section>
  )
}

interface NamesProps {
  readonly title: string
  readonly names: readonly string[]
  readonly show?: (name: string) => React.ReactNode
}

function Names({ title, names, show = (name) => <Code>{name}</Code> }: NamesProps) {
  if (names.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List listStyleType="none" size="sm" style={{ columns: '18rem', overflowWrap: 'anywhere' }}>
        {names.map((name) => (
          <List.Item key={name}>{show(name)}</List.Item>
        ))}
      </List>
    </div>
  )
}
