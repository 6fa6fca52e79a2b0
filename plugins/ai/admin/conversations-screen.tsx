import { ActionIcon, Button, UnstyledButton } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useChange, useList } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { confirmDelete } from 'pentad/admin/parts/confirm.tsx'
import { DataTable } from 'pentad/admin/parts/data-table.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatAgo } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { openCopilot } from './copilot/panel-state.ts'
import type { Conversation } from './routes.ts'

/** The user's conversations with the copilot, which open in the side panel. */
export default function ConversationsScreen() {
  const query = useListQuery()
  const list = useList<Conversation>('ai/v1/conversations', { page: query.page, perPage: 20 })
  const remove = useChange(({ id }: Conversation) => change('DELETE', `ai/v1/conversations/${id}`), {
    invalidates: ['ai/v1/conversations', 'ai/v1/changes'],
    done: (_, { title }) => sprintf(__('“%s” deleted.', 'pentad'), title),
  })
  const ask = () => openCopilot({ conversationId: undefined })
  return (
    <Page
      title={__('Conversations', 'pentad')}
      description={__(
        'Only you can see your conversations. They are deleted 90 days after their last message.',
        'pentad',
      )}
      actions={<Button onClick={ask}>{__('New conversation', 'pentad')}</Button>}
    >
      <DataTable
        label={__('Conversations', 'pentad')}
        list={list}
        query={query}
        rowId={({ id }) => id}
        columns={[
          {
            title: __('First message', 'pentad'),
            cell: ({ id, title }) => (
              <UnstyledButton
                fz="sm"
                c="var(--mantine-color-anchor)"
                onClick={() => openCopilot({ conversationId: id })}
              >
                {title}
              </UnstyledButton>
            ),
          },
          { title: __('Last message', 'pentad'), isWhole: true, cell: ({ updatedAt }) => formatAgo(updatedAt) },
        ]}
        actions={(row) => (
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={sprintf(__('Delete “%s”', 'pentad'), row.title)}
            onClick={async () => {
              const body = __('Its pending changes will also be deleted. This can’t be undone.', 'pentad')
              if (await confirmDelete(row.title, body)) remove.mutate(row)
            }}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
        empty={
          <EmptyState
            title={__('No conversations yet', 'pentad')}
            action={<Button onClick={ask}>{__('Ask the copilot', 'pentad')}</Button>}
          >
            {__('The copilot looks things up on your site and prepares changes for you to review.', 'pentad')}
          </EmptyState>
        }
      />
    </Page>
  )
}
