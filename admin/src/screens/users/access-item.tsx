import { Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { __, sprintf } from '../../i18n.ts'
import { formatAgo, formatDate } from '../../parts/format.ts'

interface AccessItemProps {
  readonly name: string
  readonly badge?: ReactNode
  readonly details: string
  /** The button that ends the access. */
  readonly children: ReactNode
}

/** One of the ways to access an account: a session, a passkey, or an application password. */
export function AccessItem({ name, badge, details, children }: AccessItemProps) {
  return (
    <Paper withBorder p="xs">
      <Group justify="space-between">
        <div>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {name}
            </Text>
            {badge}
          </Group>
          <Text size="xs" c="dimmed">
            {details}
          </Text>
        </div>
        {children}
      </Group>
    </Paper>
  )
}

/** When a way to access an account was created and last used. */
export function usedText({
  created,
  lastUsed,
}: {
  readonly created: string
  readonly lastUsed: string | null
}): string {
  if (!lastUsed) return sprintf(__('Created %s, never used', 'pentad'), formatDate(created))
  return sprintf(__('Created %1$s, last used %2$s', 'pentad'), formatDate(created), formatAgo(lastUsed))
}
