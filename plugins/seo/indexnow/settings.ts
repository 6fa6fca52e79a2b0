import { line, toggle } from 'pentad'
import { z } from 'zod'

/** The protocol allows letters, digits and hyphens, 8 to 128 of them. */
const KEY = /^[A-Za-z0-9-]{8,128}$/

/** Settings of what is sent to search engines by IndexNow. */
export const indexNowSettings = {
  indexNow: toggle(
    'off',
    'Tell search engines',
    'Sends pages to IndexNow when they are published, changed or taken away.',
    'indexnow',
  ),
  indexNowKey: line(128)
    .refine((text) => text === '' || KEY.test(text), 'It must be 8 to 128 letters, digits and hyphens.')
    .default('')
    .meta({
      title: 'Key',
      description: 'Proves that the pages are yours; anybody may know it. Empty for one of the site’s own.',
      group: 'indexnow',
    }),
  indexNowEndpoint: line(500)
    .refine(isEndpoint, 'It must be an address that begins with https:// or http://.')
    .default('https://api.indexnow.org/indexnow')
    .meta({
      title: 'Endpoint',
      description: 'Where pages are sent; search engines that take part tell each other.',
      group: 'indexnow',
    }),
  indexNowExcludedTypes: z
    .array(z.string().regex(/^[a-z0-9_-]{1,40}$/, 'It must be the name of a post type.'))
    .max(100)
    .default([])
    .meta({
      title: 'Never sent',
      description: 'Post types whose pages are not sent automatically.',
      group: 'indexnow',
    }),
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ''
}
