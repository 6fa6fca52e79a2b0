import type { ExtensionHost } from 'pentad'
import { createReadLocalSheet } from './css/local-sheets.ts'
import { readPageSheets } from './css/page-sheets.ts'
import type { FindLocalFile } from './files/local-files.ts'
import { createFontDisplay } from './fonts/font-display.ts'
import { createFontFiles } from './fonts/font-files.ts'
import { createIsFontSheet } from './fonts/font-hosts.ts'
import { createPreloadFonts } from './fonts/preload-fonts.ts'
import { createSelfHostedFonts } from './fonts/self-hosted-fonts.ts'
import type { HtmlDocument } from './html/document.ts'
import { createImageFormats } from './images/image-formats.ts'
import { createLazyImages } from './images/lazy-images.ts'
import { createCdn } from './links/cdn.ts'
import { createPreloadLinks } from './links/preload-links.ts'
import { createSpeculationRules } from './links/speculation-rules.ts'
import type { PageWork, Transform } from './transform.ts'

/** What the optimiser does about fonts: before style sheets are made smaller, which takes what it leaves. */
export function createFontTransforms(host: ExtensionHost, findLocalFile: FindLocalFile): readonly Transform[] {
  const isFontSheet = createIsFontSheet(host.hooks)
  const readSheet = createReadLocalSheet(findLocalFile)
  return [
    createFontDisplay({ readSheet, isFontSheet }),
    createSelfHostedFonts(host, { files: createFontFiles(host, { isFontSheet }), readSheet, isFontSheet }),
    createPreloadFonts(host, { readSheet }),
  ]
}

/** What it does about images: while the style sheets that decide about their look can still be read. */
export function createImageTransforms(host: ExtensionHost, findLocalFile: FindLocalFile): readonly Transform[] {
  const isFontSheet = createIsFontSheet(host.hooks)
  const readSheet = createReadLocalSheet(findLocalFile)
  const readSheets = (document: HtmlDocument, work: PageWork) =>
    readPageSheets(document, work, { readSheet, isFontSheet })
  // The formats first: what is preloaded then is what browsers choose.
  return [
    createImageFormats(host, { findLocalFile, readSheets }),
    createLazyImages(host, { findLocalFile, readSheets }),
  ]
}

/** What it does about links and addresses: after everybody who writes addresses into the page. */
export function createAddressTransforms(host: ExtensionHost): readonly Transform[] {
  return [createPreloadLinks(), createSpeculationRules(host), createCdn(host)]
}
