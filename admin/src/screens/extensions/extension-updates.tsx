import { Button, Group, Text } from '@mantine/core'
import { useRead } from '../../api/query.ts'
import { __, sprintf } from '../../i18n.ts'
import { formatTime } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import { type AvailableUpdate, UPDATES, useUpdate } from './packages.ts'

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
