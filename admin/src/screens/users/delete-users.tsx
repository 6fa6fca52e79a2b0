import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { each } from '../../parts/each.ts'
import { USERS, type UserItem } from './user.ts'
import { UserSelect } from './user-select.tsx'

interface DeleteUsersProps {
  readonly users: readonly UserItem[]
  readonly onClose: (isDone: boolean) => void
}

/** Asks what to do with the users' content, and deletes the users. */
export function DeleteUsers({ users, onClose }: DeleteUsersProps) {
  const [first] = users
  return (
    <Modal
      opened={first !== undefined}
      onClose={() => onClose(false)}
      title={
        users.length === 1 && first
          ? sprintf(__('Delete “%s”?', 'pentad'), first.name)
          : sprintf(_n('Delete %d user?', 'Delete %d users?', users.length, 'pentad'), users.length)
      }
    >
      {first && <Question users={users} onClose={onClose} />}
    </Modal>
  )
}

function Question({ users, onClose }: DeleteUsersProps) {
  const [contentAction, setContentAction] = useState<'given' | 'deleted'>('given')
  const [newAuthor, setNewAuthor] = useState(pageData.user.id)
  const remove = useChange(
    () =>
      each(users, ({ id }) =>
        change('DELETE', `${USERS}/${id}`, undefined, {
          query: { force: true, reassign: contentAction === 'given' ? newAuthor : 'false' },
        }),
      ),
    {
      invalidates: [USERS, 'wp/v2/posts', 'wp/v2/pages', 'wp/v2/media'],
      done: (count) => sprintf(_n('%d user deleted.', '%d users deleted.', count, 'pentad'), count),
    },
  )
  return (
    <Stack>
      <Radio.Group
        label={__('What should be done with their content?', 'pentad')}
        value={contentAction}
        onChange={(value) => setContentAction(value === 'deleted' ? value : 'given')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="given" label={__('Attribute all content to another user', 'pentad')} />
          {contentAction === 'given' && (
            <UserSelect
              label={__('User', 'pentad')}
              value={newAuthor}
              onChange={setNewAuthor}
              exclude={users.map(({ id }) => id)}
            />
          )}
          <Radio value="deleted" label={__('Delete all content (posts and pages are moved to the trash)', 'pentad')} />
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        {__('They will be logged out immediately, and their application passwords will stop working.', 'pentad')}
      </Text>
      <Group justify="flex-end">
        <Button variant="subtle" onClick={() => onClose(false)}>
          {__('Cancel', 'pentad')}
        </Button>
        <Button
          color="red.9"
          loading={remove.isPending}
          onClick={() => remove.mutate(undefined, { onSettled: () => onClose(true) })}
        >
          {__('Delete', 'pentad')}
        </Button>
      </Group>
    </Stack>
  )
}
