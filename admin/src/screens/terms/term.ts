import type { Answers } from '../../api/answers.ts'

/** A taxonomy as `wp/v2/taxonomies` shows it with `context=edit`. */
export type TaxonomyInfo = Answers['Taxonomies']

/** A term as `wp/v2/categories` and its like show it. */
export type TermItem = Answers['Categories']
