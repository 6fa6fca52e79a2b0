import { Button, Group, Text } from '@mantine/core'
import { __ } from '../i18n.ts'
import { formatNumber } from './format.ts'
import type { ListQuery } from './list-query.ts'

interface StatusTabsProps {
  readonly query: ListQuery
  readonly tabs: readonly { readonly value: string; readonly label: string; readonly count: number | undefined }[]
}

/** Filters a list by status, with the count of each; the selected status is stored in the URL. */
export function StatusTabs({ query, tabs }: StatusTabsProps) {
  const chosen = query.get('status')
  return (
    <Group gap={4} role="group" aria-label={__('Status', 'pentad')}>
      {tabs.map(({ value, label, count }) => (
        <Button
          key={value}
          size="compact-sm"
          variant={value === chosen ? 'light' : 'subtle'}
          color={value === chosen ? undefined : 'gray'}
          c={value === chosen ? undefined : 'var(--mantine-color-text)'}
          aria-pressed={value === chosen}
          onClick={() => query.set({ status: value })}
        >
          {label}
          {count !== undefined && (
            <Text span size="xs" ms={6} c="dimmed">
              {formatNumber(count)}
            </Text>
          )}
        </Button>
      ))}
    </Group>
  )
}
