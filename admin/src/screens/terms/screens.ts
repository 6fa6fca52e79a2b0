import { IconCategory, IconTags } from '@tabler/icons-react'
import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'

const load = () => import('./term-list.tsx')

export const termScreens: readonly Screen[] = [
  {
    path: 'categories',
    title: __('Categories', 'pentad'),
    capability: 'manage_categories',
    nav: { group: 'content', icon: IconCategory },
    load,
  },
  {
    path: 'tags',
    title: __('Tags', 'pentad'),
    capability: 'manage_categories',
    nav: { group: 'content', icon: IconTags },
    load,
  },
  { path: 'terms/:taxonomy', title: __('Terms', 'pentad'), capability: 'manage_categories', load },
]
