import type { User } from '../../../core/auth/types.ts'
import type { Post } from '../posts/types.ts'

/** Kind of target: a URL, a post, a term, or a post type archive. */
export type MenuItemType = 'custom' | 'post_type' | 'taxonomy' | 'post_type_archive'

/** A stored menu item: a post of the `nav_menu_item` type. */
export interface MenuItem {
  readonly id: number
  /** If empty, the title of the target is displayed. */
  readonly title: string
  readonly description: string
  /** Tooltip (`title` attribute). */
  readonly attrTitle: string
  readonly order: number
  /** ID of the parent item; 0 for none. */
  readonly parentId: number
  readonly type: MenuItemType
  /** Name of the post type or taxonomy: `page`; `custom`. */
  readonly object: string
  readonly objectId: number
  /** Only for custom links. */
  readonly url: string
  readonly target: string
  readonly classes: readonly string[]
  /** Relation of the link: `nofollow`. */
  readonly xfn: string
  /** The stored post. */
  readonly post: Post
}

/** A menu item with its current target. */
export interface ResolvedMenuItem extends MenuItem {
  /** Its own title or that of the target, as plain text. */
  readonly label: string
  /** URL of the target, absolute or as entered; empty if `isValid` is false. */
  readonly link: string
  /** Whether the target is public and its URL is safe. */
  readonly isValid: boolean
}

/** A menu item on a page, with its children. */
export interface MenuEntry {
  readonly item: ResolvedMenuItem
  readonly children: readonly MenuEntry[]
}

/** Fields of a new or changed menu item. */
export interface NewMenuItem {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly attrTitle?: string | undefined
  readonly order?: number | undefined
  readonly parentId?: number | undefined
  readonly type?: MenuItemType | undefined
  readonly object?: string | undefined
  readonly objectId?: number | undefined
  readonly url?: string | undefined
  readonly target?: string | undefined
  readonly classes?: readonly string[] | undefined
  readonly xfn?: string | undefined
}

/**
 * Menus as in WordPress: terms of the taxonomy `nav_menu`, with items as posts of the `nav_menu_item` type. The theme defines locations for
 * them.
 */
export interface Menus {
  /** Labels of the theme's menu locations, by their name in templates: `{ primary: 'Primary menu' }`. */
  places(): Promise<Readonly<Record<string, string>>>
  /** ID of the menu at each location that has one. */
  placed(): Readonly<Record<string, number>>
  /** Assigns the menu to these locations and removes it from all others. @throws RestError 400 `rest_invalid_menu_location` */
  place(menuId: number, places: readonly string[]): Promise<void>
  /** The public items of the menu at a location; `undefined` if no menu is assigned. */
  at(place: string): Promise<readonly MenuEntry[] | undefined>
  /** The items that a user can see: without those of posts that the user cannot read; `null` is an anonymous visitor. */
  readable(entries: readonly MenuEntry[], user: User | null): Promise<readonly MenuEntry[]>
  /** Menu items in their order. */
  items(query: { readonly menus?: readonly number[]; readonly ids?: readonly number[] }): Promise<ResolvedMenuItem[]>
  /** IDs of the menus that items belong to. */
  menusOf(itemIds: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** Adds an item, by default at the end. @throws RestError 400 if its target does not exist or its URL is unsafe */
  addItem(menuId: number, item: NewMenuItem): Promise<ResolvedMenuItem>
  /** @throws RestError 404 `rest_post_invalid_id`, and as for `addItem` */
  updateItem(id: number, changes: NewMenuItem & { readonly menuId?: number | undefined }): Promise<ResolvedMenuItem>
  /** Its children move up one level. */
  deleteItem(id: number): Promise<void>
  /** Including its items. */
  delete(menuId: number): Promise<void>
}
