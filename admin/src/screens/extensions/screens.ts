import { IconPuzzle } from '@tabler/icons-react'
import { __ } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import type { Screen } from '../screen.ts'
import { iconOf } from './icons.ts'

export const extensionScreens: readonly Screen[] = [
  {
    path: 'extensions',
    title: __('Extensions', 'pentad'),
    capability: 'activate_plugins',
    nav: { group: 'site', icon: IconPuzzle },
    load: () => import('./extension-list.tsx'),
  },
  {
    path: 'extensions/add',
    title: __('Add extension', 'pentad'),
    capability: 'install_plugins',
    load: () => import('./add-extension.tsx'),
  },
  {
    path: 'extensions/:id',
    title: __('Extension', 'pentad'),
    capability: 'activate_plugins',
    load: () => import('./extension-details.tsx'),
  },
  {
    path: 'hooks',
    title: __('Hook inspector', 'pentad'),
    capability: 'manage_options',
    nav: { group: 'site', parent: 'extensions', label: __('Hooks', 'pentad') },
    load: () => import('./hook-list.tsx'),
  },
  {
    path: 'license',
    title: __('License', 'pentad'),
    capability: 'manage_options',
    nav: { group: 'site', parent: 'extensions' },
    load: () => import('./license.tsx'),
  },
]

/**
 * The pages that extensions have added and this user may open: below their parent screen, or else in a group of their own.
 */
export function extensionPageScreens(others: readonly Screen[]): readonly Screen[] {
  return pageData.pages.map(({ extension, slug, title, parent, icon }): Screen => {
    const above = others.find(({ path, nav }) => path === parent && nav)?.path
    return {
      path: `extension/${extension}/${slug}`,
      title,
      nav: above === undefined ? { group: 'extensions', icon: iconOf(icon) } : { group: 'extensions', parent: above },
      load: () => import('./extension-page.tsx'),
    }
  })
}
