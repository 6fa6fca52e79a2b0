import type { Post } from '../posts/types.ts'

/** Year, and optionally month and day, or the week, of a date archive. */
export interface ArchiveDate {
  readonly year: number
  readonly month?: number | undefined
  readonly day?: number | undefined
  /** Number of the week in the year, as WordPress counts; only without a month. */
  readonly week?: number | undefined
}

/** Bases of archives: categories and tags have their own bases; all others follow the front of the structure. */
export interface ArchiveBases {
  readonly front: string
  /** Empty for `category` after the front. */
  readonly category: string
  /** Empty for `tag` after the front. */
  readonly tag: string
}

/** Paths of archives: the data of `WP_Rewrite` in WordPress. */
export interface Permalinks {
  /** The permalink structure of posts; empty for plain permalinks. */
  readonly structure: string
  /** The part before the structure's first tag, `/` or `/blog/`. */
  readonly front: string
  /** Prefix of date archives: `/`, `/blog/`, `/date/`. */
  readonly dateFront: string
  /** End of post URLs: a slash or nothing. */
  readonly end: '' | '/'
  /** @param slug of the author */
  author(slug: string): string
  /** @param name of the post type */
  type(name: string): string
  date(date: ArchiveDate): string
  /**
   * The path of a post with a placeholder for its slug, for display in an editor (`get_sample_permalink` in WordPress). For a draft,
   * the tags for category and author are not replaced.
   * @param name `%postname%`
   */
  template(post: Post, name: string): string
}
