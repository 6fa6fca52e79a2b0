import { Group, Paper, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface StatProps {
  readonly label: string
  readonly value: ReactNode
  readonly hint?: ReactNode
  readonly icon?: ReactNode
}

/** One key figure. */
export function Stat({ label, value, hint, icon }: StatProps) {
  return (
    <Paper withBorder p="md">
      <Group gap="xs" c="dimmed" wrap="nowrap">
        {icon}
        <Text size="sm">{label}</Text>
      </Group>
      <Text fz={{ base: '1.25rem', xs: '1.6rem' }} fw={650} lh={1.3}>
        {value}
      </Text>
      {hint && (
        <Text size="xs" c="dimmed" component="div">
          {hint}
        </Text>
      )}
    </Paper>
  )
}

/** Key figures in a row; stacked on a phone. */
export function Stats({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid minColWidth="9.5rem" autoFlow="auto-fit" spacing="sm">
      {children}
    </SimpleGrid>
  )
}
