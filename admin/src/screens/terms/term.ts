import type { Responses } from '../../api/responses.ts'

/** A taxonomy as `wp/v2/taxonomies` returns it with `context=edit`. */
export type TaxonomyInfo = Responses['Taxonomies']

/** A term as `wp/v2/categories` and similar routes return it. */
export type TermItem = Responses['Categories']
