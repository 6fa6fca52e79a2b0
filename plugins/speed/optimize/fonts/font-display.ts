import { rebased } from '../css/css-urls.ts'
import type { ReadLocalSheet } from '../css/local-sheets.ts'
import { isSheetLink, isStyle } from '../css/sheet-elements.ts'
import type { HtmlElement } from '../html/document.ts'
import type { Transform } from '../transform.ts'
import { isIconFont, withFontDisplay } from './font-face.ts'
import type { IsFontSheet } from './font-hosts.ts'

/**
 * Shows text in a fallback font until the web font has loaded: adds `font-display: swap` where it is missing, in
 * `<style>` elements, in sheets of this site (as assets), and as `display=swap` for font services.
 */
export function createFontDisplay(parts: { readSheet: ReadLocalSheet; isFontSheet: IsFontSheet }): Transform {
  const { readSheet, isFontSheet } = parts

  return {
    name: 'fontDisplaySwap',
    isOn: ({ fontDisplaySwap }) => fontDisplaySwap === 'on',
    async run(document, work) {
      for (const style of document.all('style').filter((element) => isStyle(document, element))) {
        const css = document.content(style)
        const other = work.isExcluded(css) ? css : await withFontDisplay(css)
        if (other !== css) document.setContent(style, other)
      }
      for (const link of document.all('link')) {
        const url = work.resolve(link.attributes.get('href') ?? '')
        if (!url || work.isExcluded(url.href)) continue
        if (isFontSheet(url, work)) {
          if (takesDisplay(link, url)) document.setAttributes(link, { href: withDisplay(url) })
          continue
        }
        const sheet = isSheetLink(link) ? await readSheet(url) : undefined
        const asset =
          sheet?.hasFonts &&
          work.asset({
            key: `font-display ${sheet.identity}`,
            type: 'css',
            source: url.pathname + url.search,
            async make() {
              const swapped = await withFontDisplay(sheet.css)
              const content = swapped === sheet.css ? undefined : rebased(swapped, url)
              if (content === undefined) return undefined
              return { name: sheet.name, extension: 'css', content, originalSize: Buffer.byteLength(sheet.css) }
            },
          })
        if (asset) document.setAttributes(link, { href: work.assetUrl(asset), integrity: null })
      }
    },
  }
}

/** The Google Fonts API, which others implement too. A preload must match the style sheet URL. */
function takesDisplay({ attributes }: HtmlElement, url: URL): boolean {
  const relation = attributes.get('rel')?.toLowerCase()
  const isSheet = relation === 'stylesheet' || (relation === 'preload' && attributes.get('as') === 'style')
  return isSheet && /^\/css2?$/.test(url.pathname) && !url.searchParams.has('display') && !isIconFont(url.search)
}

/** Appended as text so that the query is unchanged, for example `family=A|B`. */
function withDisplay(url: URL): string {
  return `${url.origin}${url.pathname}${url.search}${url.search ? '&' : '?'}display=swap`
}
