import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'

const tool = { nav: { group: 'site', parent: 'tools' } } as const

export const privacyScreens: readonly Screen[] = [
  {
    ...tool,
    path: 'tools/privacy/export',
    title: __('Export personal data', 'pentad'),
    capability: 'manage_options',
    load: () => import('./export-data.tsx'),
  },
  {
    ...tool,
    path: 'tools/privacy/erase',
    title: __('Erase personal data', 'pentad'),
    capability: 'manage_options',
    load: () => import('./erase-data.tsx'),
  },
  {
    path: 'settings/privacy',
    title: __('Privacy', 'pentad'),
    capability: 'manage_options',
    nav: { group: 'site', parent: 'settings' },
    load: () => import('./privacy-settings.tsx'),
  },
]
