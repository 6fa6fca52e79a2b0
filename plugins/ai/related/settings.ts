import { toggle } from 'pentad'
import { z } from 'zod'

const group = 'related'

export const relatedSettings = {
  aiRelatedPosts: toggle(
    'off',
    'Related posts',
    'Below each post those that are most like it: by a model of a connected provider that has one for it, else by their words.',
    group,
  ),
  aiRelatedPostsQuantity: z
    .int()
    .min(1)
    .max(12)
    .default(3)
    .meta({ title: 'Number of related posts', description: 'How many show below a post at most.', group }),
}

/** What related posts read of the settings. */
export type RelatedSettings = {
  readonly [Key in keyof typeof relatedSettings]: z.output<(typeof relatedSettings)[Key]>
}
