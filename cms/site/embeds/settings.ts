import { z } from 'zod'

/** Shown under Settings → Media in the admin; `PUT host/v1/settings/embeds`. */
export const embedSettings = z.object({
  embeds: z.enum(['on', 'off']).default('on').meta({
    title: 'Embeds',
    description:
      'Replaces URLs of videos, posts, and other content from providers such as YouTube with the content itself. When off, posts show links, and no requests are sent to providers.',
  }),
  previews: z.enum(['on', 'off']).default('on').meta({
    title: 'Embed previews',
    description:
      'Shows a preview until the visitor clicks it. Until then, browsers send no data to the provider. When off, embeds load with the page.',
  }),
})
