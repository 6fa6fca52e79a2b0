import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { escapeHtml } from 'pentad'
import type { Asset, AssetRequest } from '../assets/store.ts'
import { type FindLocalFile, type LocalFile, readText } from '../files/local-files.ts'
import { allowsInlineStyles } from '../html/content-policy.ts'
import type { HtmlDocument, HtmlElement } from '../html/document.ts'
import type { PageWork, Transform } from '../transform.ts'
import type { CriticalThread } from './critical-thread.ts'
import { minifyCss } from './css-code.ts'
import { createReadTokens, type HashedTokens, type ReadTokens, wordsOf } from './page-tokens.ts'
import { isSheetLink, isStyle } from './sheet-elements.ts'

/** Style sheets up to this size (bytes) are inlined completely: a request would take longer. */
const WHOLE = 8_000
/** Maximum critical CSS in bytes; more would make the page too large. */
const MOST_CRITICAL = 60_000
/** Maximum characters of `<style>` repeated after the sheets; beyond it, the sheets stay where they are. */
const MOST_REPEATED = 20_000

interface Sheet {
  readonly link: HtmlElement
  /** The part that the page needs. */
  readonly css: string
  readonly isInlined: boolean
}

/**
 * Inlines the rules that a page needs and loads the full sheets at the end of `<body>`, where they do not block
 * rendering. Works without scripts and with any content security policy that allows `<style>`. All rules that the page
 * uses are present from the start, so there is no layout shift when the sheets arrive.
 *
 * To preserve the cascade, everything after the first moved sheet is repeated after it.
 */
export function createCriticalCss(parts: { findLocalFile: FindLocalFile; thread: CriticalThread }): Transform {
  const { findLocalFile, thread } = parts
  /** By identity of the sheet. */
  const readers = new LRUCache<string, ReadTokens>({ max: 100 })
  const styles = new LRUCache<string, { readonly css: string | undefined }>({
    maxSize: 10_000_000,
    sizeCalculation: ({ css }) => 1 + (css?.length ?? 0),
  })

  /** The CSS of an asset; `undefined` if the file was deleted, or if a `<style>` cannot contain it. */
  async function styleOf({ file }: Asset): Promise<string | undefined> {
    const known = styles.get(file)
    if (known) return known.css
    const css = await readFile(file, 'utf8').catch(() => undefined)
    if (css === undefined) return undefined
    // `@import` is only valid at the start of a sheet, and `</style` would end the element.
    const style = { css: /<\/style|@import/i.test(css) ? undefined : css.replace(/^@charset "[^"]*";/, '') }
    styles.set(file, style)
    return style.css
  }

  async function tokensFor(file: LocalFile, document: HtmlDocument): Promise<HashedTokens> {
    const read = readers.get(file.identity) ?? createReadTokens(wordsOf(await readText(file)))
    readers.set(file.identity, read)
    return read(document)
  }

  /** @param used the tokens of the page; default: all rules */
  function sheetFor(url: URL, file: LocalFile, used: HashedTokens | undefined): AssetRequest {
    return {
      key: `critical 1 ${file.identity} ${used ? used.hash : 'whole'}`,
      type: 'css',
      source: url.pathname + url.search,
      async make(signal) {
        const css = await readText(file)
        const rules = used ? await thread.run({ css, tokens: used.tokens }, signal) : css
        const content = rules === undefined ? undefined : await minifyCss(rules, url)
        if (content === undefined || Buffer.byteLength(content) > MOST_CRITICAL) return undefined
        return { name: 'critical', extension: 'css', content, originalSize: Buffer.byteLength(css) }
      },
    }
  }

  async function sheetOf(link: HtmlElement, document: HtmlDocument, work: PageWork): Promise<Sheet | undefined> {
    const media = (link.attributes.get('media') ?? '').trim().toLowerCase()
    const isPlain =
      ['', 'all', 'screen'].includes(media) && !link.attributes.has('disabled') && !link.attributes.has('title')
    const url = isPlain ? work.resolve(link.attributes.get('href') ?? '') : undefined
    const file = url && !work.isExcluded(url.href) ? await findLocalFile(url) : undefined
    if (!url || !file) return undefined
    const isInlined = file.size <= WHOLE
    const used = isInlined ? undefined : await tokensFor(file, document)
    const asset = work.asset(sheetFor(url, file, used))
    const css = asset && (await styleOf(asset))
    return css === undefined ? undefined : { link, css, isInlined }
  }

  return {
    name: 'inlineCriticalCss',
    isOn: ({ inlineCriticalCss }) => inlineCriticalCss === 'on',
    async run(document, work) {
      if (!allowsInlineStyles(work.policies)) return
      const links = document
        .all('link')
        .filter((link) => isSheetLink(link) && !document.isIn(link, 'noscript', 'template', 'svg', 'body'))
      const found = await Promise.all(links.map((link) => sheetOf(link, document, work)))
      const sheets = new Map(found.flatMap((sheet) => (sheet ? [[sheet.link, sheet]] : [])))
      const repeated = sourcesAfterFirst(document, sheets)
      if (repeated === undefined) return
      for (const { link, css } of sheets.values()) document.replace(link, styleElement(link, css))
      document.appendToBody(repeated)
    },
  }
}

/**
 * HTML for the end of `<body>`: the full sheets and everything that must follow them; `undefined` if that is too large.
 */
function sourcesAfterFirst(document: HtmlDocument, sheets: ReadonlyMap<HtmlElement, Sheet>): string | undefined {
  const sources = document
    .allWithProtected('style', 'link')
    .filter(
      (element) =>
        isStyle(document, element) || (isSheetLink(element) && !document.isIn(element, 'noscript', 'template', 'svg')),
    )
  const first = sources.findIndex((element) => sheets.get(element)?.isInlined === false)
  if (first < 0) return ''
  let styles = 0
  const html = sources.slice(first).map((element) => {
    const sheet = sheets.get(element)
    if (sheet?.isInlined) {
      styles += sheet.css.length
      return styleElement(element, sheet.css)
    }
    const written = document.outer(element)
    if (element.name === 'link') return written
    styles += written.length
    return `<style${rest(element)}>${document.content(element)}</style>`
  })
  return styles > MOST_REPEATED ? undefined : html.join('')
}

function styleElement(link: HtmlElement, css: string): string {
  return `<style${rest(link)}>${css}</style>`
}

/** Attributes that a `<style>` inherits from the element that it replaces. Not `id`, which must be unique. */
function rest({ attributes }: HtmlElement): string {
  return ['media', 'nonce'].map((name) => attribute(name, attributes.get(name))).join('')
}

function attribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`
}
