import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** Shown instead of an empty list: what will appear here, and what to do first. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Paper withBorder p="xl" data-empty>
      <Stack align="center" gap="xs" ta="center">
        <Title order={2} size="h3">
          {title}
        </Title>
        {children && (
          <Text c="dimmed" size="sm" maw="36rem" component="div">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Paper>
  )
}
