import { z } from 'zod'
import type { ExtensionHost } from '../../core/extensions/types.ts'
import type { GrantedPermissions } from './permissions.ts'
import { type PostLike, postsIn } from './values.ts'

const META_HOOK = /^(?:added|updated|deleted)_post_meta$/
const metaArgs = z.tuple([z.unknown(), z.int(), z.string()], z.unknown())

/** What a sandboxed extension may read of the arguments of a hook. */
export interface GuestReaders {
  of(args: readonly unknown[]): Promise<{
    /** Posts in the arguments, at any depth, whose text it may not read. */
    readonly hidden: ReadonlySet<PostLike>
    /** Whether it is called at all: not for internal meta, nor for meta of posts that it may not read. */
    readonly isPassed: boolean
  }>
}

export function createGuestReaders(host: ExtensionHost, granted: GrantedPermissions, hook: string): GuestReaders {
  const { read, types = [] } = granted.content ?? {}

  async function mayRead(asked: PostLike): Promise<boolean> {
    if (read === 'all' && types.includes(asked.type)) return true
    if (asked.status !== 'publish' || asked.password) return false
    // This hook is part of the answer.
    if (hook === 'read_post_caps') return true
    const post = await host.content.posts.get(asked.id)
    return post !== undefined && host.content.canRead(post, null)
  }

  async function isMetaPassed(args: readonly unknown[]): Promise<boolean> {
    const [, id, key] = metaArgs.parse(args)
    const post = key.startsWith('_') ? undefined : await host.content.posts.get(id)
    return post !== undefined && (await mayRead(post)) && (read === 'all' || isPublicMeta(host, post, key))
  }

  return {
    async of(args) {
      const posts = [...postsIn(args)]
      const readable = await Promise.all(posts.map(mayRead))
      return {
        hidden: new Set(posts.filter((_, at) => !readable[at])),
        isPassed: !META_HOOK.test(hook) || (await isMetaPassed(args)),
      }
    },
  }
}

/** Whether `wp/v2` shows the key to any visitor who may read the post. */
export function isPublicMeta({ content }: ExtensionHost, { type }: PostLike, key: string): boolean {
  const field = content.metaFields('post', type).get(key)
  return field?.showInRest === true && field.contexts.includes('view')
}
