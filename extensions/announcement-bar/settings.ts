import { z } from 'zod'

/** Settings of the announcement bar. */
export const settingsSchema = z.object({
  message: z
    .string()
    .max(300)
    .default('')
    .meta({ title: 'Message', description: 'Plain text. Leave empty to hide the bar.' }),
  linkUrl: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .default('')
    .meta({ title: 'Link URL', description: 'Leave empty for no link.' }),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'It must be a color, such as #1d4ed8.')
    .default('#1d4ed8')
    .meta({ title: 'Color' }),
})

export type BarSettings = z.output<typeof settingsSchema>
