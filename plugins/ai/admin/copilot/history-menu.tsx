import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useList } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { formatAgo } from 'pentad/admin/parts/format.ts'
import { Link } from 'react-router'
import type { Conversation } from '../routes.ts'

/** A menu of recent conversations. */
export function HistoryMenu({ onChoose }: { onChoose: (id: number) => void }) {
  const list = useList<Conversation>('ai/v1/conversations', { perPage: 8 })
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <ActionIcon variant="subtle" aria-label={__('Earlier conversations', 'pentad')}>
          <IconHistory size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {list.data?.items.map(({ id, title, updatedAt }) => (
          <Menu.Item key={id} onClick={() => onChoose(id)}>
            <Text size="sm" truncate>
              {title}
            </Text>
            <Text size="xs" c="dimmed">
              {formatAgo(updatedAt)}
            </Text>
          </Menu.Item>
        ))}
        {list.data?.items.length === 0 && <Menu.Label>{__('No conversations yet.', 'pentad')}</Menu.Label>}
        <Menu.Divider />
        <Menu.Item component={Link} to="/ai/conversations">
          {__('All conversations', 'pentad')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
