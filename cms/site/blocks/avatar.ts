import type { Hooks } from '../../../core/hooks/types.ts'
import { htmlAttributes } from '../../content/blocks/supports.ts'
import { avatarUrl } from '../../content/routes/avatars.ts'
import type { MediaDetails } from '../../content/types.ts'

/** Maximum size of an avatar, in pixels. */
const LARGEST = 512

/**
 * An avatar image; WordPress's `get_avatar`. @param name public name of the person: slug of a user or name of a
 * commenter; `own`: the profile picture of the user
 */
export function avatarTag(
  hooks: Hooks,
  name: string,
  asked: { size: number; own?: MediaDetails | undefined; alt?: string; class?: string; style?: string },
): string {
  const size = Math.min(Math.max(Math.trunc(asked.size), 1), LARGEST)
  const own = htmlAttributes({
    src: avatarUrl(hooks, name, size, asked.own),
    srcset: `${avatarUrl(hooks, name, size * 2, asked.own)} 2x`,
    class: ['avatar', `avatar-${size}`, 'photo', asked.class?.trim()].filter((part) => part).join(' '),
    height: String(size),
    width: String(size),
    style: asked.style,
    loading: 'lazy',
    decoding: 'async',
  })
  return `<img ${htmlAttributes({ alt: asked.alt }) || 'alt=""'} ${own}/>`
}
