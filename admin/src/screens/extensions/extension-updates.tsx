import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useRead } from '../../api/query.ts'
import { __, sprintf } from '../../i18n.ts'
import { formatTime } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import { ADVISORIES, type AvailableUpdate, UPDATES, useUpdate, type VulnerableExtension } from './packages.ts'

/** Newer versions in the registry; nothing if there are none. */
export function ExtensionUpdates() {
  const updates = useRead<readonly AvailableUpdate[]>(UPDATES)
  if (!updates.data || updates.data.length === 0) return null
  return (
    <Section title={__('Updates', 'pentad')}>
      {updates.data.map((update) => (
        <Update key={update.id} update={update} />
      ))}
    </Section>
  )
}

/** Installed versions with known vulnerabilities; nothing if there are none. */
export function VulnerableExtensions() {
  const vulnerable = useRead<readonly VulnerableExtension[]>(ADVISORIES)
  if (!vulnerable.data || vulnerable.data.length === 0) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={__('Extensions with known vulnerabilities', 'pentad')}>
      {vulnerable.data.map(({ id, version, advisories }) => (
        <Text key={id} size="sm">
          {id} {version}: {advisories.map((one) => [one.id, one.summary].filter(Boolean).join(' – ')).join('; ')}
        </Text>
      ))}
      <Text size="sm">{__('Update or remove them.', 'pentad')}</Text>
    </Alert>
  )
}

function Update({ update }: { update: AvailableUpdate }) {
  const { id, version, newest, heldUntil } = update
  const { mutate, isPending } = useUpdate()
  return (
    <Group justify="space-between" data-update={id}>
      <Text size="sm">
        {sprintf(__('%1$s: version %2$s → %3$s', 'pentad'), id, version, newest)}
        {heldUntil !== null && (
          <Text span size="sm" c="dimmed">
            {' '}
            {sprintf(__('Held back until %s.', 'pentad'), formatTime(heldUntil))}
          </Text>
        )}
      </Text>
      {heldUntil === null && (
        <Button
          size="xs"
          loading={isPending}
          aria-label={sprintf(__('Update %s', 'pentad'), id)}
          onClick={() => mutate(update)}
        >
          {__('Update', 'pentad')}
        </Button>
      )}
    </Group>
  )
}
