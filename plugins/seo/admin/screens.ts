import { IconWorldSearch } from '@tabler/icons-react'
import type { Screen } from 'pentad/admin'
import { __ } from 'pentad/admin/i18n.ts'

const common = { capability: 'manage_options' }
const below = { group: 'services', parent: 'seo' } as const

export const screens: readonly Screen[] = [
  {
    ...common,
    path: 'seo',
    title: __('SEO', 'pentad'),
    nav: { group: 'services', icon: IconWorldSearch },
    load: () => import('./overview.tsx'),
  },
  { ...common, path: 'seo/setup', title: __('Setup', 'pentad'), nav: below, load: () => import('./setup.tsx') },
  {
    ...common,
    path: 'seo/titles',
    title: __('Titles and meta', 'pentad'),
    nav: below,
    load: () => import('./titles.tsx'),
  },
  {
    ...common,
    path: 'seo/redirects',
    title: __('Redirects', 'pentad'),
    nav: below,
    load: () => import('./redirects.tsx'),
  },
  {
    ...common,
    path: 'seo/redirects/import',
    title: __('Import redirects', 'pentad'),
    load: () => import('./redirect-import.tsx'),
  },
  {
    ...common,
    path: 'seo/missing-pages',
    title: __('404 errors', 'pentad'),
    nav: below,
    load: () => import('./missing-pages.tsx'),
  },
  {
    ...common,
    path: 'seo/crawlers',
    title: __('AI crawlers', 'pentad'),
    nav: below,
    load: () => import('./crawlers.tsx'),
  },
  {
    ...common,
    path: 'seo/referrals',
    title: __('AI referrals', 'pentad'),
    nav: below,
    load: () => import('./referrals.tsx'),
  },
  {
    ...common,
    path: 'seo/indexnow',
    title: __('IndexNow', 'pentad'),
    nav: below,
    load: () => import('./indexnow.tsx'),
  },
  { ...common, path: 'seo/links', title: __('Links', 'pentad'), nav: below, load: () => import('./links.tsx') },
  {
    ...common,
    path: 'seo/migration',
    title: __('Import from another SEO plugin', 'pentad'),
    nav: below,
    load: () => import('./migration.tsx'),
  },
  {
    ...common,
    path: 'seo/settings',
    title: __('SEO settings', 'pentad'),
    nav: { ...below, label: __('Settings', 'pentad') },
    load: () => import('./settings.tsx'),
  },
]
