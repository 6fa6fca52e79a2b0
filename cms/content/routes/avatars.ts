import { createHash } from 'node:crypto'
import type { Hooks } from '../../../core/hooks/types.ts'
import { pictureUrl } from '../profile-pictures.ts'
import type { MediaDetails } from '../types.ts'

/** WordPress's `rest_get_avatar_sizes`. */
const SIZES = [24, 48, 96]

/** Pictures of a person by size, in WordPress's shape. @param name as of `avatarUrl` @param own as of `avatarUrl` */
export function avatarUrls(hooks: Hooks, name: string, own?: MediaDetails): Record<string, string> {
  return Object.fromEntries(SIZES.map((size) => [size, avatarUrl(hooks, name, size, own)]))
}

/**
 * URL of a user's picture. WordPress's URL contains a hash of the e-mail address, from which the address can be guessed; here it is a hash
 * of the public name, so Gravatar shows its default picture unless an extension filters `get_avatar_url`.
 * @param name public name: a user's slug or a commenter's name
 * @param size in pixels
 * @param own the user's profile picture
 */
export function avatarUrl(hooks: Hooks, name: string, size: number, own?: MediaDetails): string {
  const url = own ? pictureUrl(own, size) : gravatarUrl(name, size)
  return hooks.applyFilters('get_avatar_url', url, name, size)
}

function gravatarUrl(name: string, size: number): string {
  const hash = createHash('sha256').update(`pentad:${name}`).digest('hex')
  return `https://secure.gravatar.com/avatar/${hash}?s=${size}&d=mm&r=g`
}
