import type { SeoFields } from '../fields.ts'
import type { SocialImage } from './images.ts'
import type { Terms } from './terms.ts'

/** How a page looks where it is shared. */
export interface Social {
  readonly title: string
  readonly description: string
  readonly image: SocialImage
}

/** What the head of a page says of it. Texts are plain. Of a page that is not found only the title is known. */
export interface PageHead {
  readonly fields: SeoFields
  readonly terms: Terms
  /** As in `<title>`. */
  readonly title: string
  readonly description: string
  /** Absolute; `null` where a page has none (search, not found, previews). */
  readonly canonical: string | null
  readonly openGraph: Social
  readonly x: Social
}
