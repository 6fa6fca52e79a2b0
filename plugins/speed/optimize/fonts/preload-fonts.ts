import { type ExtensionHost, escapeHtml } from 'pentad'
import type { ReadLocalSheet } from '../css/local-sheets.ts'
import { isSheetLink, isStyle } from '../css/sheet-elements.ts'
import type { Transform } from '../transform.ts'
import { type FontFace, readFontFaces } from './font-face.ts'
import { type FontUse, readFontUses } from './font-use.ts'

/** Maximum preloaded fonts; more would delay other resources. */
const MOST = 2

/** A font of a sheet with the URL of its woff2 file. */
interface Offer extends FontFace {
  readonly url: URL
}

/**
 * Preloads the fonts of body text and headings, which browsers otherwise discover after the style sheets. Only if the
 * family is named directly, the file is on this site, and no local font may be used instead.
 */
export function createPreloadFonts(host: ExtensionHost, parts: { readSheet: ReadLocalSheet }): Transform {
  const { readSheet } = parts
  const site = new URL(host.site.url)

  return {
    name: 'fontDisplaySwap',
    isOn: ({ fontDisplaySwap }) => fontDisplaySwap === 'on',
    async run(document, work) {
      const isPreloaded = document
        .allWithProtected('link')
        .some(({ attributes }) => attributes.get('rel') === 'preload' && attributes.get('as') === 'font')
      if (isPreloaded) return
      const offers: Offer[] = []
      const uses: FontUse[] = []
      const read = async (css: string, resolve: (address: string) => Readonly<URL> | undefined) => {
        uses.push(...(await readFontUses(css)))
        for (const face of await readFontFaces(css)) {
          const [source] = face.sources
          const url = source && resolve(source.url)
          const isWoff2 = source?.format === 'woff2' || url?.pathname.endsWith('.woff2')
          if (url && isWoff2 && url.host === site.host && !face.isLocal && !work.isExcluded(url.href))
            offers.push({ ...face, url })
        }
      }
      for (const element of document.all('style', 'link')) {
        if (element.name === 'style' && isStyle(document, element)) {
          await read(document.content(element), work.resolve)
        } else if (isSheetLink(element) && !element.attributes.has('media')) {
          const url = work.resolve(element.attributes.get('href') ?? '')
          const sheet = url && (await readSheet(url))
          if (sheet) await read(sheet.css, (address) => URL.parse(address, url.href) ?? undefined)
        }
      }
      const wanted = uses.map((use) => bestOffer(use, offers)?.url.href).filter((url) => url !== undefined)
      for (const url of [...new Set(wanted)].slice(0, MOST))
        document.prependToHead(
          `<link rel="preload" as="font" type="font/woff2" href="${escapeHtml(shortened(url, site))}" crossorigin>`,
        )
    },
  }
}

/** The upright Latin font of the family with the nearest weight. */
function bestOffer({ family, weight }: FontUse, offers: readonly Offer[]): Offer | undefined {
  const distance = ({ weights: [from, to] }: Offer) => Math.max(from - weight, weight - to, 0)
  return offers
    .filter((offer) => offer.family === family && !offer.isItalic && offer.isLatin)
    .toSorted((a, b) => distance(a) - distance(b))[0]
}

function shortened(url: string, { origin }: URL): string {
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
}
