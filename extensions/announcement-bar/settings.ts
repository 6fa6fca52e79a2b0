import { z } from 'zod'

/** What an owner can set, and what the settings form shows. */
export const settingsSchema = z.object({
  message: z.string().max(300).default('').meta({ title: 'Message', description: 'Plain text; empty shows no bar.' }),
  linkUrl: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .default('')
    .meta({ title: 'Link', description: 'Where the message leads; empty for no link.' }),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #1d4ed8')
    .default('#1d4ed8')
    .meta({ title: 'Color' }),
})

export type BarSettings = z.output<typeof settingsSchema>
