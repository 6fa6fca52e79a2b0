import type { Database } from '../../../core/database/index.ts'
import type { Options } from '../../../core/options/types.ts'
import { createBackgroundYield } from '../../threads/yielding.ts'
import { rememberFolder } from '../permalinks/former-folders.ts'
import { rememberStructure } from '../permalinks/history.ts'
import { joinPath, samePath, splitPath } from '../permalinks/path.ts'
import { normalizeStructure } from '../permalinks/structure.ts'
import { rememberPath } from '../posts/former-paths.ts'
import { SITE_DEFAULTS } from '../site-settings.ts'
import type { Content, Post } from '../types.ts'
import { type AddressScan, PUBLISHED, rootOf } from './address-scan.ts'
import type { ImportJournal } from './journal.ts'
import { ownCopy } from './own-copy.ts'
import { type ImportReport, note } from './report.ts'
import type { WxrItem } from './wxr.ts'

/** Preserves the former URLs of imported content, as its URLs on this site or as redirects. */
export interface OldAddresses {
  /** Sets the structure if this site has not chosen one; otherwise redirects its addresses. */
  begin(isNewSite: boolean): Promise<void>
  note(item: WxrItem, id: number): void
  /** Called when everything is imported: adds redirects for changed URLs, and reports unreachable ones. */
  finish(): Promise<void>
}

export function createOldAddresses(parts: {
  content: Content
  database: Database
  options: Options
  scan: AddressScan
  /** Addresses of the old site, its own first. */
  urls: readonly string[]
  journal: ImportJournal
  dryRun: boolean
  report: ImportReport
}): OldAddresses {
  const { content, database, options, scan, urls, journal, dryRun, report } = parts
  const root = rootOf(urls[0])
  const noted: { id: number; path: string; url: string }[] = []
  let frontId = 0
  let isTakenOver = false

  /** The path of a URL as parsed in requests; with its query for plain permalinks. */
  function pathOf(link: string): string | undefined {
    const url = URL.parse(link)
    if (!url || !/^https?:$/.test(url.protocol)) return undefined
    if (/^\?(?:p|page_id|attachment_id|post_type)=/.test(url.search)) return `/${url.search}`
    const split = splitPath(url.pathname)
    return split && joinPath(split[0]?.toLowerCase() === 'index.php' ? split.slice(1) : split)
  }

  /** A type that is not registered here had pages unless its links say that it had none: `/?post_type=wp_block&p=7`. */
  function hadPage(type: string, path: string): boolean {
    const known = content.postTypes().get(type)
    return known ? known.public : !/^(?:wp_|custom_css$)/.test(type) && !path.startsWith('/?')
  }

  async function atAddress(path: string): Promise<Post | undefined> {
    const id = Number(/^\/\?(?:p|page_id|attachment_id|post_type=[\w-]+&p)=(\d+)$/.exec(path)?.[1] ?? 0)
    return (
      (id > 0 ? await content.posts.get(id) : await content.posts.getByPath(path)) ??
      (await content.posts.getByFormerPath(path))
    )
  }

  async function keep({ id, path, url }: (typeof noted)[number]): Promise<void> {
    const post = await content.posts.get(id)
    if (!post) return
    if (samePath(post.path.replace(/\/?$/, '/'), path) || post.path === path) report.addresses.kept++
    else if (post.path === '') {
      // The post that the attachment belongs to is not public.
      if (post.type !== 'attachment') note(report.addresses.lost, url)
    } else {
      if ((await atAddress(path))?.id !== id) await rememberPath(database.db, id, path)
      if ((await atAddress(path))?.id === id) report.addresses.redirected++
      else note(report.addresses.lost, url)
    }
  }

  return {
    async begin(isNewSite) {
      const { permalinkStructure } = content.siteSettings()
      isTakenOver = journal.take('addresses') || (isNewSite && permalinkStructure === SITE_DEFAULTS.permalinkStructure)
      if (isTakenOver) await journal.note('addresses')
      if (!dryRun) for (const folder of scan.folders(urls)) await rememberFolder(options, folder)
      const structure = scan.structure()
      if (structure === undefined) return
      report.permalinkStructure = isTakenOver ? structure : permalinkStructure
      if (dryRun) return
      if (isTakenOver) await content.updateSiteSettings({ permalinkStructure: structure })
      else if (structure !== permalinkStructure) await rememberStructure(options, structure)
      if (root !== '' && structure !== '') await rememberStructure(options, normalizeStructure(root + structure))
    },
    note(item, id) {
      const path = PUBLISHED.has(item.status) && item.slug !== '' ? pathOf(item.link) : undefined
      if (path === undefined || !hadPage(item.type, path)) return
      // The front page has the address of the site.
      if (item.type === 'page' && path === joinPath(splitPath(root) ?? [])) frontId = id
      if (path !== '/') noted.push({ id, path: ownCopy(path), url: ownCopy(item.link) })
    },
    async finish() {
      const yieldTurn = createBackgroundYield()
      for (const each of noted) {
        await yieldTurn()
        await keep(each)
      }
      if (frontId === 0 || !isTakenOver || content.siteSettings().showOnFront === 'page') return
      await content.updateSiteSettings({ showOnFront: 'page', pageOnFront: frontId })
      note(
        report.warnings,
        'The static homepage was imported. The export does not include the posts page: select it under Settings → Reading.',
      )
    },
  }
}
