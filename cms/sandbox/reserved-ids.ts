/**
 * IDs that a sandboxed extension cannot have, because a part of Pentad has options (`host_extensions`), a REST namespace (`wp/v2`), abilities
 * (`core/…`), or scheduled events (`purge-day`) whose names begin with them: those of an extension begin with its ID.
 */
const RESERVED = new Set([
  // The host, the site, and the services.
  ...['core', 'host', 'pentad', 'sandbox', 'site', 'wp', 'wordpress', 'ai', 'backup', 'pwa', 'seo', 'speed'],
  // REST namespaces and abilities.
  ...['batch', 'content', 'mcp', 'oembed', 'wp-abilities', 'wp-block-editor', 'wp-site-health'],
  // Options.
  ...[
    'admin',
    'app',
    'appearance',
    'avatar',
    'blog',
    'category',
    'close',
    'comment',
    'comments',
    'cron',
    'date',
    'db',
    'default',
  ],
  ...[
    'extension',
    'extensions',
    'first',
    'former',
    'home',
    'image',
    'images',
    'large',
    'link',
    'mail',
    'media',
    'medium',
  ],
  ...[
    'menu',
    'moderation',
    'nav',
    'page',
    'permalink',
    'permalinks',
    'post',
    'posts',
    'require',
    'rest',
    'rss',
    'security',
  ],
  ...['settings', 'show', 'sidebars', 'start', 'sticky', 'stylesheet', 'tag', 'template', 'theme', 'thread'],
  ...['thumbnail', 'time', 'timezone', 'upload', 'uploads', 'user', 'users', 'widget'],
  // Scheduled events.
  ...['automatic', 'empty', 'forget', 'indexnow', 'prune', 'publish', 'purge', 'tidy'],
])

/** Packages of Pentad, and REST namespaces of WordPress. */
const RESERVED_PREFIX = /^(?:pentad|wp)-/

export const isReservedId = (id: string): boolean => RESERVED.has(id) || RESERVED_PREFIX.test(id)
