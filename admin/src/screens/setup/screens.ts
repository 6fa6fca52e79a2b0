import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'

/** Opened by the dashboard of a new site, and from the tools. */
export const setupScreens: readonly Screen[] = [
  {
    path: 'setup',
    title: __('Site setup', 'pentad'),
    capability: 'manage_options',
    load: () => import('./wizard.tsx'),
  },
]
