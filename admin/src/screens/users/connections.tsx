import { Button, Stack } from '@mantine/core'
import { useChange, useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import { Section } from '../../parts/section.tsx'
import { AccessItem, usedText } from './access-item.tsx'

type Connections = Responses['GET /host/v1/users/{user_id}/connections']
type Connection = Connections['items'][number]

/** Applications that the user has given access with OAuth, each of which can be revoked; nothing without any. */
export function ConnectedApplications({ userId }: { userId: number }) {
  const route = `host/v1/users/${userId}/connections`
  const { data } = useRead<Connections>(route)
  const revoke = useChange((id: string) => change('DELETE', `${route}/${id}`), {
    invalidates: [route],
    done: __('Access revoked.', 'pentad'),
  })
  async function askAndRevoke({ id, name }: Connection): Promise<void> {
    const isSure = await confirm({
      title: sprintf(__('Revoke “%s”?', 'pentad'), name),
      body: __('The application will lose access.', 'pentad'),
      confirm: __('Revoke', 'pentad'),
      isDestructive: true,
    })
    if (isSure) revoke.mutate(id)
  }
  if (!data || data.items.length === 0) return null
  return (
    <Section
      title={__('Connected applications', 'pentad')}
      description={__('AI agents that may use the tools of this site with the permissions of this account.', 'pentad')}
    >
      <Stack gap="xs">
        {data.items.map((item) => (
          <AccessItem key={item.id} name={item.name} details={usedText(item)}>
            <Button
              size="compact-xs"
              variant="light"
              color="red"
              aria-label={sprintf(__('Revoke “%s”', 'pentad'), item.name)}
              onClick={() => askAndRevoke(item)}
            >
              {__('Revoke', 'pentad')}
            </Button>
          </AccessItem>
        ))}
      </Stack>
    </Section>
  )
}
