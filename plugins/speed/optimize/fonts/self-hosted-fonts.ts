import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type ExtensionHost, escapeHtml } from 'pentad'
import type { Asset } from '../assets/store.ts'
import { rebased, replaceRanges } from '../css/css-urls.ts'
import type { ReadLocalSheet } from '../css/local-sheets.ts'
import { isSheetLink, isStyle } from '../css/sheet-elements.ts'
import { allowsInlineStyles } from '../html/content-policy.ts'
import type { HtmlDocument, HtmlElement } from '../html/document.ts'
import type { PageWork, Transform } from '../transform.ts'
import { type FontSource, readFontFaces } from './font-face.ts'
import type { FontFiles } from './font-files.ts'
import type { IsFontSheet } from './font-hosts.ts'

/** Maximum fonts per sheet; sheets with more (such as CJK fonts in a hundred subsets) are unchanged. */
const MOST_FONTS = 60

/**
 * Serves fonts of other hosts from this site, which saves connections and protects the privacy of visitors. A sheet of
 * a font service is inlined, with its unicode ranges, once all its fonts are available; until then the page is
 * unchanged. The same applies to `@font-face` in the page's `<style>`.
 */
export function createSelfHostedFonts(
  host: ExtensionHost,
  parts: { files: FontFiles; isFontSheet: IsFontSheet; readSheet: ReadLocalSheet },
): Transform {
  const { files, isFontSheet, readSheet } = parts
  const { host: own } = new URL(host.site.url)

  /** Replaces all external fonts of a sheet; `undefined` while one of them is missing. */
  async function withOwnFonts(css: string, resolve: PageWork['resolve'], work: PageWork): Promise<string | undefined> {
    const remote = (await readFontFaces(css))
      .flatMap(({ sources }) => bestSources(sources))
      .flatMap((source) => {
        const url = resolve(source.url)
        const isExternal = url && url.host !== own && files.canFetch(url, work) && !work.isExcluded(url.href)
        return isExternal ? [{ ...source, url }] : []
      })
    if (new Set(remote.map(({ url }) => url.href)).size > MOST_FONTS) return undefined
    const copies = remote.map(({ start, end, url }) => ({ start, end, asset: work.asset(files.font(url)) }))
    const ranges = copies.flatMap(({ start, end, asset }) =>
      asset ? [{ start, end, text: `url("${work.assetUrl(asset)}")` }] : [],
    )
    return ranges.length === copies.length ? replaceRanges(css, ranges) : undefined
  }

  async function ownSheet(url: URL, work: PageWork): Promise<string | undefined> {
    const sheet = work.asset(files.sheet(url))
    if (!sheet) return undefined
    const css = await readFile(sheet.file, 'utf8').catch(() => undefined)
    const own = css && (await withOwnFonts(css, resolveIn(url), work))
    // `</style` in it would end the element.
    return own && !own.includes('</') ? own : undefined
  }

  /** A copy of a sheet of this site with self-hosted fonts, once they are available. */
  async function sheetCopy(url: URL, work: PageWork): Promise<Asset | undefined> {
    const sheet = await readSheet(url)
    const own = sheet?.hasFonts && (await withOwnFonts(sheet.css, resolveIn(url), work))
    if (!own || own === sheet.css) return undefined
    return work.asset({
      key: `font css ${hash('sha256', `${url.href} ${own}`, 'hex')}`,
      type: 'css',
      source: url.pathname + url.search,
      async make() {
        const content = rebased(own, url)
        return content === undefined
          ? undefined
          : { name: sheet.name, extension: 'css', content, originalSize: own.length }
      },
    })
  }

  return {
    name: 'selfHostFonts',
    isOn: ({ selfHostFonts }) => selfHostFonts === 'on',
    async run(document, work) {
      if (!allowsInlineStyles(work.policies)) return
      const links = document.all('link').flatMap((element) => {
        const url =
          isFontLink(element) && !document.isIn(element, 'template')
            ? work.resolve(element.attributes.get('href') ?? '')
            : undefined
        const isWanted = url && isFontSheet(url, work) && files.canFetch(url, work) && !work.isExcluded(url.href)
        return isWanted ? [{ element, url }] : []
      })
      const sheets = new Map<string, string>()
      for (const { url } of links) {
        const css = sheets.has(url.href) ? undefined : await ownSheet(url, work)
        if (css !== undefined) sheets.set(url.href, css)
      }
      replaceLinks(document, links, sheets)
      if (links.length > 0 && links.every(({ url }) => sheets.has(url.href))) removeHints(document, links, work)
      for (const element of document.all('link').filter(isSheetLink)) {
        const url = work.resolve(element.attributes.get('href') ?? '')
        const copy = url && !work.isExcluded(url.href) ? await sheetCopy(url, work) : undefined
        if (copy) document.setAttributes(element, { href: work.assetUrl(copy), integrity: null })
      }
      for (const element of document.all('style').filter((style) => isStyle(document, style))) {
        const css = document.content(element)
        const other = await withOwnFonts(css, work.resolve, work)
        if (other !== undefined && other !== css) document.setContent(element, other)
      }
    },
  }
}

