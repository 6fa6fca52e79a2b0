const ADMIN = '/wp-admin'

/** WordPress's built-in post types have screens of their own; others are under `content/`. */
const TYPES = new Map([
  ['post', '/posts'],
  ['page', '/pages'],
  ['attachment', '/media'],
])

/** The screens that replace WordPress's files, where no parameter matters. */
const FILES: Readonly<Record<string, string>> = {
  'index.php': '/',
  'upload.php': '/media',
  'media-new.php': '/media',
  'users.php': '/users',
  'profile.php': '/profile',
  'plugins.php': '/extensions',
  'plugin-install.php': '/extensions',
  'nav-menus.php': '/menus',
  'themes.php': '/settings/host',
  'site-editor.php': '/settings/host',
  'customize.php': '/settings',
  'widgets.php': '/settings/host',
  'options.php': '/settings',
  'options-general.php': '/settings',
  'options-writing.php': '/settings/reading',
  'options-reading.php': '/settings/reading',
  'options-discussion.php': '/settings/discussion',
  'options-media.php': '/settings/media',
  'options-permalink.php': '/settings/permalinks',
  'options-privacy.php': '/settings',
  'admin.php': '/',
  'import.php': '/tools/import',
  'export.php': '/tools/export',
  'tools.php': '/tools/import',
  'site-health.php': '/tools/site-health',
  'update-core.php': '/',
}

/** Pages of well-known plugins that a service replaces, by the beginning of `?page=`, in any file. */
const PLUGIN_PAGES: readonly (readonly [prefix: RegExp, screen: string])[] = [
  [/^redirection/, '/seo/redirects'],
  [/^(wpseo|rank-math|aioseo|seopress)/, '/seo'],
  [/^(wprocket|w3tc|litespeed|wpsupercache|autoptimize)/, '/performance'],
  [/^(updraftplus|duplicator|ai1wm|backwpup)/, '/backup'],
  [/^(progressify|superpwa|pwaforwp|onesignal)/, '/pwa'],
]

/**
 * Maps a URL of WordPress's admin, for example from a bookmark, to a screen; `undefined` if there is none.
 * @param path `/wp-admin/edit.php`
 */
export function screenOfWordPress(path: string, query: URLSearchParams): string | undefined {
  const file = path.slice(ADMIN.length + 1)
  const screen = screenOf(file, query)
  return screen === undefined ? undefined : ADMIN + screen
}

function screenOf(file: string, query: URLSearchParams): string | undefined {
  const list = listOf(query.get('post_type'))
  const page = query.get('page')
  const plugin = page === null ? undefined : PLUGIN_PAGES.find(([prefix]) => prefix.test(page))
  if (plugin && file.endsWith('.php')) return plugin[1]
  switch (file) {
    case 'edit.php':
      return list + filtersOf(query)
    case 'post-new.php':
      return `${list}/new`
    case 'post.php': {
      const id = idOf(query.get('post'))
      // The URL does not contain the post type; the editor looks it up.
      return id === undefined ? list : `/posts/${id}`
    }
    case 'edit-comments.php':
      return query.get('comment_status') === 'moderated' ? '/comments?status=hold' : '/comments'
    case 'comment.php':
      return commentOf(query)
    case 'edit-tags.php':
    case 'term.php':
      return termsOf(query.get('taxonomy') ?? 'post_tag')
    case 'authorize-application.php':
      return `/authorize-application?${query}`
    case 'user-new.php':
      return '/users/new'
    case 'user-edit.php': {
      const id = idOf(query.get('user_id'))
      return id === undefined ? '/users' : `/users/${id}`
    }
    default:
      return Object.hasOwn(FILES, file) ? FILES[file] : undefined
  }
}

function listOf(type: string | null): string {
  if (type === null || type === '') return '/posts'
  return TYPES.get(type) ?? `/content/${encodeURIComponent(type)}`
}

/** The search and filters of a post list. */
function filtersOf(query: URLSearchParams): string {
  const filters = new URLSearchParams()
  const [search, status] = [query.get('s'), query.get('post_status')]
  if (search) filters.set('search', search)
  if (status && status !== 'all') filters.set('status', status)
  return filters.size === 0 ? '' : `?${filters}`
}

/** A comment with the action that an email suggests; WordPress's name of the ID is `c`. */
function commentOf(query: URLSearchParams): string {
  const id = idOf(query.get('c'))
  if (id === undefined) return '/comments'
  const action = /^(?:approve|spam|trash)$/.exec(query.get('action') ?? '')?.[0]
  return `/comments/${id}${action === undefined ? '' : `?action=${action}`}`
}

function termsOf(taxonomy: string): string {
  if (taxonomy === 'category') return '/categories'
  return taxonomy === 'post_tag' ? '/tags' : `/terms/${encodeURIComponent(taxonomy)}`
}

function idOf(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
}
