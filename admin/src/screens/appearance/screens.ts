import { IconPalette } from '@tabler/icons-react'
import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'

export const appearanceScreens: readonly Screen[] = [
  {
    path: 'appearance',
    title: __('Appearance', 'pentad'),
    capability: 'manage_options',
    nav: { group: 'site', icon: IconPalette },
    load: () => import('./appearance.tsx'),
  },
]
