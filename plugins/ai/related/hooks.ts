import type { FilterShapes, Post } from 'pentad'

declare module 'pentad' {
  interface Filters {
    /**
     * Filters the heading above related posts, as plain text.
     * @param heading Text of the heading; default `Related posts`.
     * @param post The post that they are shown below.
     * @since 0.1.0
     */
    ai_related_posts_heading: [heading: string, post: Post]
  }
}

/** Valid results of these filters, checked at run time. */
export const filterShapes = {
  ai_related_posts_heading: 'string',
} satisfies FilterShapes
