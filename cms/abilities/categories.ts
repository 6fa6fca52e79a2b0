import type { NewAbilityCategory } from './types.ts'

/** Core's own categories: `site` and `user` are WordPress's. */
export const CATEGORIES: readonly NewAbilityCategory[] = [
  { slug: 'site', label: 'Site', description: 'What the site is and how it is set up.' },
  { slug: 'user', label: 'User', description: 'Who uses the site.' },
  {
    slug: 'content',
    label: 'Content',
    description: 'Posts, pages, terms and comments: finding, reading and writing them.',
  },
]
