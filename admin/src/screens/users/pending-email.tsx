import { Button, Group, Text } from '@mantine/core'
import { useChange, useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'

export const EMAIL_CHANGE = 'host/v1/email-change'

/** The user's new email address, as long as it is not confirmed. */
export function PendingEmail() {
  const found = useRead<Responses['GET /host/v1/email-change']>(EMAIL_CHANGE)
  const cancel = useChange(() => change('DELETE', EMAIL_CHANGE), {
    invalidates: [EMAIL_CHANGE],
    done: __('Your email address change was canceled.', 'pentad'),
  })
  if (!found.data?.pending) return null
  return (
    <Group gap="xs" mt={4}>
      <Text size="sm">
        {sprintf(__('Waiting for confirmation: open the link in the email sent to %s.', 'pentad'), found.data.pending)}
      </Text>
      <Button size="compact-xs" variant="subtle" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {__('Cancel change', 'pentad')}
      </Button>
    </Group>
  )
}
