import { IconSettings } from '@tabler/icons-react'
import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'

const below = { capability: 'manage_options', nav: { group: 'site', parent: 'settings' } } as const

export const settingsScreens: readonly Screen[] = [
  {
    path: 'settings',
    title: __('Settings', 'pentad'),
    capability: 'manage_options',
    nav: { group: 'site', icon: IconSettings },
    load: () => import('./general.tsx'),
  },
  { ...below, path: 'settings/reading', title: __('Reading', 'pentad'), load: () => import('./reading.tsx') },
  { ...below, path: 'settings/discussion', title: __('Discussion', 'pentad'), load: () => import('./discussion.tsx') },
  { ...below, path: 'settings/mail', title: __('Email', 'pentad'), load: () => import('./mail.tsx') },
  { ...below, path: 'settings/media', title: __('Media', 'pentad'), load: () => import('./media.tsx') },
  { ...below, path: 'settings/permalinks', title: __('Permalinks', 'pentad'), load: () => import('./permalinks.tsx') },
  { ...below, path: 'settings/webhooks', title: __('Webhooks', 'pentad'), load: () => import('./webhooks/index.tsx') },
  { ...below, path: 'settings/caches', title: __('Caches', 'pentad'), load: () => import('./caches.tsx') },
  { ...below, path: 'settings/host', title: __('Theme and security', 'pentad'), load: () => import('./host.tsx') },
]
