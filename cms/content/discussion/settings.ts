import { z } from 'zod'

const toggle = (fallback: 'on' | 'off') => z.enum(['on', 'off']).default(fallback)
const words = z.string().max(20_000).default('')

/** WordPress's "Discussion" screen with its defaults, written over `PUT host/v1/settings/discussion`. */
export const discussionSchema = z.object({
  requireNameEmail: toggle('on').meta({
    title: 'Require name and email',
    description: 'Comment authors must fill out their name and email.',
  }),
  commentRegistration: toggle('off').meta({
    title: 'Registered users only',
    description: 'Users must be logged in to comment.',
  }),
  restAllowAnonymousComments: toggle('off').meta({
    title: 'Allow anonymous comments through the REST API',
    description: 'Lets apps submit comments for visitors who are not logged in. The comment form works either way.',
  }),
  closeCommentsForOldPosts: toggle('off').meta({ title: 'Close comments on old posts' }),
  closeCommentsDaysOld: z.int().min(0).max(36_500).default(14).meta({ title: 'Close comments after (days)' }),
  threadComments: toggle('on').meta({ title: 'Threaded (nested) comments' }),
  threadCommentsDepth: z.int().min(2).max(10).default(5).meta({ title: 'Maximum comment depth' }),
  commentModeration: toggle('off').meta({ title: 'Comments must be manually approved' }),
  commentPreviouslyApproved: toggle('on').meta({
    title: 'Require a previously approved comment',
    description: 'Holds a comment for moderation if its author has no previously approved comment.',
  }),
  commentMaxLinks: z.int().min(0).max(1000).default(2).meta({
    title: 'Number of links',
    description: 'Holds a comment for moderation if it contains this many links or more.',
  }),
  moderationKeys: words.meta({
    title: 'Comment moderation keys',
    description:
      'One word, IP address, or URL per line. Pentad holds comments that contain one of them for moderation.',
  }),
  disallowedKeys: words.meta({
    title: 'Disallowed comment keys',
    description: 'One word, IP address, or URL per line. Pentad moves comments that contain one of them to the trash.',
  }),
  commentsNotify: toggle('on').meta({ title: 'Email the post author about comments' }),
  moderationNotify: toggle('on').meta({
    title: 'Email the administrator and the post author about comments held for moderation',
  }),
})

export type DiscussionSettings = z.output<typeof discussionSchema>
