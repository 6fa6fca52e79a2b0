import { IconLayoutDashboard } from '@tabler/icons-react'
import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'

/** Where everybody arrives; what stands there depends on what they may do. */
export const dashboardScreens: readonly Screen[] = [
  {
    path: '',
    title: __('Dashboard', 'pentad'),
    nav: { group: 'overview', icon: IconLayoutDashboard },
    load: () => import('./dashboard.tsx'),
  },
]
