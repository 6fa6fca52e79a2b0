import { Badge, Button, Stack, Text } from '@mantine/core'
import { useChange, useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import { formatTime } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { AccessItem } from './access-item.tsx'
import { browserOf } from './browser.ts'

type SessionItem = Responses['GET /host/v1/users/{user_id}/sessions']['items'][number]

/** The sessions of a user, each of which can be ended. */
export function SessionList({ userId, isOwn }: { userId: number; isOwn: boolean }) {
  const route = `host/v1/users/${userId}/sessions`
  const list = useRead<{ readonly items: readonly SessionItem[] }>(route)
  const end = useChange((id: string) => change<{ ended: number }>('DELETE', id === '' ? route : `${route}/${id}`), {
    invalidates: [route],
    done: ({ ended }) => sprintf(_n('Logged out of %d session.', 'Logged out of %d sessions.', ended, 'pentad'), ended),
  })
  async function endAll(): Promise<void> {
    const isSure = await confirm({
      title: isOwn ? __('Log out everywhere else?', 'pentad') : __('Log them out everywhere?', 'pentad'),
      body: __('Unsaved changes in those sessions will be lost.', 'pentad'),
      confirm: __('Log out', 'pentad'),
    })
    if (isSure) end.mutate('')
  }
  return (
    <Section title={__('Active sessions', 'pentad')}>
      <Loaded query={list}>
        {({ items }) => {
          const others = items.filter(({ current }) => !current)
          return (
            <Stack gap="xs">
              {items.length === 0 && (
                <Text size="sm" c="dimmed">
                  {__('No active sessions.', 'pentad')}
                </Text>
              )}
              {items.map((session) => (
                <AccessItem
                  key={session.id}
                  name={browserOf(session.userAgent)}
                  badge={session.current && <Badge size="sm">{__('Current session', 'pentad')}</Badge>}
                  details={sprintf(
                    __('%1$s · logged in %2$s · expires %3$s', 'pentad'),
                    ...[session.address, formatTime(session.created), formatTime(session.expires)],
                  )}
                >
                  {!session.current && (
                    <Button
                      size="compact-xs"
                      variant="light"
                      aria-label={sprintf(__('Log out %s', 'pentad'), browserOf(session.userAgent))}
                      onClick={() => end.mutate(session.id)}
                    >
                      {__('Log out', 'pentad')}
                    </Button>
                  )}
                </AccessItem>
              ))}
              {others.length > 0 && (
                <Button variant="default" onClick={endAll} style={{ alignSelf: 'flex-start' }}>
                  {isOwn ? __('Log out everywhere else', 'pentad') : __('Log out everywhere', 'pentad')}
                </Button>
              )}
            </Stack>
          )
        }}
      </Loaded>
    </Section>
  )
}
