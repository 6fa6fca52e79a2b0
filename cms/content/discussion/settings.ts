import { z } from 'zod'

const toggle = (fallback: 'on' | 'off') => z.enum(['on', 'off']).default(fallback)
const words = z.string().max(20_000).default('')

/** WordPress's "Discussion" screen with its defaults, written over `PUT host/v1/settings/discussion`. */
export const discussionSchema = z.object({
  requireNameEmail: toggle('on').meta({ title: 'Name and email', description: 'Commenters must give both.' }),
  commentRegistration: toggle('off').meta({ title: 'Users only', description: 'Only who is logged in may comment.' }),
  restAllowAnonymousComments: toggle('off').meta({
    title: 'Visitors may comment over REST',
    description: 'Apps may send comments of visitors. The form on the site works either way.',
  }),
  closeCommentsForOldPosts: toggle('off').meta({ title: 'Close comments on old posts' }),
  closeCommentsDaysOld: z.int().min(0).max(36_500).default(14).meta({ title: 'Days after which a post is old' }),
  threadComments: toggle('on').meta({ title: 'Answers to comments' }),
  threadCommentsDepth: z.int().min(2).max(10).default(5).meta({ title: 'How deep answers are set in' }),
  commentModeration: toggle('off').meta({ title: 'Approve each comment by hand' }),
  commentPreviouslyApproved: toggle('on').meta({
    title: 'Trust known commenters',
    description: 'Otherwise the first comment of an author waits for approval.',
  }),
  commentMaxLinks: z.int().min(0).max(1000).default(2).meta({
    title: 'Links',
    description: 'A comment with that many links waits for approval.',
  }),
  moderationKeys: words.meta({
    title: 'Words to hold',
    description: 'One a line. A comment that contains one, anywhere, waits for approval.',
  }),
  disallowedKeys: words.meta({
    title: 'Words to throw away',
    description: 'One a line. A comment that contains one, anywhere, goes to the trash.',
  }),
  commentsNotify: toggle('on').meta({ title: 'Mail the author of a post about comments' }),
  moderationNotify: toggle('on').meta({ title: 'Mail about comments that wait for approval' }),
})

export type DiscussionSettings = z.output<typeof discussionSchema>
