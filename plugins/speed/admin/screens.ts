import { IconGauge } from '@tabler/icons-react'
import type { Screen } from 'pentad/admin'
import { __ } from 'pentad/admin/i18n.ts'

const common = { capability: 'manage_options' }
const below = { group: 'services', parent: 'performance' } as const

export const screens: readonly Screen[] = [
  {
    ...common,
    path: 'performance',
    title: __('Performance', 'pentad'),
    nav: { group: 'services', icon: IconGauge },
    load: () => import('./overview.tsx'),
  },
  {
    ...common,
    path: 'performance/pages',
    title: __('Cached pages', 'pentad'),
    nav: below,
    load: () => import('./pages.tsx'),
  },
  {
    ...common,
    path: 'performance/assets',
    title: __('Optimized files', 'pentad'),
    nav: below,
    load: () => import('./assets.tsx'),
  },
  {
    ...common,
    path: 'performance/settings',
    title: __('Performance settings', 'pentad'),
    nav: { ...below, label: __('Settings', 'pentad') },
    load: () => import('./settings.tsx'),
  },
]
