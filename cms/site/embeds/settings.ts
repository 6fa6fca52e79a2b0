import { z } from 'zod'

/** Settings → Media of the admin, written over `PUT host/v1/settings/embeds`. */
export const embedSettings = z.object({
  embeds: z.enum(['on', 'off']).default('on').meta({
    title: 'Embeds',
    description:
      'Videos, posts and other content of providers such as YouTube take the place of their URLs. Switched off, posts show links, and the site asks no provider.',
  }),
  previews: z.enum(['on', 'off']).default('on').meta({
    title: 'Embed previews',
    description:
      'Visitors see a preview, and their browsers send nothing to a provider before they click on it. Switched off, pages load embeds at once.',
  }),
})
