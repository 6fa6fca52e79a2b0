import { samePath } from '../permalinks/path.ts'
import { createStructureVotes } from './infer-structure.ts'
import { ownCopy } from './own-copy.ts'
import type { WxrItem } from './wxr.ts'

/** Statuses of items with a public URL; links of drafts do not resolve. */
export const PUBLISHED: ReadonlySet<string> = new Set(['publish', 'inherit', 'private'])
/** Share of the items that must have a base before it counts as a former URL of the site. */
const SHARE = 0.1
const MOST_BASES = 200

/** Collects the former addresses of the site from an export before anything is imported. */
export interface AddressScan {
  /** @param siteUrl the site's own address, as the export's head names it */
  note(item: WxrItem, siteUrl: string | undefined): void
  /** The structure of its posts' URLs; `undefined` if they have none in common. */
  structure(): string | undefined
  /** Other addresses of the site: guids and links retain former hosts. */
  bases(urls: readonly string[]): string[]
  /** Possible former addresses, which may also be those of other sites from which posts were copied. */
  doubtfulBases(urls: readonly string[]): string[]
  /** The folders on the old site's host that contained the site or its files: `/blog`. */
  folders(urls: readonly string[]): string[]
}

/** The head of the export is read on first use. */
export function createAddressScan(): AddressScan {
  /** Number of items per base, and whether it was certainly a URL of the site. */
  const bases = new Map<string, { count: number; isOwn: boolean }>()
  const votes = createStructureVotes()
  let items = 0

  function countBase(url: string | undefined, isOwn: boolean): void {
    if (url === undefined) return
    const known = bases.get(url) ?? { count: 0, isOwn: false }
    if (known.count > 0 || bases.size < MOST_BASES)
      bases.set(ownCopy(url), { count: known.count + 1, isOwn: known.isOwn || isOwn })
  }

  function commonBases(urls: readonly string[], isOwn: boolean): string[] {
    const known = new Set(urls.map(withoutSlash))
    const common = [...bases].filter(
      ([base, counted]) =>
        !known.has(base) && counted.isOwn === isOwn && counted.count > 2 && counted.count >= items * SHARE,
    )
    return common.map(([base]) => base)
  }

  return {
    note(item, siteUrl) {
      if (!PUBLISHED.has(item.status)) return
      items++
      const link = URL.parse(item.link)
      const isWeb = link?.protocol === 'http:' || link?.protocol === 'https:'
      const below = isWeb ? pathBelow(rootOf(siteUrl), link.pathname) : undefined
      const [, ofPlain] = /^(https?:\/\/[^?#]+?)\/?\?(?:p|page_id|attachment_id|post_type)=/i.exec(item.guid) ?? []
      const ofLink = isWeb ? link.origin : undefined
      for (const base of new Set([ofPlain, ofLink])) countBase(base, true)
      const ofPath = below === undefined ? undefined : baseOf(item.guid, below)
      if (item.type === 'attachment') countBase(baseOfFiles(item.attachmentUrl, siteUrl), true)
      // Posts copied from other sites keep their guids; pages and media are not copied that way.
      if (ofPath !== ofLink) countBase(ofPath, item.type !== 'post')
      if (item.type === 'post' && item.status === 'publish' && isWeb && below !== undefined)
        votes.note(item, below + link.search)
    },
    structure: () => votes.winner(),
    bases: (urls) => commonBases(urls, true),
    doubtfulBases: (urls) => commonBases(urls, false),
    folders(urls) {
      const host = hostOf(urls[0])
      const onHost = commonBases(urls, true).filter((base) => hostOf(base) === host)
      return [...onHost, ...urls.slice(0, 1)].map(rootOf).filter((root) => root !== '')
    },
  }
}

/** The folder of a site: `/sub/blog` of `https://example.org/sub/blog/`; empty for none. */
export function rootOf(siteUrl: string | undefined): string {
  return withoutSlash(URL.parse(siteUrl ?? '')?.pathname ?? '')
}

/** The path of an address below a site's folder: `/about/`. */
function pathBelow(root: string, path: string): string | undefined {
  const below = path.slice(root.length)
  return samePath(path.slice(0, root.length), root) && /^(?:\/|$)/.test(below) ? below || '/' : undefined
}

/**
 * The former address of the site if a guid matches the item's own link there. WordPress creates such guids for posts published immediately,
 * over REST or by `wp post create`.
 */
function baseOf(guid: string, path: string): string | undefined {
  if (path === '/' || !/^https?:\/\/[^/?#]+\/[^?#]*$/i.test(guid)) return undefined
  const at = guid.length - path.length
  return samePath(guid.slice(at), path) && URL.canParse(guid.slice(0, at)) ? guid.slice(0, at) : undefined
}

/** If WordPress is installed in a folder below the site, so are its files: `https://example.org/wp`. */
function baseOfFiles(url: string, siteUrl: string | undefined): string | undefined {
  const [, base] = /^(https?:\/\/[^?#]+?)\/wp-content\/uploads\//i.exec(url) ?? []
  const isBelow =
    base !== undefined && hostOf(base) === hostOf(siteUrl) && rootOf(base).startsWith(`${rootOf(siteUrl)}/`)
  return isBelow ? base : undefined
}

const hostOf = (url: string | undefined) => URL.parse(url ?? '')?.host.replace(/^www\./, '')
const withoutSlash = (url: string) => url.replace(/\/+$/, '')
