import { z } from 'zod'

const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/u

/** A color as `#rgb` or `#rrggbb`, normalized to lowercase `#rrggbb`. */
export const color = z
  .string()
  .trim()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'Enter a color such as #1a2b3c.')
  .transform((text) => (text.length === 4 ? text.replaceAll(/[0-9a-f]/gi, '$&$&') : text).toLowerCase())

/** A path on this site with optional query and fragment, percent-encoded. */
export const path = z
  .string()
  .trim()
  .max(2000)
  .refine((text) => pathOf(text) !== undefined, 'Enter a path on this site, such as /offline/.')
  .transform((text) => pathOf(text) ?? '/')

/** A path or an empty string. */
export const optionalPath = z.union([z.literal(''), path])

/** Attachment id or 0. Whether it is an image is checked on update. */
export const imageId = z.int().min(0)

/** Normalizes a path; `undefined` if it leaves the site. */
function pathOf(text: string): string | undefined {
  const base = 'http://this-site.invalid'
  if (!text.startsWith('/') || CONTROL_CHARACTERS.test(text)) return undefined
  const url = URL.parse(text, base)
  return url?.origin === base ? url.pathname + url.search + url.hash : undefined
}
