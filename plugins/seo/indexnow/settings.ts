import { line, toggle } from 'pentad'
import { z } from 'zod'

/** The protocol allows 8 to 128 letters, digits and hyphens. */
const KEY = /^[A-Za-z0-9-]{8,128}$/

/** Settings of IndexNow. */
export const indexNowSettings = {
  indexNow: toggle(
    'off',
    'IndexNow',
    'Notifies search engines when pages are published, updated, or deleted.',
    'indexnow',
  ),
  indexNowKey: line(128)
    .refine((text) => text === '' || KEY.test(text), 'It must be 8 to 128 letters, digits, or hyphens.')
    .default('')
    .meta({
      title: 'IndexNow key',
      description: 'Key that proves ownership of the site; it is not secret. Leave empty to use a generated key.',
      group: 'indexnow',
    }),
  indexNowEndpoint: line(500)
    .refine(isEndpoint, 'It must be a URL that starts with https:// or http://.')
    .default('https://api.indexnow.org/indexnow')
    .meta({
      title: 'IndexNow endpoint',
      description: 'URL that receives submissions. Participating search engines share them with each other.',
      group: 'indexnow',
    }),
  indexNowExcludedTypes: z
    .array(z.string().regex(/^[a-z0-9_-]{1,40}$/, 'It must be the name of a post type.'))
    .max(100)
    .default([])
    .meta({
      title: 'Excluded post types',
      description: 'Post types that are not submitted automatically.',
      group: 'indexnow',
    }),
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ''
}
