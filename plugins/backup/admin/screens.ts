import { IconArchive } from '@tabler/icons-react'
import type { Screen } from 'pentad/admin'
import { __ } from 'pentad/admin/i18n.ts'

const common = { capability: 'manage_options' }
const below = { group: 'services', parent: 'backup' } as const

export const screens: readonly Screen[] = [
  {
    ...common,
    path: 'backup',
    title: __('Backup', 'pentad'),
    nav: { group: 'services', icon: IconArchive },
    load: () => import('./overview.tsx'),
  },
  {
    ...common,
    path: 'backup/locations',
    title: __('Locations', 'pentad'),
    nav: below,
    load: () => import('./locations.tsx'),
  },
  {
    ...common,
    path: 'backup/settings',
    title: __('Schedule and settings', 'pentad'),
    nav: below,
    load: () => import('./settings.tsx'),
  },
  { ...common, path: 'backup/list/:id', title: __('Backup details', 'pentad'), load: () => import('./details.tsx') },
  { ...common, path: 'backup/job/:id', title: __('Job log', 'pentad'), load: () => import('./job-log.tsx') },
  { ...common, path: 'backup/restore/:id', title: __('Restore', 'pentad'), load: () => import('./restore.tsx') },
]
