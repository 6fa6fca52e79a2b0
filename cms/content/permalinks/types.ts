import type { Post } from '../posts/types.ts'

/** Year, and perhaps month and day, or the week, of a date archive. */
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
  /** Empty for `category` behind the front. */
  readonly category: string
  /** Empty for `tag` behind the front. */
  readonly tag: string
}

/** Paths of archives: the data of WordPress's `WP_Rewrite`. */
export interface Permalinks {
  /** The structure of posts' addresses; empty for plain ones. */
  readonly structure: string
  /** The part before the structure's first tag, `/` or `/blog/`. */
  readonly front: string
  /** In front of archives by date: `/`, `/blog/`, `/date/`. */
  readonly dateFront: string
  /** End of post URLs: a slash or nothing. */
  readonly end: '' | '/'
  /** @param slug of the author */
  author(slug: string): string
  /** @param name of the post type */
  type(name: string): string
  date(date: ArchiveDate): string
  /**
   * The path of a post with a name in place of its slug, as an editor shows it (WordPress's `get_sample_permalink`). Of
   * a draft the tags of its category and author stay.
   * @param name `%postname%`
   */
  template(post: Post, name: string): string
}
