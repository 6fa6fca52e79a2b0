import { RestError } from 'pentad'
import { z } from 'zod'
import { CATEGORY_FOLDERS } from './archive/format.ts'
import { CATEGORIES, type Category } from './types.ts'

/** As they are called for people, in logs and mail. */
const NAMES: Readonly<Record<Category, string>> = {
  database: 'Database',
  uploads: 'Uploads',
  themes: 'Themes',
  extensions: 'Extensions',
  others: 'Everything else',
}

/** `Database, Uploads, Everything else` */
export const namesOf = (categories: readonly Category[]): string => categories.map((one) => NAMES[one]).join(', ')

/** A category as it is stored. */
export const storedCategory = z.enum(CATEGORIES)

/** What lies in the site folder and is in no archive, nor is it touched by a restore (contract 3). */
const OF_THIS_MACHINE =
  /^(?:backups|tmp|cache|mail|logs|faults|protected-hooks|secret\.key|config\.json|replacement\.json|site\.db(?:-.*)?|[^/]*\.(?:tmp|lock|part))$/

/** Other words for them that are accepted (contract 3). */
const OTHER_WORDS: Readonly<Record<string, Category>> = { plugins: 'extensions', media: 'uploads', other: 'others' }

/** A category in any of its words, whatever the case. */
const categorySchema = z
  .preprocess(
    (word) => (typeof word === 'string' ? word.toLowerCase() : word),
    z.enum([...CATEGORIES, 'plugins', 'media', 'other']),
  )
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

/** Category of a path below the site folder, `/` between its parts. */
export function categoryOf(path: string): Category {
  const first = path.split('/', 1)[0]
  return CATEGORY_FOLDERS.find((folder) => folder === first) ?? 'others'
}

/**
 * Whether a name in the site folder itself belongs to this machine alone: the backups, what can be made again, keys,
 * passwords, work under way. The database is among them, which an archive holds in a form of its own.
 */
export function isMachineLocal(name: string): boolean {
  return OF_THIS_MACHINE.test(name)
}

/** What of a list of words is a category: for what an archive of elsewhere says of itself. */
export function knownCategories(words: readonly string[]): Category[] {
  return CATEGORIES.filter((category) => words.includes(category))
}
