import { Avatar, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconLogout, IconUser } from '@tabler/icons-react'
import { Link } from 'react-router'
import { __ } from '../i18n.ts'
import { pageData } from '../page-data.ts'

export function UserMenu() {
  const { user, logoutUrl } = pageData
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton>
          <VisuallyHidden>{__('Your account', 'pentad')}</VisuallyHidden>
          <Avatar name={user.name} size={34} color="pentad" variant="filled" alt="" aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="bright">
            {user.name}
          </Text>
          {user.email}
        </Menu.Label>
        <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} aria-hidden />}>
          {__('Profile', 'pentad')}
        </Menu.Item>
        <Menu.Item component="a" href={logoutUrl} leftSection={<IconLogout size={16} aria-hidden />}>
          {__('Log out', 'pentad')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
