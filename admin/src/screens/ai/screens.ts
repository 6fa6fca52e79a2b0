import { IconSparkles } from '@tabler/icons-react'
import { __ } from '../../i18n.ts'
import type { Screen } from '../screen.ts'

const shared = { service: 'ai', capability: 'manage_options' } as const
const below = { group: 'services', parent: 'ai' } as const

/** Models, and what they are used for. The copilot itself is beside every screen: `admin/src/copilot`. */
export const aiScreens: readonly Screen[] = [
  {
    ...shared,
    path: 'ai',
    title: __('AI', 'pentad'),
    nav: { group: 'services', icon: IconSparkles },
    load: () => import('./providers-screen.tsx'),
  },
  {
    ...shared,
    path: 'ai/changes',
    title: __('Proposed changes', 'pentad'),
    nav: below,
    load: () => import('./changes-screen.tsx'),
  },
  {
    ...shared,
    path: 'ai/conversations',
    title: __('Conversations', 'pentad'),
    nav: below,
    load: () => import('./conversations-screen.tsx'),
  },
  {
    ...shared,
    path: 'ai/helpdesk',
    title: __('Helpdesk', 'pentad'),
    nav: below,
    load: () => import('./helpdesk-screen.tsx'),
  },
  {
    ...shared,
    path: 'ai/browser-tools',
    title: __('Browser tools', 'pentad'),
    nav: below,
    load: () => import('./browser-tools-screen.tsx'),
  },
  {
    ...shared,
    path: 'ai/usage',
    title: __('Usage', 'pentad'),
    nav: below,
    load: () => import('./usage-screen.tsx'),
  },
  {
    ...shared,
    path: 'ai/audit-log',
    title: __('Audit log', 'pentad'),
    nav: below,
    load: () => import('./audit-log-screen.tsx'),
  },
]
