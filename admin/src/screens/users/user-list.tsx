import { ActionIcon, Anchor, Avatar, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useChange, useList } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { can, pageData } from '../../page-data.ts'
import { BulkBar } from '../../parts/bulk-bar.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { each } from '../../parts/each.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterSelect } from '../../parts/filter-select.tsx'
import { formatDate } from '../../parts/format.ts'
import { useListQuery } from '../../parts/list-query.ts'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useSelection } from '../../parts/use-selection.ts'
import { DeleteUsers } from './delete-users.tsx'
import { useRoles } from './roles.ts'
import { USERS, type UserItem } from './user.ts'

export default function UserList() {
  const query = useListQuery()
  const roles = useRoles()
  const selection = useSelection()
  const { ids, clear } = selection
  const [going, setGoing] = useState<readonly UserItem[]>([])
  const list = useList<UserItem>(USERS, {
    ...{ context: 'edit', page: query.page, per_page: 20, search: query.get('search'), roles: query.get('role') },
    ...{ orderby: query.get('orderby') || 'name', order: query.get('order') || 'asc' },
  })
  const promote = useChange((role: string) => each(ids, (id) => change('POST', `${USERS}/${id}`, { roles: [role] })), {
    invalidates: [USERS],
    done: (count, role) =>
      sprintf(
        _n('Changed the role of %1$d user to %2$s.', 'Changed the role of %1$d users to %2$s.', count, 'pentad'),
        count,
        roles.nameOf(role),
      ),
  })
  const columns: readonly Column<UserItem>[] = [
    {
      title: __('Name', 'pentad'),
      sort: 'name',
      cell: (user) => (
        <Group gap="sm" wrap="nowrap">
          <Avatar
            src={user.profile_picture ? user.avatar_urls?.['96'] : null}
            name={user.name}
            size={30}
            alt=""
            color="pentad"
            variant="filled"
          />
          <div>
            <Anchor component={Link} to={addressOf(user)} size="sm" fw={600}>
              <bdi>{user.name}</bdi>
            </Anchor>
            <Text size="xs" c="dimmed">
              {user.username}
            </Text>
          </div>
        </Group>
      ),
    },
    {
      title: __('Email', 'pentad'),
      sort: 'email',
      cell: ({ email }) => (
        <Anchor size="sm" href={`mailto:${email}`}>
          {email}
        </Anchor>
      ),
      isMinor: true,
    },
    {
      title: __('Role', 'pentad'),
      cell: (user) => user.roles.map(roles.nameOf).join(', ') || __('No role', 'pentad'),
    },
    {
      title: __('Registered', 'pentad'),
      sort: 'registered_date',
      isWhole: true,
      cell: ({ registered_date: date }) => formatDate(date),
      isMinor: true,
    },
  ]
  const isFiltered = query.get('search') !== '' || query.get('role') !== ''
  return (
    <Page
      title={__('Users', 'pentad')}
      actions={
        can('create_users') && (
          <Button component={Link} to="/users/new" leftSection={<IconPlus size={16} aria-hidden />}>
            {__('Add user', 'pentad')}
          </Button>
        )
      }
    >
      <Stack gap="md">
        <Group gap="xs">
          <SearchField label={__('Search users', 'pentad')} query={query} />
          <FilterSelect
            label={__('Role', 'pentad')}
            all={__('All roles', 'pentad')}
            name="role"
            query={query}
            data={roles.options}
          />
        </Group>
        <BulkBar selection={selection}>
          {can('promote_users') && (
            <Menu>
              <Menu.Target>
                <Button size="xs" variant="light" loading={promote.isPending}>
                  {__('Change role', 'pentad')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {roles.options.map(({ value, label }) => (
                  <Menu.Item key={value} onClick={() => promote.mutate(value, { onSuccess: clear })}>
                    {label}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
          {can('delete_users') && (
            <Button
              size="xs"
              variant="light"
              color="red"
              onClick={() => setGoing((list.data?.items ?? []).filter(({ id }) => ids.includes(id) && !isMe(id)))}
            >
              {__('Delete', 'pentad')}
            </Button>
          )}
        </BulkBar>
        <DataTable
          label={__('Users', 'pentad')}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          selection={selection}
          {...{ list, query, columns }}
          actions={(user) =>
            can('delete_users') &&
            !isMe(user.id) && (
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={sprintf(__('Delete “%s”', 'pentad'), user.name)}
                onClick={() => setGoing([user])}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )
          }
          empty={
            <EmptyState title={__('No users found', 'pentad')}>
              {isFiltered ? __('Try different filters, or clear them.', 'pentad') : __('Add the first user.', 'pentad')}
            </EmptyState>
          }
        />
      </Stack>
      <DeleteUsers
        users={going}
        onClose={(isDone) => {
          setGoing([])
          if (isDone) clear()
        }}
      />
    </Page>
  )
}

const isMe = (id: number) => id === pageData.user.id
const addressOf = ({ id }: UserItem) => (isMe(id) ? '/profile' : `/users/${id}`)
