import { IconUserCircle, IconUsers } from '@tabler/icons-react'
import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'

export const userScreens: readonly Screen[] = [
  {
    path: 'users',
    title: __('Users', 'pentad'),
    capability: 'list_users',
    nav: { group: 'site', icon: IconUsers },
    load: () => import('./user-list.tsx'),
  },
  {
    path: 'users/new',
    title: __('Add user', 'pentad'),
    capability: 'create_users',
    load: () => import('./new-user.tsx'),
  },
  {
    path: 'security-log',
    title: __('Security log', 'pentad'),
    capability: 'manage_options',
    nav: { group: 'site', parent: 'users' },
    load: () => import('./security-log.tsx'),
  },
  { path: 'users/:id', title: __('User', 'pentad'), capability: 'edit_users', load: () => import('./edit-user.tsx') },
  {
    path: 'profile',
    title: __('Profile', 'pentad'),
    nav: { group: 'site', icon: IconUserCircle },
    load: () => import('./profile.tsx'),
  },
  {
    path: 'authorize-application',
    title: __('Authorize application', 'pentad'),
    load: () => import('./authorize-application.tsx'),
  },
  {
    path: 'authorize-client',
    title: __('Authorize application', 'pentad'),
    load: () => import('./authorize-client.tsx'),
  },
]
