import { z } from 'zod'

const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/u

/** A color as `#rgb` or `#rrggbb`; kept as `#rrggbb` in lower case. */
export const color = z
  .string()
  .trim()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'It must be a color like #1a2b3c.')
  .transform((text) => (text.length === 4 ? text.replaceAll(/[0-9a-f]/gi, '$&$&') : text).toLowerCase())

/** A page of this site: path, perhaps query and fragment. Percent-encoded as browsers do it. */
export const path = z
  .string()
  .trim()
  .max(2000)
  .refine((text) => pathOf(text) !== undefined, 'It must be a path of this site, such as /offline/.')
  .transform((text) => pathOf(text) ?? '/')

/** A path, or an empty text where there is none. */
export const optionalPath = z.union([z.literal(''), path])

/** Id of an attachment; 0 where there is none. That it exists and is an image is checked when it is written. */
export const imageId = z.int().min(0)

/** The path that a browser makes of it; `undefined` if it would leave the site. */
function pathOf(text: string): string | undefined {
  const base = 'http://this-site.invalid'
  if (!text.startsWith('/') || CONTROL_CHARACTERS.test(text)) return undefined
  const url = URL.parse(text, base)
  return url?.origin === base ? url.pathname + url.search + url.hash : undefined
}
