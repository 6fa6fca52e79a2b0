import type { FilterShapes, Post } from 'pentad'

declare module 'pentad' {
  interface Filters {
    /**
     * The heading above related posts; plain text.
     * @param heading `Related posts`
     * @param post below which they stand
     * @since 0.1.0
     */
    ai_related_posts_heading: [heading: string, post: Post]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  ai_related_posts_heading: 'string',
} satisfies FilterShapes
