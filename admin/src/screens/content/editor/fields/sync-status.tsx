import { Switch, Text } from '@mantine/core'
import { __ } from '../../../../i18n.ts'
import { Section } from '../../../../parts/section.tsx'
import { isSynced, SYNC_STATUS, syncStatusOf } from '../../types.ts'
import type { Edited } from '../use-edited.ts'

/** Whether a pattern is synced: chosen for a new one, and fixed from then on, as posts refer to synced ones only. */
export function SyncStatus({ edited: { post, fields, setMeta } }: { edited: Edited }) {
  return (
    <Section title={__('Sync status', 'pentad')}>
      {post ? (
        <Text size="sm">
          {isSynced(post[SYNC_STATUS])
            ? __('Synced: changes apply wherever the pattern is used.', 'pentad')
            : __('Not synced: posts contain a copy of the pattern.', 'pentad')}
        </Text>
      ) : (
        <SyncedSwitch
          checked={isSynced(fields.meta[SYNC_STATUS])}
          onChange={(synced) => setMeta(SYNC_STATUS, syncStatusOf(synced))}
        />
      )}
    </Section>
  )
}

interface SyncedSwitchProps {
  readonly checked: boolean
  readonly onChange: (synced: boolean) => void
}

/** Whether a new pattern is synced. */
export function SyncedSwitch({ checked, onChange }: SyncedSwitchProps) {
  return (
    <Switch
      label={__('Synced', 'pentad')}
      description={__('Changes apply wherever the pattern is used. Otherwise, posts contain a copy.', 'pentad')}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
