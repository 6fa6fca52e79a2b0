import type { LegacyId, LegacyPlugin } from '../types.ts'
import { aioseo } from './aioseo.ts'
import { rankMath } from './rank-math.ts'
import { seopress } from './seopress.ts'
import { slimSeo } from './slim-seo.ts'
import { squirrly } from './squirrly.ts'
import { theSeoFramework } from './the-seo-framework.ts'
import { yoast } from './yoast.ts'

/** The WordPress SEO plugins whose data can be imported, most common first. */
export const legacyPlugins: Readonly<Record<LegacyId, LegacyPlugin>> = {
  yoast,
  rankmath: rankMath,
  aioseo,
  seopress,
  seoframework: theSeoFramework,
  slimseo: slimSeo,
  squirrly,
}
