import { Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCircleCheck } from '@tabler/icons-react'
import { __, _n, sprintf } from '@wordpress/i18n'
import { Link } from 'react-router'
import { formatNumber } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { type ActionItem, IMPACTS, useActionItems } from './use-action-items.ts'

const SHOWN = 5

/** What would help the site most, of all services. */
export function ActionItems() {
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
              ? __('Looking…', 'pentad')
              : sprintf(_n('%s thing', '%s things', items.length, 'pentad'), formatNumber(items.length))}
          </Text>
        </Group>
        {failed.map(({ service, query }) => (
          <Loaded key={service} query={query}>
            {() => null}
          </Loaded>
        ))}
        {!isLoading && items.length === 0 && failed.length === 0 && (
          <Group gap="xs">
            <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
            <Text size="sm">{__('All is well. There is nothing to do.', 'pentad')}</Text>
          </Group>
        )}
        <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.slice(0, isOpen ? undefined : SHOWN).map((item) => (
            <Item key={item.key} item={item} />
          ))}
        </Stack>
        {items.length > SHOWN && (
          <div>
            <Button variant="subtle" size="xs" onClick={more.toggle} aria-expanded={isOpen}>
              {isOpen ? __('Show fewer', 'pentad') : sprintf(__('Show all %s', 'pentad'), formatNumber(items.length))}
            </Button>
          </div>
        )}
      </Stack>
    </Paper>
  )
}

function Item({ item: { title, description, impact, service, to } }: { item: ActionItem }) {
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm">
      <Badge color={IMPACTS[impact].color} variant="dot" tt="none" miw={84} flex="none" mt={2}>
        {IMPACTS[impact].label}
      </Badge>
      <div>
        <Anchor component={Link} to={to} size="sm" fw={600}>
          {title}
        </Anchor>
        <Text size="sm" c="dimmed">
          {service}: {description}
        </Text>
      </div>
    </Group>
  )
}
