import { Button, Group, Stack, Text } from '@mantine/core'
import { useChange, useRead } from '../../../api/query.ts'
import type { Responses } from '../../../api/responses.ts'
import { change } from '../../../api/rest.ts'
import { __, sprintf } from '../../../i18n.ts'
import { formatTime } from '../../../parts/format.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { WEBHOOKS } from './webhook.ts'

type Deliveries = Responses['GET /host/v1/webhooks/{id}/deliveries']
type Delivery = Deliveries['items'][number]

const KINDS: Readonly<Record<Delivery['kind'], string>> = {
  event: __('Event', 'pentad'),
  test: __('Test event', 'pentad'),
  manual: __('Redelivery', 'pentad'),
}

/** The last attempts to deliver events to an endpoint. @param route of the endpoint */
export function WebhookDeliveries({ route }: { route: string }) {
  const list = useRead<Deliveries>(`${route}/deliveries`)
  const redeliver = useChange(
    (id: number) => change<{ status: number | null; error: string }>('POST', `${route}/deliveries/${id}/redeliver`),
    {
      invalidates: [WEBHOOKS],
      done: ({ status, error }) => error || sprintf(__('The receiver responded with %d.', 'pentad'), status ?? 0),
    },
  )
  return (
    <Loaded query={list}>
      {({ items }) =>
        items.length === 0 ? (
          <Text size="sm" c="dimmed">
            {__('No deliveries yet.', 'pentad')}
          </Text>
        ) : (
          <Stack gap="xs">
            {items.map((delivery) => (
              <Group key={delivery.id} justify="space-between" wrap="nowrap">
                <Text size="sm">
                  {[formatTime(delivery.time), KINDS[delivery.kind], delivery.error || delivery.status].join(' · ')}
                </Text>
                {delivery.kind !== 'test' && (
                  <Button size="compact-xs" variant="light" onClick={() => redeliver.mutate(delivery.id)}>
                    {__('Redeliver', 'pentad')}
                  </Button>
                )}
              </Group>
            ))}
          </Stack>
        )
      }
    </Loaded>
  )
}
