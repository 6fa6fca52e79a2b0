import type { User } from '../../../core/auth/types.ts'
import type { Post } from '../posts/types.ts'

/** What an entry leads to: any address, a post, a term, or the archive of a type of posts. */
export type MenuItemType = 'custom' | 'post_type' | 'taxonomy' | 'post_type_archive'

/** An entry of a menu as it is stored: a post of the type `nav_menu_item`. */
export interface MenuItem {
  readonly id: number
  /** Empty: the title of what it leads to. */
  readonly title: string
  readonly description: string
  /** Shown when the mouse rests on it. */
  readonly attrTitle: string
  readonly order: number
  /** Id of the entry above it; 0 for none. */
  readonly parentId: number
  readonly type: MenuItemType
  /** Name of the post type or taxonomy: `page`; `custom`. */
  readonly object: string
  readonly objectId: number
  /** Of a custom entry. */
  readonly url: string
  readonly target: string
  readonly classes: readonly string[]
  /** Relation of the link: `nofollow`. */
  readonly xfn: string
  /** The post as it is stored. */
  readonly post: Post
}

/** An entry and where it leads now. */
export interface ResolvedMenuItem extends MenuItem {
  /** Plain text of its own title, or of what it leads to. */
  readonly label: string
  /** Where it leads, absolute or as its author wrote it; empty where `isValid` is false. */
  readonly link: string
  /** It leads somewhere that everybody may see, and its address is one that a page may have. */
  readonly isValid: boolean
}

/** An entry on a page, with those below it. */
export interface MenuEntry {
  readonly item: ResolvedMenuItem
  readonly children: readonly MenuEntry[]
}

/** What an entry should be. */
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
 * Menus as WordPress keeps them: terms of the taxonomy `nav_menu`, and their entries as posts of the type
 * `nav_menu_item`. The theme has places for them.
 */
export interface Menus {
  /** Names of the theme's places by what they are called in templates: `{ primary: 'Primary menu' }`. */
  places(): Promise<Readonly<Record<string, string>>>
  /** Id of the menu at each place that has one. */
  placed(): Readonly<Record<string, number>>
  /** Puts the menu at these places and takes it from all others. @throws RestError 400 `rest_invalid_menu_location` */
  place(menuId: number, places: readonly string[]): Promise<void>
  /** What visitors see at a place, `undefined` where no menu is. What they could not open is left out. */
  at(place: string): Promise<readonly MenuEntry[] | undefined>
  /** What somebody sees of such entries: without those that lead to posts that they may not read; `null` is a visitor. */
  readable(entries: readonly MenuEntry[], user: User | null): Promise<readonly MenuEntry[]>
  /** Entries in their order. */
  items(query: { readonly menus?: readonly number[]; readonly ids?: readonly number[] }): Promise<ResolvedMenuItem[]>
  /** Ids of the menus of entries. */
  menusOf(itemIds: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** Adds an entry, by default at the end. @throws RestError 400 if it leads nowhere or to an address that may do harm */
  addItem(menuId: number, item: NewMenuItem): Promise<ResolvedMenuItem>
  /** @throws RestError 404 `rest_post_invalid_id`, and as `addItem` */
  updateItem(id: number, changes: NewMenuItem & { readonly menuId?: number | undefined }): Promise<ResolvedMenuItem>
  /** Entries below it move up. */
  deleteItem(id: number): Promise<void>
  /** With its entries. */
  delete(menuId: number): Promise<void>
}
