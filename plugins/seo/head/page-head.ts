import type { SeoFields } from '../fields.ts'
import type { SocialImage } from './images.ts'
import type { Terms } from './terms.ts'

/** Title, description and image for social sharing. */
export interface Social {
  readonly title: string
  readonly description: string
  readonly image: SocialImage
}

/** The head data of a page, as plain text. A 404 page only has a title. */
export interface PageHead {
  readonly fields: SeoFields
  readonly terms: Terms
  /** As in `<title>`. */
  readonly title: string
  readonly description: string
  readonly openGraph: Social
  readonly x: Social
}
