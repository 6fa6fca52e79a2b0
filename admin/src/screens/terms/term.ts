import type { Answers } from '../../api/answers.ts'

/** A taxonomy as `wp/v2/taxonomies` returns it with `context=edit`. */
export type TaxonomyInfo = Answers['Taxonomies']

/** A term as `wp/v2/categories` and similar routes return it. */
export type TermItem = Answers['Categories']
