import type { NewAbilityCategory } from './types.ts'

/** Core's own categories: `site` and `user` are WordPress's. */
export const CATEGORIES: readonly NewAbilityCategory[] = [
  { slug: 'site', label: 'Site', description: 'Site information and settings.' },
  { slug: 'user', label: 'User', description: 'Users of the site.' },
  {
    slug: 'content',
    label: 'Content',
    description: 'Posts, pages, terms, and comments: finding, reading, and writing them.',
  },
]
