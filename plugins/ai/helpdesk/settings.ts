import { toggle } from 'pentad'
import { z } from 'zod'

const group = 'helpdesk'

export const helpdeskSettings = {
  helpdeskAgent: toggle('off', 'Helpdesk', 'Adds a button to every page that lets visitors contact you.', group),
  helpdeskConversation: toggle(
    'off',
    'AI answers',
    'Answers visitors’ questions using the site’s published content (Pro). Each answer uses tokens.',
    group,
  ),
  helpdeskEmail: z
    .union([z.literal(''), z.email()])
    .default('')
    .meta({
      title: 'Email recipient',
      description: 'Email address that receives messages. Leave empty to use the administration email address.',
      group,
    }),
  helpdeskInstructions: z.string().trim().max(2000).default('').meta({
    title: 'Instructions',
    description: 'Guidelines for AI answers, such as tone of voice or topics to avoid.',
    group,
  }),
  helpdeskRateLimit: z.int().min(1).max(1000).default(10).meta({
    title: 'Rate limit per visitor',
    description:
      'Maximum number of messages from one IP address within 10 minutes. Questions are counted separately, with the same limit.',
    group,
  }),
  helpdeskDailyTokenLimit: z.int().min(0).default(200_000).meta({
    title: 'Daily token limit',
    description:
      'Maximum number of tokens for AI answers per day (UTC). The default is enough for about 60 answers; after that, visitors can only send messages. Enter 0 for no limit.',
    group,
  }),
  helpdeskPosition: z
    .enum(['bottom-left', 'bottom-right'])
    .default('bottom-right')
    .meta({ title: 'Button position', description: 'Corner of the window where the button appears.', group }),
}

/** Settings used by the helpdesk. */
export type HelpdeskSettings = {
  readonly [Key in keyof typeof helpdeskSettings]: z.output<(typeof helpdeskSettings)[Key]>
}
