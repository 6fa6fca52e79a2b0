const ADMIN = '/wp-admin'

/** WordPress's own post types have screens of their names; others are content of a type. */
const TYPES = new Map([
  ['post', '/posts'],
  ['page', '/pages'],
  ['attachment', '/media'],
])

/** The screens that take the place of WordPress's files, where no parameter matters. */
const FILES: Readonly<Record<string, string>> = {
  'index.php': '/',
  'upload.php': '/media',
  'media-new.php': '/media',
  'edit-comments.php': '/comments',
  'comment.php': '/comments',
  'users.php': '/users',
  'profile.php': '/profile',
  'authorize-application.php': '/profile',
  'plugins.php': '/extensions',
  'plugin-install.php': '/extensions',
  'nav-menus.php': '/menus',
  'themes.php': '/settings',
  'customize.php': '/settings',
  'options.php': '/settings',
  'options-general.php': '/settings',
  'options-writing.php': '/settings',
  'options-reading.php': '/settings',
  'options-discussion.php': '/settings',
  'options-media.php': '/settings',
  'options-permalink.php': '/settings',
  'options-privacy.php': '/settings',
  'import.php': '/',
  'export.php': '/backup',
  'tools.php': '/',
  'site-health.php': '/',
  'update-core.php': '/',
}

/** Pages of well-known plugins whose work a service does here, by the beginning of `?page=`. */
const PLUGIN_PAGES: readonly (readonly [prefix: RegExp, screen: string])[] = [
  [/^(wpseo|rank-math|aioseo|seopress|redirection)/, '/seo'],
  [/^(wprocket|w3tc|litespeed|wpsupercache|autoptimize)/, '/performance'],
  [/^(updraftplus|duplicator|ai1wm|backwpup)/, '/backup'],
  [/^(progressify|superpwa|pwaforwp|onesignal)/, '/pwa'],
]

/**
 * Where an address of WordPress's admin that somebody has bookmarked leads here; `undefined` if it is none.
 * @param path `/wp-admin/edit.php`
 */
export function screenOfWordPress(path: string, query: URLSearchParams): string | undefined {
  const file = path.slice(ADMIN.length + 1)
  const screen = screenOf(file, query)
  return screen === undefined ? undefined : ADMIN + screen
}

function screenOf(file: string, query: URLSearchParams): string | undefined {
  const list = listOf(query.get('post_type'))
  switch (file) {
    case 'edit.php':
      return list
    case 'post-new.php':
      return `${list}/new`
    case 'post.php': {
      const id = idOf(query.get('post'))
      // The type is not in the address; the editor finds it out.
      return id === undefined ? list : `/posts/${id}`
    }
    case 'edit-tags.php':
    case 'term.php':
      return query.get('taxonomy') === 'category' ? '/categories' : '/tags'
    case 'user-new.php':
      return '/users/new'
    case 'user-edit.php': {
      const id = idOf(query.get('user_id'))
      return id === undefined ? '/users' : `/users/${id}`
    }
    case 'admin.php': {
      const page = query.get('page') ?? ''
      return PLUGIN_PAGES.find(([prefix]) => prefix.test(page))?.[1] ?? '/'
    }
    default:
      return Object.hasOwn(FILES, file) ? FILES[file] : undefined
  }
}

function listOf(type: string | null): string {
  if (type === null || type === '') return '/posts'
  return TYPES.get(type) ?? `/content/${encodeURIComponent(type)}`
}

function idOf(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
}
