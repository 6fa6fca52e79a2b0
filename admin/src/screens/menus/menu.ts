/** A menu as `wp/v2/menus` shows it. */
export interface MenuInfo {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly description: string
  /** Places of the theme at which it is. */
  readonly locations: readonly string[]
}

/** An entry as `wp/v2/menu-items` shows it to an editor. */
export interface MenuItemInfo {
  readonly id: number
  readonly title: { readonly raw?: string; readonly rendered: string }
  readonly url: string
  readonly attr_title: string
  readonly description: string
  readonly type: 'custom' | 'post_type' | 'taxonomy' | 'post_type_archive'
  readonly type_label: string
  readonly object: string
  readonly object_id: number
  readonly parent: number
  readonly menu_order: number
  readonly target: '' | '_blank'
  readonly classes: readonly string[]
  readonly xfn: readonly string[]
  readonly invalid: boolean
}

export interface MenuLocation {
  readonly name: string
  readonly description: string
  readonly menu: number
}

export const MENUS = 'wp/v2/menus'
export const ITEMS = 'wp/v2/menu-items'
export const LOCATIONS = 'wp/v2/menu-locations'
