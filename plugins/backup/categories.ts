import { RestError } from 'pentad'
import { z } from 'zod'
import { CATEGORY_FOLDERS } from './archive/format.ts'
import { CATEGORIES, type Category } from './types.ts'

/** Display names, for logs and emails. */
const NAMES: Readonly<Record<Category, string>> = {
  database: 'Database',
  uploads: 'Uploads',
  themes: 'Themes',
  extensions: 'Extensions',
  others: 'Other files',
}

/** `Database, Uploads, Other files`. @param translate - Default: the names in English. */
export const namesOf = (categories: readonly Category[], translate = (name: string) => name): string =>
  categories.map((one) => translate(NAMES[one])).join(', ')

/** A category as it is stored. */
export const storedCategory = z.enum(CATEGORIES)

/** Top-level names in the site folder that are never archived and never changed by a restore. */
const OF_THIS_MACHINE =
  /^(?:backups|tmp|cache|mail|logs|faults|protected-hooks|secret\.key|config\.json|replacement\.json|options\.import|uploads\.import|code\.import|site\.db(?:-.*)?|[^/]*\.(?:tmp|lock|part))$/

/** Accepted aliases. */
const OTHER_WORDS: Readonly<Record<string, Category>> = { plugins: 'extensions', media: 'uploads', other: 'others' }

/** A category name or alias, in any case. */
const categorySchema = z
  .preprocess(
    (word) => (typeof word === 'string' ? word.toLowerCase() : word),
    z.enum([...CATEGORIES, 'plugins', 'media', 'other']),
  )
  .transform((word): Category => CATEGORIES.find((category) => category === word) ?? OTHER_WORDS[word] ?? 'others')

/** A list of categories, without duplicates. */
export const categoriesSchema = z
  .array(categorySchema)
  .max(100)
  .transform((categories) => [...new Set(categories)])

/** @throws RestError 400 `nothing_to_backup` if all five are excluded */
export function contentsWithout(exclusions: readonly Category[]): Category[] {
  const contents = CATEGORIES.filter((category) => !exclusions.includes(category))
  if (contents.length > 0) return contents
  throw new RestError(
    'nothing_to_backup',
    'There is nothing to back up: all five categories are excluded. Include at least one.',
    {
      status: 400,
    },
  )
}

/** Category of a path relative to the site folder, with `/` separators. */
export function categoryOf(path: string): Category {
  const first = path.split('/', 1)[0]
  return CATEGORY_FOLDERS.find((folder) => folder === first) ?? 'others'
}

/**
 * Whether a top-level name in the site folder belongs only to this server: backups, caches, keys, passwords, work in
 * progress. That includes the database file, which archives store in their own format.
 */
export function isMachineLocal(name: string): boolean {
  return OF_THIS_MACHINE.test(name)
}

/** The known categories in a list from an archive, which may have been written by another site. */
export function knownCategories(words: readonly string[]): Category[] {
  return CATEGORIES.filter((category) => words.includes(category))
}
