import { IconPhoto } from '@tabler/icons-react'
import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'

export const mediaScreens: readonly Screen[] = [
  {
    path: 'media',
    title: __('Media', 'pentad'),
    capability: 'upload_files',
    nav: { group: 'content', icon: IconPhoto },
    load: () => import('./media-library.tsx'),
  },
]
