import { IconLayoutDashboard } from '@tabler/icons-react'
import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'

/** The start screen, whose content depends on the user's capabilities. */
export const dashboardScreens: readonly Screen[] = [
  {
    path: '',
    title: __('Dashboard', 'pentad'),
    nav: { group: 'overview', icon: IconLayoutDashboard },
    load: () => import('./dashboard.tsx'),
  },
]
