import { IconMenu2 } from '@tabler/icons-react'
import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'

export const menuScreens: readonly Screen[] = [
  {
    path: 'menus',
    title: __('Menus', 'pentad'),
    capability: 'edit_theme_options',
    nav: { group: 'site', icon: IconMenu2 },
    load: () => import('./menu-screen.tsx'),
  },
]
