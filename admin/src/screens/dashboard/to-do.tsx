import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCircleCheck } from '@tabler/icons-react'
import { __, _n, sprintf } from '../../i18n.ts'
import { ActionItems } from '../../parts/action-items.tsx'
import { formatNumber } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useActionItems } from './use-action-items.ts'

const SHOWN = 5

/** The most important recommendations of all services. */
export function ToDo() {
  const { items, isLoading, failed } = useActionItems()
  const [isOpen, more] = useDisclosure()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="action-items" aria-busy={isLoading}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h3" id="action-items">
            {__('To do', 'pentad')}
          </Title>
          <Text size="sm" c="dimmed" aria-live="polite">
            {isLoading
              ? __('Checking…', 'pentad')
              : sprintf(_n('%s item', '%s items', items.length, 'pentad'), formatNumber(items.length))}
          </Text>
        </Group>
        {failed.map((query, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: services stay in their order
          <Loaded key={at} query={query}>
            {() => null}
          </Loaded>
        ))}
        {!isLoading && items.length === 0 && failed.length === 0 && (
          <Group gap="xs">
            <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
            <Text size="sm">{__('You’re all set. There is nothing to do.', 'pentad')}</Text>
          </Group>
        )}
        <ActionItems items={items.slice(0, isOpen ? undefined : SHOWN)} linkOf={({ to }) => to} />
        {items.length > SHOWN && (
          <div>
            <Button variant="default" size="xs" onClick={more.toggle} aria-expanded={isOpen}>
              {isOpen ? __('Show fewer', 'pentad') : sprintf(__('Show all %s', 'pentad'), formatNumber(items.length))}
            </Button>
          </div>
        )}
      </Stack>
    </Paper>
  )
}
