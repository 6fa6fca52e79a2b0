import { basename } from 'node:path'
import { type AssetRequest, MAX_SIZE_RATIO } from '../assets/store.ts'
import { type FindLocalFile, type LocalFile, readText } from '../files/local-files.ts'
import { memoize } from '../memoize.ts'
import type { Transform } from '../transform.ts'
import { minifyCss } from './css-code.ts'
import { isSheetLink, isStyle } from './sheet-elements.ts'

/** The minified copy of a style sheet of this site. */
function minifiedSheet(url: URL, file: LocalFile): AssetRequest {
  return {
    key: `css 1 ${file.identity}`,
    type: 'css',
    source: url.pathname + url.search,
    async make() {
      const css = await readText(file)
      const content = await minifyCss(css, url)
      const originalSize = Buffer.byteLength(css)
      if (content === undefined || Buffer.byteLength(content) > originalSize * MAX_SIZE_RATIO) return undefined
      return { name: basename(url.pathname, '.css'), extension: 'css', content, originalSize }
    },
  }
}

/** Minifies style sheets of this site (as assets) and `<style>` elements. External sheets are unchanged. */
export function createMinifyCss(parts: { findLocalFile: FindLocalFile }): Transform {
  const { findLocalFile } = parts
  /** `''` if it cannot be minified. */
  const minified = memoize(async (css) => (await minifyCss(css)) ?? '')

  async function minifyStyle(css: string): Promise<string | undefined> {
    const shorter = await minified(css)
    // `</style` would end the element, even in a string.
    return shorter === '' || /<\/style/i.test(shorter) ? undefined : shorter
  }

  return {
    name: 'minifyCss',
    isOn: (settings) => settings.minifyCss === 'on',
    async run(document, work) {
      const copies = new Map<string, string>()
      for (const link of document.all('link').filter(isSheetLink)) {
        const url = work.resolve(document.attribute(link, 'href') ?? '')
        const file = url && !work.isExcluded(url.href) ? await findLocalFile(url) : undefined
        const asset = url && file && work.asset(minifiedSheet(url, file))
        if (!asset) continue
        copies.set(url.href, work.assetUrl(asset))
        // The integrity hash is that of the original.
        document.setAttributes(link, { href: work.assetUrl(asset), integrity: null })
      }
      for (const link of document.all('link')) {
        const copy = copies.get(work.resolve(document.attribute(link, 'href') ?? '')?.href ?? '')
        if (copy && link.attributes.get('rel')?.toLowerCase() === 'preload')
          document.setAttributes(link, { href: copy, integrity: null })
      }
      for (const style of document.all('style').filter((element) => isStyle(document, element))) {
        const css = document.content(style)
        const shorter = work.isExcluded(css) ? undefined : await minifyStyle(css)
        if (shorter !== undefined) document.setContent(style, shorter)
      }
    },
  }
}
