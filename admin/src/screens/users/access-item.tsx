import { Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

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
