import { IconTransfer } from '@tabler/icons-react'
import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'

export const toolScreens: readonly Screen[] = [
  {
    path: 'tools',
    title: __('Tools', 'pentad'),
    capability: ['import', 'export', 'manage_options'],
    nav: { group: 'site', icon: IconTransfer },
    load: () => import('./tools.tsx'),
  },
  {
    path: 'tools/import',
    title: __('Import', 'pentad'),
    capability: 'import',
    nav: { group: 'site', parent: 'tools' },
    load: () => import('./import.tsx'),
  },
  {
    path: 'tools/export',
    title: __('Export', 'pentad'),
    capability: 'export',
    nav: { group: 'site', parent: 'tools' },
    load: () => import('./export.tsx'),
  },
  {
    path: 'tools/site-health',
    title: __('Site Health', 'pentad'),
    capability: 'manage_options',
    nav: { group: 'site', parent: 'tools' },
    load: () => import('./site-health.tsx'),
  },
]
