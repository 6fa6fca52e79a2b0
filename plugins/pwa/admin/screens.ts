import { IconDeviceMobile } from '@tabler/icons-react'
import type { Screen } from 'pentad/admin'
import { __ } from 'pentad/admin/i18n.ts'

const common = { capability: 'manage_options' }
const below = { group: 'services', parent: 'pwa' } as const

export const screens: readonly Screen[] = [
  {
    ...common,
    path: 'pwa',
    title: __('PWA', 'pentad'),
    nav: { group: 'services', icon: IconDeviceMobile },
    load: () => import('./overview.tsx'),
  },
  {
    ...common,
    path: 'pwa/identity',
    title: __('Identity', 'pentad'),
    nav: below,
    load: () => import('./identity.tsx'),
  },
  {
    ...common,
    path: 'pwa/notifications',
    title: __('Notifications', 'pentad'),
    nav: below,
    load: () => import('./notifications.tsx'),
  },
  {
    ...common,
    path: 'pwa/subscribers',
    title: __('Subscribers', 'pentad'),
    nav: below,
    load: () => import('./subscribers.tsx'),
  },
  { ...common, path: 'pwa/offline', title: __('Offline', 'pentad'), nav: below, load: () => import('./offline.tsx') },
  {
    ...common,
    path: 'pwa/install',
    title: __('Install prompts', 'pentad'),
    nav: below,
    load: () => import('./install.tsx'),
  },
  {
    ...common,
    path: 'pwa/analytics',
    title: __('App analytics', 'pentad'),
    nav: below,
    load: () => import('./analytics.tsx'),
  },
  {
    ...common,
    path: 'pwa/settings',
    title: __('App settings', 'pentad'),
    nav: { ...below, label: __('Settings', 'pentad') },
    load: () => import('./settings.tsx'),
  },
]
