import { toggle } from 'pentad'
import { z } from 'zod'

const group = 'helpdesk'

export const helpdeskSettings = {
  helpdeskAgent: toggle('off', 'Helpdesk', 'A button on every page by which visitors write to you.', group),
  helpdeskConversation: toggle(
    'off',
    'Answers',
    'A model answers visitors, from what is published on the site (Pro). Each answer costs tokens.',
    group,
  ),
  helpdeskEmail: z
    .union([z.literal(''), z.email()])
    .default('')
    .meta({
      title: 'Address',
      description: 'Who gets what visitors write. Empty: the address of the administrator.',
      group,
    }),
  helpdeskInstructions: z.string().trim().max(2000).default('').meta({
    title: 'Instructions',
    description: 'How the model should answer: tone, what it should never say.',
    group,
  }),
  helpdeskRateLimit: z.int().min(1).max(1000).default(10).meta({
    title: 'Limit for each visitor',
    description: 'Mails, and questions, that may come from one network within ten minutes.',
    group,
  }),
  helpdeskDailyTokenLimit: z.int().min(0).default(200_000).meta({
    title: 'Daily token limit',
    description:
      'Tokens that answers to visitors may use in a day (UTC), about 60 answers by default; afterwards visitors can write an email. 0 for no limit.',
    group,
  }),
  helpdeskPosition: z
    .enum(['bottom-left', 'bottom-right'])
    .default('bottom-right')
    .meta({ title: 'Place of the button', description: 'Corner of the window.', group }),
}

/** What the helpdesk reads of the settings. */
export type HelpdeskSettings = {
  readonly [Key in keyof typeof helpdeskSettings]: z.output<(typeof helpdeskSettings)[Key]>
}
