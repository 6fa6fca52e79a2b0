import { z } from 'zod'

/** Settings of the spam check. */
export const settingsSchema = z.object({
  serverUrl: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .default('https://rest.akismet.com')
    .meta({
      title: 'Server',
      description:
        'A server with an Akismet-compatible API. The text of each comment and its author’s name, email address, website, and IP address are sent to it.',
    }),
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]{0,200}$/, 'It must not contain spaces or special characters.')
    .default('')
    .meta({
      title: 'API key',
      description:
        'The key from your Akismet account, or for the compatible server. Without a key, comments are not checked.',
      secret: true,
      boundTo: ['serverUrl'],
    }),
})

export type SpamCheckSettings = z.output<typeof settingsSchema>
