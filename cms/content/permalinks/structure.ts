import { encodeSlug } from './path.ts'

/** WordPress's structure tags (`WP_Rewrite::$rewritecode`) for posts, each with the pattern that it matches. */
const TAGS = {
  year: '[0-9]{4}',
  monthnum: '[0-9]{1,2}',
  day: '[0-9]{1,2}',
  hour: '[0-9]{1,2}',
  minute: '[0-9]{1,2}',
  second: '[0-9]{1,2}',
  post_id: '[0-9]{1,10}',
  postname: '[^/]+',
  category: '[^/]+',
  author: '[^/]+',
} as const

export type Tag = keyof typeof TAGS

/** Values of the tags for a post. Slugs are percent-encoded; `category` includes the slugs of parents: `travel/asia`. */
export type TagValues = Readonly<Record<Tag, string>>

/** The permalink structure of posts, compiled. */
export interface Structure {
  /** As WordPress stores it: `/%year%/%postname%/`; empty for plain permalinks, `/?p=7`. */
  readonly text: string
  readonly tags: ReadonlySet<Tag>
  /** The part before the first tag, `/` or `/blog/`, which also precedes archives (`WP_Rewrite::$front`). */
  readonly front: string
  /** Prefix of date archives (`WP_Rewrite::get_date_permastruct`): where ids could be read as years, `/date/`. */
  readonly dateFront: string
  /** Trailing slash, unless the structure ends without one (`user_trailingslashit`). */
  readonly end: '' | '/'
  /** The path of a post. */
  build(values: TagValues): string
  /**
   * Values of the tags in a path; `undefined` if it does not match. Takes linear time for structures with one free text per segment,
   * quadratic for two; segments with more are not parsed.
   */
  match(path: string): Partial<TagValues> | undefined
}

const isTagName = (name: string): name is Tag => Object.hasOwn(TAGS, name)
const TAG = new RegExp(`%(${Object.keys(TAGS).join('|')})%`, 'g')
/** First segments of paths that the host handles itself. */
export const HOST_PATHS: ReadonlySet<string> = new Set(['wp-json', 'wp-content', 'wp-admin', 'wp-includes'])
/** Prefixes of author archives and of search results. */
const LISTS: ReadonlySet<string> = new Set(['author', 'search'])
/** Tags that match any text. */
const TEXTS: ReadonlySet<Tag> = new Set(['postname', 'category', 'author'])
/** Longer segments never match: slugs have at most 200 bytes. */
const SEGMENT_LENGTH = 600
const STRUCTURE_LENGTH = 200
/** WordPress moves archives by date away from ids that are among the first three tags. */
const DATE_CLASH = 3

/**
 * Normalizes an entered structure like WordPress (`options-permalink.php`): a leading slash, no double slashes, no `#`. Text outside of
 * tags is percent-encoded like paths of requests.
 */
export function normalizeStructure(typed: string): string {
  const text = typed.trim().replaceAll('#', '')
  if (text === '') return ''
  const whole = `/${text}`.replace(/\/+/g, '/').replace(/^\/index\.php(?=\/)/i, '')
  let result = ''
  let end = 0
  for (const found of whole.matchAll(TAG)) {
    result += encoded(whole.slice(end, found.index)) + found[0]
    end = found.index + found[0].length
  }
  return result + encoded(whole.slice(end))
}

/** A category or tag base as it appears in paths: `topics/all`, encoded, without slashes at its ends. */
export function normalizeBase(typed: string): string {
  return normalizeStructure(typed).replace(/^\/+|\/+$/g, '')
}

/** The problem of a normalized category or tag base, as a sentence; `undefined` if it is valid. */
export function baseFault(text: string): string | undefined {
  if (/%[a-z_]{3,}%/.test(text)) return 'A base must not contain structure tags.'
  if (LISTS.has(text)) return `/${text}/ is already the URL of other archives.`
  return hostPathFault(`/${text}/`)
}

