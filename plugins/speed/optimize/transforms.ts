import type { ExtensionHost, Scripts } from 'pentad'
import { createCriticalCss } from './css/critical-css.ts'
import type { CriticalThread } from './css/critical-thread.ts'
import { createReadLocalSheet } from './css/local-sheets.ts'
import { createMinifyCss } from './css/minify-css.ts'
import { createReadPageSheets } from './css/page-sheets.ts'
import type { FindLocalFile } from './files/local-files.ts'
import { createFontDisplay } from './fonts/font-display.ts'
import { createFontFiles } from './fonts/font-files.ts'
import { createIsFontSheet } from './fonts/font-hosts.ts'
import { createPreloadFonts } from './fonts/preload-fonts.ts'
import { createSelfHostedFonts } from './fonts/self-hosted-fonts.ts'
import { createImageFormats } from './images/image-formats.ts'
import { createLazyImages } from './images/lazy-images.ts'
import { createDeferJs } from './js/defer-js.ts'
import { createMinifyJs } from './js/minify-js.ts'
import { createCdn } from './links/cdn.ts'
import { createPreloadLinks } from './links/preload-links.ts'
import { createSpeculationRules } from './links/speculation-rules.ts'
import type { Transform } from './transform.ts'

/** All transforms of the optimizer, in order. Minification of HTML follows, as the page is serialized. */
export function createTransforms(
  host: ExtensionHost,
  parts: { thread: CriticalThread; findLocalFile: FindLocalFile; scripts: Scripts },
): readonly Transform[] {
  const { thread, findLocalFile, scripts } = parts
  const isFontSheet = createIsFontSheet(host.hooks)
  const readSheet = createReadLocalSheet(findLocalFile)
  const readPageSheets = createReadPageSheets({ readSheet, isFontSheet })
  return [
    // Changes to style sheets come before minification.
    createFontDisplay({ readSheet, isFontSheet }),
    createSelfHostedFonts(host, { files: createFontFiles(host, { isFontSheet }), readSheet, isFontSheet }),
    createPreloadFonts(host, { readSheet }),
    // Image transforms come while the style sheets can still be read. Formats first, so that preloads match what
    // browsers select.
    createImageFormats(host, { findLocalFile, readPageSheets }),
    createLazyImages(host, { findLocalFile, readPageSheets }),
    createCriticalCss({ findLocalFile, thread }),
    createMinifyCss({ findLocalFile }),
    createMinifyJs({ findLocalFile }),
    createDeferJs({ findLocalFile }),
    // After everything that adds URLs to the page.
    createPreloadLinks(scripts),
    createSpeculationRules(host),
    createCdn(host),
  ]
}
