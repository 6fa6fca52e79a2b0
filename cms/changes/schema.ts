import { z } from 'zod'

/** A purge as it can be stored. */
export const purgeSchema = z.object({
  scope: z.enum(['url', 'urls', 'pages', 'cache', 'everything']),
  urls: z.array(z.string()),
  tags: z.array(z.string()),
  reason: z.string(),
  soft: z.boolean().optional(),
})

/** A purge with its cause as stored in the change log. */
export const storedSchema = purgeSchema.extend({ cause: z.enum(['change', 'request']) })
