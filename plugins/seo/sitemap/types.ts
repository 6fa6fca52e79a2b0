/** An image that a page shows. */
export interface SitemapImage {
  /** Absolute URL. */
  readonly url: string
  /** Plain text. */
  readonly title?: string | undefined
}

/** A page of the site in a sitemap. */
export interface SitemapUrl {
  /** Absolute URL on this site. */
  readonly url: string
  /** When what it shows changed last: ISO 8601, UTC, with `Z`. */
  readonly lastModified?: string | undefined
  readonly images?: readonly SitemapImage[] | undefined
}

/** A sitemap in the index of them. */
export interface SitemapPart {
  /** From 1. */
  readonly number: number
  /** When the newest of its pages changed, as in `SitemapUrl`. */
  readonly lastModified?: string | undefined
}

/** All sitemaps of one kind of pages. */
export interface Maps {
  /** Those that have pages. */
  list(): Promise<SitemapPart[]>
  /** The pages of one of them, in the order of their ids; none if there is no such map. */
  read(number: number): Promise<SitemapUrl[]>
  /** What they depend on, for caches. */
  readonly tags: readonly string[]
}
