import { IconMessage } from '@tabler/icons-react'
import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'
import { PendingBadge } from './pending-badge.tsx'

export const commentScreens: readonly Screen[] = [
  {
    path: 'comments',
    title: __('Comments', 'pentad'),
    capability: 'moderate_comments',
    nav: { group: 'content', icon: IconMessage, Badge: PendingBadge },
    load: () => import('./comment-list.tsx'),
  },
  {
    path: 'comments/:id',
    title: __('Moderate comment', 'pentad'),
    // Authors may moderate comments on their own posts; the route checks it.
    capability: 'edit_posts',
    load: () => import('./moderate-comment.tsx'),
  },
]