/** Archives of tags would be read as those of categories (`readArchive` and WordPress's rewrite rules look for these first). */
export function hidesTags(categoryBase: string, tagBase: string): boolean {
  return `${tagBase}/`.startsWith(`${categoryBase}/`)
}

/** Posts at such a path would be unreachable, because the host handles it first. */
function hostPathFault(path: string): string | undefined {
  const [, first = ''] = path.split('/')
  return HOST_PATHS.has(first)
    ? `URLs that start with /${first}/ are reserved by Pentad. Choose another prefix.`
    : undefined
}

/** The problem of a normalized structure, as a sentence; `undefined` if it is valid. */
export function structureFault(text: string): string | undefined {
  if (text === '') return undefined
  const names = tagsOf(text)
  const rest = text.replace(TAG, '')
  const unknown = /%(?![a-f0-9]{2})[a-z_]*%?/.exec(rest)
  if (unknown) return `${unknown[0]} is not a structure tag.`
  if (text.length > STRUCTURE_LENGTH || rest.split('/').some((part) => part === '.' || part === '..'))
    return 'A permalink structure is a path with structure tags, such as /%year%/%postname%/.'
  if (names.length === 0) return 'A structure tag is required when using custom permalinks.'
  if (new Set(names).size < names.length) return 'Each structure tag can be used only once.'
  if (/[^/]%category%|%category%[^/]/.test(text)) return '%category% must be between slashes.'
  const [, list = '', ...below] = text.replace(/\/$/, '').split('/')
  if (LISTS.has(list) && below.length === 1) return `URLs of the form ${text} are already used by archives.`
  return hostPathFault(text)
}

/** @param text a valid, normalized structure */
export function compileStructure(text: string): Structure {
  const names = tagsOf(text)
  const front = text === '' ? '/' : text.slice(0, text.search(TAG))
  const idAt = names.indexOf('post_id')
  const segments = text.split('/').filter((segment) => segment !== '')
  const patterns = segments.map(toPattern)
  const categoryAt = segments.indexOf('%category%')

  function match(path: string): Partial<TagValues> | undefined {
    const parts = path.split('/').filter((part) => part !== '')
    const more = parts.length - segments.length
    if (text === '' || more < 0 || (more > 0 && categoryAt < 0)) return undefined
    // A category includes its ancestors.
    if (more > 0) parts.splice(categoryAt, more)
    const values: Partial<Record<Tag, string>> = {}
    for (const [index, pattern] of patterns.entries()) {
      const part = parts[index] ?? ''
      const found = part.length <= SEGMENT_LENGTH ? pattern?.exec(part) : undefined
      if (!found) return undefined
      Object.assign(values, found.groups)
    }
    return values
  }

  return {
    text,
    tags: new Set(names),
    front,
    dateFront: idAt >= 0 && idAt < DATE_CLASH ? `${front}date/` : front,
    end: text === '' || text.endsWith('/') ? '/' : '',
    build: (values) => text.replace(TAG, (tag, name: string) => (isTagName(name) ? values[name] : tag)),
    match,
  }
}

function tagsOf(text: string): Tag[] {
  return [...text.matchAll(TAG)].flatMap(([, name = '']) => (isTagName(name) ? [name] : []))
}

/** `undefined` for a segment that could take more than quadratic time. */
function toPattern(segment: string): RegExp | undefined {
  if (tagsOf(segment).filter((name) => TEXTS.has(name)).length > 2) return undefined
  let pattern = ''
  let end = 0
  for (const { 0: tag, 1: name = '', index } of segment.matchAll(TAG)) {
    pattern += RegExp.escape(segment.slice(end, index)) + (isTagName(name) ? `(?<${name}>${TAGS[name]})` : '')
    end = index + tag.length
  }
  return new RegExp(`^${pattern}${RegExp.escape(segment.slice(end))}$`)
}

/** Literal text as `encodeSlug` writes it, whether it was encoded before or not. */
function encoded(text: string): string {
  return text.replace(/(?:%[a-f0-9]{2})+|[^/%]+/gi, (part) =>
    part.startsWith('%') ? part.toLowerCase() : encodeSlug(part),
  )
}
