import { RestError } from '../../../core/errors.ts'
import { createSigner } from '../../accounts/signer.ts'
import type { Comment, Content } from '../types.ts'

/** Milliseconds for which a link is valid. */
const LIFETIME = 7 * 24 * 60 * 60 * 1000

/** What a link can do with its comment. */
export const STATUS_OF = { approve: 'approved', spam: 'spam', trash: 'trash' } as const

export type Moderation = keyof typeof STATUS_OF

/** Signed links in emails, with which moderators act on one comment without logging in. */
export interface ModerationLinks {
  /** @param siteUrl without a trailing slash */
  urlOf(comment: Pick<Comment, 'id'>, moderation: Moderation, siteUrl: string): string
  /** The comment of a link. @throws RestError 400 `invalid_key`, 404 `rest_comment_invalid_id` */
  check(key: string): Promise<Comment>
  /** @throws RestError as `check` */
  moderate(key: string, moderation: Moderation): Promise<Comment>
}

/**
 * @param parts.key secret of this site, 32 bytes, used for nothing else
 * @param parts.now milliseconds since the epoch
 */
export function createModerationLinks(parts: {
  comments: Pick<Content['comments'], 'get' | 'setStatus'>
  key: Buffer
  now?: () => number
}): ModerationLinks {
  const { comments, now = () => Date.now() } = parts
  const signer = createSigner(parts.key)

  async function check(key: string): Promise<Comment> {
    const [id, expires] = (signer.verify(key) ?? '').split('-').map(Number)
    if (!id || !expires || expires <= now()) {
      throw new RestError('invalid_key', 'This link is not valid, or it has expired.', { status: 400 })
    }
    const comment = await comments.get(id)
    if (!comment) throw new RestError('rest_comment_invalid_id', 'The comment was deleted.', { status: 404 })
    return comment
  }

  return {
    urlOf({ id }, moderation, siteUrl) {
      const query = new URLSearchParams({
        ...{ action: 'moderate-comment', do: moderation, key: signer.sign(`${id}-${now() + LIFETIME}`) },
      })
      return `${siteUrl}/wp-login.php?${query}`
    },
    check,
    async moderate(key, moderation) {
      return comments.setStatus((await check(key)).id, STATUS_OF[moderation])
    },
  }
}
