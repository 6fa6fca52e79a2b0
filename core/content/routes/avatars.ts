import { createHash } from 'node:crypto'
import type { Hooks } from '../../hooks/types.ts'

/** WordPress's `rest_get_avatar_sizes`. */
const SIZES = [24, 48, 96]

/**
 * Pictures of a person by size, in WordPress's shape. WordPress puts a hash of the e-mail address into them, from
 * which the address can be found out by trying; ours holds a hash of the public name only, so what it shows is
 * Gravatar's silhouette until an extension answers something better on `get_avatar_url`.
 * @param name public name of the person: a user's slug, a commenter's name
 */
export function avatarUrls(hooks: Hooks, name: string): Record<string, string> {
  const hash = createHash('sha256').update(`pentad:${name}`).digest('hex')
  const urls: Record<string, string> = {}
  for (const size of SIZES) {
    const url = `https://secure.gravatar.com/avatar/${hash}?s=${size}&d=mm&r=g`
    urls[size] = hooks.applyFilters('get_avatar_url', url, name, size)
  }
  return urls
}
