import type { TablerIcon } from '@tabler/icons-react'
import { IconFile, IconFileText, IconFolder, IconStack2 } from '@tabler/icons-react'
import { __, sprintf } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import type { Screen } from '../screen.ts'
import { PATTERN, pathOfType } from './types.ts'

const ICONS: Readonly<Record<string, TablerIcon>> = { post: IconFileText, page: IconFile, [PATTERN]: IconStack2 }

const list = () => import('./list/post-list.tsx')
const editor = () => import('./editor/editor-screen.tsx')

/** A list and an editor for every post type that the user may edit; `new` is a valid id. */
export const contentScreens: readonly Screen[] = pageData.types.flatMap(({ name, label, singularLabel }): Screen[] => [
  {
    path: pathOfType(name),
    title: __(label, 'pentad'),
    nav: { group: 'content', icon: ICONS[name] ?? IconFolder },
    load: list,
  },
  {
    path: `${pathOfType(name)}/:id`,
    title: sprintf(__('Edit %s', 'pentad'), __(singularLabel, 'pentad')),
    load: editor,
  },
])
