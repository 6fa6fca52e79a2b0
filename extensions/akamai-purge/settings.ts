import { z } from 'zod'

const token = z
  .string()
  .regex(/^[\x21-\x7e]{0,200}$/, 'It must not contain spaces or special characters.')
  .default('')

/** Settings of the Akamai extension. */
export const settingsSchema = z.object({
  host: z
    .string()
    .regex(/^([a-z0-9-]{1,100}(\.purge)?\.akamaiapis\.net|[a-z0-9-]{1,100}\.luna\.akamaiapis\.net)?$/, {
      error: 'It must end in .akamaiapis.net.',
    })
    .default('')
    .meta({ title: 'Host', description: 'The host of an API client with access to CCU APIs, as in its .edgerc file.' }),
  clientToken: token.meta({ title: 'Client token' }),
  accessToken: token.meta({ title: 'Access token' }),
  clientSecret: token.meta({ title: 'Client secret', secret: true, boundTo: ['host'] }),
  network: z
    .enum(['production', 'staging'])
    .default('production')
    .meta({ title: 'Network', description: 'The Akamai network that serves the site.' }),
  lifetimeSeconds: z.int().min(1).max(31_536_000).default(43_200).meta({
    title: 'Cache lifespan',
    description: 'How long Akamai caches a page, in seconds.',
  }),
})
