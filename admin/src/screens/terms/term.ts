/** A taxonomy as `wp/v2/taxonomies` shows it with `context=edit`. */
export interface TaxonomyInfo {
  readonly slug: string
  readonly name: string
  readonly hierarchical: boolean
  readonly rest_base: string
  readonly types: readonly string[]
  readonly visibility: { readonly show_ui: boolean }
}

/** A term as `wp/v2/categories` and its like show it. */
export interface TermItem {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly parent?: number
  readonly count: number
  readonly link: string
}
