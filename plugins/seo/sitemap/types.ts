/** An image of a page. */
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
  /** Last modification of the content: ISO 8601, UTC, with `Z`. */
  readonly lastModified?: string | undefined
  readonly images?: readonly SitemapImage[] | undefined
}

/** A sitemap in the sitemap index. */
export interface SitemapPart {
  /** From 1. */
  readonly number: number
  /** Last modification of its newest page, as in `SitemapUrl`. */
  readonly lastModified?: string | undefined
}

/** All sitemaps of one kind of page. */
export interface Maps {
  /** The sitemaps that have pages. */
  list(): Promise<SitemapPart[]>
  /** The pages of one sitemap, ordered by ID; empty if it does not exist. */
  read(number: number): Promise<SitemapUrl[]>
  /** Cache tags. */
  readonly tags: readonly string[]
}