/** Resolves addresses in a sheet. */
function resolveIn(sheet: Readonly<URL>): PageWork['resolve'] {
  return (address) => URL.parse(address, sheet.href) ?? undefined
}

/** Only woff2 if available, otherwise all formats. */
function bestSources(sources: readonly FontSource[]): readonly FontSource[] {
  const best = sources.find(({ format, url }) => format === 'woff2' || /\.woff2(?:[?#]|$)/i.test(url))
  return best ? [best] : sources
}

function isFontLink({ attributes }: HtmlElement): boolean {
  const relation = attributes.get('rel')?.toLowerCase() ?? ''
  if (relation === 'preload') return attributes.get('as')?.toLowerCase() === 'style'
  return relation === 'stylesheet' && !attributes.has('disabled')
}

/** Whether it applies the sheet; a preload with `onload` does too. */
function isApplied({ attributes }: HtmlElement): boolean {
  return attributes.get('rel')?.toLowerCase() === 'stylesheet' || attributes.has('onload')
}

/** Replaces the first link to each sheet by its contents and removes further links to it. */
function replaceLinks(
  document: HtmlDocument,
  links: readonly { readonly element: HtmlElement; readonly url: URL }[],
  sheets: ReadonlyMap<string, string>,
): void {
  const active = new Map<string, HtmlElement>()
  for (const { element, url } of links) {
    const takesPart = !document.isIn(element, 'noscript') && isApplied(element)
    if (takesPart && !active.has(url.href)) active.set(url.href, element)
  }
  for (const { element, url } of links) {
    const css = sheets.get(url.href)
    const instead = active.get(url.href)
    if (css === undefined || !instead) continue
    if (element !== instead) {
      document.remove(element)
      continue
    }
    // A sheet that is enabled by `onload` applies to all media.
    const media = element.attributes.has('onload') ? undefined : element.attributes.get('media')
    const attribute = media ? ` media="${escapeHtml(media)}"` : ''
    document.replace(element, `<style${attribute}>${css}</style>`)
  }
}

/** Removes resource hints that are no longer needed: for the services, and for Google's font host. */
function removeHints(document: HtmlDocument, links: readonly { readonly url: URL }[], work: PageWork): void {
  const hosts = new Set([...links.map(({ url }) => url.host), 'fonts.gstatic.com'])
  for (const element of document.all('link')) {
    if (!/^(?:preconnect|dns-prefetch)$/i.test(element.attributes.get('rel') ?? '')) continue
    const url = work.resolve(element.attributes.get('href') ?? '')
    if (url && hosts.has(url.host)) document.remove(element)
  }
}
