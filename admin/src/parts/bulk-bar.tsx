import { Button, Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { __, _n, sprintf } from '../i18n.ts'
import type { Selection } from './data-table.tsx'
import { formatNumber } from './format.ts'

/** Bulk actions for the selected rows; visible while rows are selected. */
export function BulkBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  const { length } = selection.ids
  if (length === 0) return null
  return (
    <Paper withBorder p="xs" role="region" aria-label={__('Bulk actions', 'pentad')}>
      <Group gap="xs">
        <Text size="sm" aria-live="polite">
          {sprintf(_n('%s selected', '%s selected', length, 'pentad'), formatNumber(length))}
        </Text>
        {children}
        <Button size="xs" variant="subtle" onClick={() => selection.onChange([])}>
          {__('Clear selection', 'pentad')}
        </Button>
      </Group>
    </Paper>
  )
}
