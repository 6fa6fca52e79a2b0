import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { __, sprintf } from '@wordpress/i18n'
import { Link } from 'react-router'

/** One thing to do, as the services answer it. */
export interface ActionItem {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly impact?: 'high' | 'medium' | 'low'
}

const IMPACTS = {
  high: { color: 'red', label: __('Important', 'pentad') },
  medium: { color: 'yellow', label: __('Worth doing', 'pentad') },
  low: { color: 'gray', label: __('Nice to have', 'pentad') },
}

/**
 * What to do next, the most important first.
 *
 * @param linkOf where it is done, an address of the admin; nothing where there is none
 */
export function ActionItems<Item extends ActionItem>({
  items,
  linkOf,
}: {
  items: readonly Item[]
  linkOf?: (item: Item) => string | undefined
}) {
  return (
    <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {items.map((item) => {
        const impact = item.impact && IMPACTS[item.impact]
        const to = linkOf?.(item)
        return (
          <Group key={item.id} component="li" justify="space-between" gap="sm">
            <div style={{ flex: '1 1 16rem' }}>
              <Group gap="xs">
                <Text fw={600} size="sm">
                  {item.title}
                </Text>
                {impact && (
                  <Badge size="sm" variant="light" color={impact.color} tt="none">
                    {impact.label}
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed">
                {item.description}
              </Text>
            </div>
            {to !== undefined && (
              <Button
                component={Link}
                to={to}
                size="xs"
                variant="default"
                aria-label={sprintf(__('Go there: %s', 'pentad'), item.title)}
              >
                {__('Go there', 'pentad')}
              </Button>
            )}
          </Group>
        )
      })}
    </Stack>
  )
}
