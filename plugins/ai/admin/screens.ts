import { IconSparkles } from '@tabler/icons-react'
import type { Screen } from 'pentad/admin'
import { __ } from 'pentad/admin/i18n.ts'

const shared = { capability: 'manage_options' }
const below = { group: 'services', parent: 'ai' } as const

/** Providers, and what they are used for. The copilot itself is available on every screen. */
export const screens: readonly Screen[] = [
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
