import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { __, sprintf } from '../i18n.ts'

type Impact = 'high' | 'medium' | 'low'

/** A recommendation of a service: with an impact, or with points out of 100. */
export interface ActionItem {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly impact?: Impact
  readonly weight?: number
}

/** Most important first. */
const IMPACTS = {
  high: { color: 'red', label: __('Important', 'pentad') },
  medium: { color: 'yellow', label: __('Recommended', 'pentad') },
  low: { color: 'gray', label: __('Optional', 'pentad') },
}

function impactOf({ impact, weight = 0 }: ActionItem): Impact {
  return impact ?? (weight >= 20 ? 'high' : weight >= 10 ? 'medium' : 'low')
}

/** Sorts recommendations of all services by impact, most important first. */
export function byImpact<Item extends ActionItem>(items: readonly Item[]): Item[] {
  const ranks = Object.keys(IMPACTS)
  return items.toSorted((one, other) => ranks.indexOf(impactOf(one)) - ranks.indexOf(impactOf(other)))
}

/**
 * A list of recommendations, most important first.
 *
 * @param linkOf path of the admin screen for the item; `undefined` if there is none
 */
export function ActionItems<Item extends ActionItem>({
  items,
  linkOf,
}: {
  items: readonly Item[]
  linkOf?: (item: Item) => string | undefined
}) {
  return (
    <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {items.map((item) => {
        const impact = IMPACTS[impactOf(item)]
        const to = linkOf?.(item)
        return (
          <Group key={item.id} component="li" justify="space-between" gap="xs">
            <div style={{ flex: '1 1 16rem' }}>
              <Group gap="2px 10px">
                <Text fw={600} size="sm">
                  {item.title}
                </Text>
                <Badge size="sm" variant="light" color={impact.color}>
                  {impact.label}
                </Badge>
              </Group>
              <Text size="sm" c="dimmed" mt={2}>
                {item.description}
              </Text>
            </div>
            {to !== undefined && (
              <Button
                component={Link}
                to={to}
                size="xs"
                variant="default"
                aria-label={sprintf(__('Open: %s', 'pentad'), item.title)}
              >
                {__('Open', 'pentad')}
              </Button>
            )}
          </Group>
        )
      })}
    </Stack>
  )
}
