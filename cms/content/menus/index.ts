import { RestError } from '../../../core/errors.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Options } from '../../../core/options/types.ts'
import { plainText } from '../../text/plain-text.ts'
import type { MetaStore } from '../meta/types.ts'
import type { Post, Posts } from '../posts/types.ts'
import type { Readers } from '../readers.ts'
import type { Registrations } from '../registrations.ts'
import { sanitizeTextField } from '../sanitize.ts'
import type { Term, Terms } from '../types.ts'
import { filterShapes } from './hooks.ts'
import { ITEM_PARENT, isMenuUrl, itemMeta, MENU, MENU_ITEM, readItem, safeMenuUrl } from './item-meta.ts'
import { prune, targetsOf, toTree } from './tree.ts'
import type { MenuItem, Menus, NewMenuItem, ResolvedMenuItem } from './types.ts'

/** Option that assigns menus to locations, as in WordPress's theme mods. */
const RECORD = 'nav_menu_locations'
/** A longer menu would be unusable. */
const MOST = 1000

export function createMenus(parts: {
  posts: Posts
  terms: Terms
  meta: MetaStore
  hooks: Hooks
  options: Options
  registrations: Registrations
  readers: Readers
  link: (of: Post | Term) => string
  renderTitle: (post: Post) => string
  /** Replaces URLs of former addresses of the site by the current one. */
  currentAddresses: (text: string) => string
}): Menus {
  const { posts, terms, meta, hooks, options, registrations, readers, link, renderTitle, currentAddresses } = parts
  hooks.declareFilters(filterShapes)

  const changed = (menuId: number) => hooks.doActionAsync('wp_update_nav_menu', menuId)

  function placed(): Record<string, number> {
    const record = options.get(RECORD)
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return {}
    return Object.fromEntries(
      Object.entries(record).filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])),
    )
  }

  const isShown = (post: Post | undefined) =>
    post !== undefined &&
    registrations.postTypes().get(post.type)?.public === true &&
    (post.status === 'publish' || (post.type === 'attachment' && post.status === 'inherit'))

  async function resolve(found: readonly Post[]): Promise<ResolvedMenuItem[]> {
    const metas = await meta.of(
      'post',
      found.map(({ id }) => id),
    )
    const items = found.map((post) => {
      const item = readItem(post, metas.get(post.id))
      return { ...item, url: currentAddresses(item.url) }
    })
    const idsOf = (type: MenuItem['type']) => [
      ...new Set(items.filter((item) => item.type === type && item.objectId > 0).map(({ objectId }) => objectId)),
    ]
    const [targets, filed] = await Promise.all([posts.getMany(idsOf('post_type')), terms.getMany(idsOf('taxonomy'))])
    return items.map((item) => {
      const { name, url, isValid } = whereTo(item, targets, filed)
      return { ...item, label: plainText(item.title) || name, link: isValid ? url : '', isValid }
    })
  }

  function whereTo(item: MenuItem, targets: ReadonlyMap<number, Post>, filed: ReadonlyMap<number, Term>) {
    const nowhere = { name: '', url: '', isValid: false }
    if (item.type === 'custom') {
      const url = safeMenuUrl(item.url)
      return { name: '', url: url ?? '', isValid: url !== undefined }
    }
    if (item.type === 'post_type') {
      const post = targets.get(item.objectId)
      return post ? { name: plainText(renderTitle(post)), url: link(post), isValid: isShown(post) } : nowhere
    }
    if (item.type === 'taxonomy') {
      const term = filed.get(item.objectId)
      if (!term) return nowhere
      const isPublic = registrations.taxonomies().get(term.taxonomy)?.public === true
      return { name: plainText(term.name), url: link(term), isValid: isPublic }
    }
    const type = registrations.postTypes().get(item.object)
    if (!type?.public || !type.hasArchive) return nowhere
    return { name: type.label, url: `/${type.name}/`, isValid: true }
  }

  async function items({ menus, ids }: { menus?: readonly number[]; ids?: readonly number[] }) {
    if (menus?.length === 0 || ids?.length === 0) return []
    const { items: found } = await posts.query({
      ...{ types: [MENU_ITEM], statuses: ['publish', 'draft'], orderBy: 'menu_order', order: 'asc', limit: MOST },
      include: ids,
      ...(menus && { terms: { [MENU]: { ids: menus } } }),
    })
    return resolve(found.toSorted((one, other) => one.menuOrder - other.menuOrder || one.id - other.id))
  }

  async function menusOf(itemIds: readonly number[]): Promise<Map<number, number>> {
    const found = await terms.ofPosts(itemIds)
    return new Map(
      [...found].flatMap(([id, byTaxonomy]): [number, number][] => {
        const menuId = byTaxonomy[MENU]?.[0]
        return menuId === undefined ? [] : [[id, menuId]]
      }),
    )
  }

  async function checkMenu(id: number): Promise<void> {
    if ((await terms.get(id))?.taxonomy === MENU) return
    throw new RestError('invalid_menu_id', 'Invalid menu ID.', { status: 400 })
  }

  /** @throws RestError 400 if `parentId` is not an item of the menu, or is a descendant of `id` */
  async function checkParent(id: number, parentId: number, menuId: number): Promise<void> {
    const above = new Map((await items({ menus: [menuId] })).map((item) => [item.id, item.parentId]))
    let at = parentId
    for (let steps = 0; at !== 0 && steps <= above.size; steps++) {
      if (!above.has(at) && at !== parentId) return
      if (!above.has(at) || at === id) break
      at = above.get(at) ?? 0
    }
    if (at === 0) return
    throw new RestError('rest_invalid_param', 'The parent of a menu item must be in the same menu.', { status: 400 })
  }

  /**
   * Validates the target of a menu item.
   * @param storedUrl imported items may have URLs that cannot be entered
   * @throws RestError with WordPress's codes
   */
  async function checkTarget(
    { type, title, url, objectId }: Pick<MenuItem, 'type' | 'title' | 'url' | 'objectId'>,
    storedUrl?: string,
  ) {
    const refuse = (code: string, message: string) => new RestError(code, message, { status: 400 })
    if (type === 'custom') {
      if (title.trim() === '') {
        throw refuse('rest_title_required', 'The title is required when using a custom menu item type.')
      }
      if (url.trim() === '')
        throw refuse('rest_url_required', 'The url is required when using a custom menu item type.')
      if (url === storedUrl ? safeMenuUrl(url) === undefined : !isMenuUrl(url)) {
        throw refuse('rest_invalid_url', 'This URL is not allowed. Use https://, mailto:, or a path.')
      }
    }
    if (type === 'post_type' && !(await posts.get(objectId))) throw refuse('rest_post_invalid_id', 'Invalid post ID.')
    if (type === 'taxonomy' && !(await terms.get(objectId))) throw refuse('rest_term_invalid_id', 'Invalid term ID.')
  }

  /** The id determines the target; the object name is derived from it. */
  async function objectOf(type: MenuItem['type'], object: string, objectId: number): Promise<string> {
    if (type === 'post_type') return (await posts.get(objectId))?.type ?? object
    if (type === 'taxonomy') return (await terms.get(objectId))?.taxonomy ?? object
    return type === 'custom' ? 'custom' : object
  }

  function clean(item: NewMenuItem): NewMenuItem {
    const line = (text: string | undefined) => (text === undefined ? undefined : sanitizeTextField(text))
    return {
      ...item,
      title: line(item.title),
      attrTitle: line(item.attrTitle),
      description: line(item.description),
      xfn: line(item.xfn),
      url: item.url?.replace(/\p{Cc}/gu, '').trim(),
      target: item.target === undefined ? undefined : item.target === '_blank' ? '_blank' : '',
      classes: item.classes?.filter((name) => /^[\w-]+$/.test(name)),
    }
  }

  async function one(id: number): Promise<ResolvedMenuItem> {
    const [item] = await items({ ids: [id] })
    if (!item) throw new RestError('rest_post_invalid_id', 'Invalid post ID.', { status: 404 })
    return item
  }

  async function addItem(menuId: number, given: NewMenuItem): Promise<ResolvedMenuItem> {
    await checkMenu(menuId)
    const { type = 'custom', title = '', url = '', objectId = 0, object = '', ...rest } = clean(given)
    await checkTarget({ type, title, url, objectId })
    if (rest.parentId) await checkParent(0, rest.parentId, menuId)
    const others = await items({ menus: [menuId] })
    if (others.length >= MOST)
      throw new RestError('menu_full', `A menu can have at most ${MOST} items.`, { status: 400 })
    const { id } = await posts.insert({
      ...{ type: MENU_ITEM, status: 'publish', title, content: rest.description, excerpt: rest.attrTitle },
      menuOrder: rest.order ?? (others.at(-1)?.order ?? 0) + 1,
      terms: { [MENU]: [menuId] },
      meta: itemMeta({
        ...{ parentId: 0, target: '', classes: [], xfn: '' },
        ...rest,
        ...{ type, url: type === 'custom' ? url : '', objectId, object: await objectOf(type, object, objectId) },
      }),
    })
    await changed(menuId)
    return one(id)
  }

  async function updateItem(id: number, asked: NewMenuItem & { menuId?: number | undefined }) {
    const { menuId, ...given } = asked
    const before = await one(id)
    const known = (await menusOf([id])).get(id) ?? 0
    const menu = menuId ?? known
    if (menuId !== undefined) await checkMenu(menuId)
    const changes = clean(given)
    const after = {
      type: changes.type ?? before.type,
      title: changes.title ?? before.title,
      url: changes.url ?? before.url,
      objectId: changes.objectId ?? before.objectId,
    }
    const isTargetChanged = [changes.type, changes.title, changes.url, changes.objectId].some(
      (value) => value !== undefined,
    )
    if (isTargetChanged) await checkTarget(after, before.url)
    if (changes.parentId) await checkParent(id, changes.parentId, menu)
    const object = isTargetChanged
      ? await objectOf(after.type, changes.object ?? before.object, after.objectId)
      : undefined
    await posts.update(id, {
      ...{ title: changes.title, content: changes.description, excerpt: changes.attrTitle, menuOrder: changes.order },
      ...(menu !== known && { terms: { [MENU]: [menu] } }),
      meta: itemMeta({ ...changes, object }),
    })
    await changed(menu)
    return one(id)
  }

  async function deleteItem(id: number): Promise<void> {
    const { parentId } = await one(id)
    const menuId = (await menusOf([id])).get(id) ?? 0
    const below = (await items({ menus: [menuId] })).filter((item) => item.parentId === id)
    // In a cycle, the parent is also a descendant.
    for (const child of below)
      await meta.set('post', child.id, ITEM_PARENT, String(child.id === parentId ? 0 : parentId))
    await posts.delete(id)
    await changed(menuId)
  }

  const places = () => hooks.applyFiltersAsync('registered_nav_menus', {})

  async function place(menuId: number, wanted: readonly string[]): Promise<void> {
    const known = await places()
    const unknown = wanted.find((name) => !Object.hasOwn(known, name))
    if (unknown !== undefined) {
      throw new RestError('rest_invalid_menu_location', `The theme has no menu location "${unknown.slice(0, 50)}".`, {
        status: 400,
      })
    }
    await options.modify(RECORD, () => ({
      ...Object.fromEntries(Object.entries(placed()).filter(([, id]) => id !== menuId)),
      ...Object.fromEntries(wanted.map((name) => [name, menuId])),
    }))
  }

  return {
    places,
    placed,
    place,
    async at(name) {
      const menuId = placed()[name]
      if (menuId === undefined || (await terms.get(menuId))?.taxonomy !== MENU) return undefined
      const shown = (await items({ menus: [menuId] })).filter(({ post }) => post.status === 'publish')
      return toTree(shown)
    },
    async readable(entries, user) {
      const targets = readers.isByStatus() ? [] : targetsOf(entries)
      if (targets.length === 0) return entries
      const found = await posts.getMany(targets)
      const open = new Set((await readers.readable([...found.values()], user)).map(({ id }) => id))
      return prune(entries, (id) => !found.has(id) || open.has(id))
    },
    items,
    menusOf,
    addItem,
    updateItem,
    deleteItem,
    async delete(menuId) {
      for (const { id } of await items({ menus: [menuId] })) await posts.delete(id)
      await place(menuId, [])
      await terms.delete(menuId)
      await changed(menuId)
    },
  }
}
