import { RestError } from 'pentad'
import { z } from 'zod'
import type { Category } from './types.ts'

/** The five, in the order in which records name them. */
export const CATEGORIES: readonly Category[] = ['database', 'uploads', 'themes', 'extensions', 'others']

/** Other words for them that are accepted (contract 3). */
const OTHER_WORDS: Readonly<Record<string, Category>> = { plugins: 'extensions', media: 'uploads', other: 'others' }

/** A category in any of its words. */
export const categorySchema = z
  .enum(['database', 'uploads', 'themes', 'extensions', 'others', 'plugins', 'media', 'other'])
  .transform((word): Category => CATEGORIES.find((category) => category === word) ?? OTHER_WORDS[word] ?? 'others')

/** Several; duplicates count once. */
export const categoriesSchema = z
  .array(categorySchema)
  .max(100)
  .transform((categories) => [...new Set(categories)])

/** @throws RestError 400 `nothing_to_backup` if all five are excluded */
export function contentsWithout(exclusions: readonly Category[]): Category[] {
  const contents = CATEGORIES.filter((category) => !exclusions.includes(category))
  if (contents.length > 0) return contents
  throw new RestError('nothing_to_backup', 'All five categories are excluded, so there is nothing to back up.', {
    status: 400,
  })
}

/** What of a list of words is a category: for what an archive of elsewhere says of itself. */
export function knownCategories(words: readonly string[]): Category[] {
  return CATEGORIES.filter((category) => words.includes(category))
}
