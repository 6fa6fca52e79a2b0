import type { JsonValue } from '../../../core/options/types.ts'
import type { Meta } from '../meta/types.ts'
import type { Post } from '../posts/types.ts'
import type { MenuItem, MenuItemType, NewMenuItem } from './types.ts'

export const MENU = 'nav_menu'
export const MENU_ITEM = 'nav_menu_item'
/** Meta of a menu item that refers to another row by its id; an import maps both. */
export const ITEM_PARENT = '_menu_item_menu_item_parent'
export const ITEM_OBJECT_ID = '_menu_item_object_id'
export const ITEM_TYPE = '_menu_item_type'

const TYPES: readonly MenuItemType[] = ['custom', 'post_type', 'taxonomy', 'post_type_archive']
/** URL schemes that do not execute code. */
const SAFE = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:', 'xmpp:', 'ftp:', 'webcal:', 'geo:'])

/** The URL if it is valid and safe to display, otherwise `undefined`. Parsed as browsers do, so that `java\nscript:` is detected. */
export function safeMenuUrl(url: string): string | undefined {
  const clean = url.replace(/\p{Cc}/gu, '').trim()
  if (clean === '') return undefined
  const parsed = URL.parse(clean, 'https://relative.invalid/')
  return parsed && SAFE.has(parsed.protocol) ? clean : undefined
}

/** Whether a URL can be entered: safe, and absolute or clearly relative, since `example.com` would be a path on this site. */
export function isMenuUrl(url: string): boolean {
  return safeMenuUrl(url) !== undefined && (URL.canParse(url) || /^[/?#.]/.test(url))
}

/** Reads a menu item from its post and meta, WordPress's or Pentad's. */
export function readItem(post: Post, meta: Meta = {}): MenuItem {
  const text = (key: string): string => {
    const value = meta[key]?.[0]
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
  }
  const id = (key: string) => (/^\d{1,10}$/.test(text(key)) ? Number(text(key)) : 0)
  const type = text(ITEM_TYPE)
  return {
    id: post.id,
    title: post.title,
    description: post.content,
    attrTitle: post.excerpt,
    order: post.menuOrder,
    parentId: id(ITEM_PARENT),
    type: TYPES.find((known) => known === type) ?? 'custom',
    object: text('_menu_item_object') || 'custom',
    objectId: id(ITEM_OBJECT_ID),
    url: text('_menu_item_url'),
    target: text('_menu_item_target') === '_blank' ? '_blank' : '',
    classes: classesOf(meta._menu_item_classes?.[0]),
    xfn: text('_menu_item_xfn'),
    post,
  }
}

/** Meta for the provided fields, with WordPress's keys and formats. */
export function itemMeta(item: NewMenuItem): Record<string, JsonValue[]> {
  const given: Record<string, JsonValue | undefined> = {
    [ITEM_TYPE]: item.type,
    [ITEM_PARENT]: item.parentId?.toString(),
    [ITEM_OBJECT_ID]: item.objectId?.toString(),
    _menu_item_object: item.object,
    _menu_item_url: item.url,
    _menu_item_target: item.target,
    _menu_item_classes: item.classes,
    _menu_item_xfn: item.xfn,
  }
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, [value]]])),
  )
}

function classesOf(value: JsonValue | undefined): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/\s+/) : []
  return list.filter((name): name is string => typeof name === 'string' && /^[\w-]+$/.test(name))
}
