import { toggle } from 'pentad'
import { z } from 'zod'

const group = 'related'

export const relatedSettings = {
  aiRelatedPosts: toggle(
    'off',
    'Related posts',
    'Shows similar posts below each post. Uses the embedding model of a connected provider, or keyword matching.',
    group,
  ),
  aiRelatedPostsQuantity: z
    .int()
    .min(1)
    .max(12)
    .default(3)
    .meta({ title: 'Number of related posts', description: 'Maximum number of related posts below each post.', group }),
}

/** Settings used by related posts. */
export type RelatedSettings = {
  readonly [Key in keyof typeof relatedSettings]: z.output<(typeof relatedSettings)[Key]>
}
