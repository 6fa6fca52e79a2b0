import type { RestRequest } from '../../../../core/rest/types.ts'
import type { Content, PostQuery, PostType } from '../../types.ts'
import { authorizationStatus, invalidParameter } from '../errors.ts'

/** Statuses for `any`: all except trash and internal ones. */
const ANY = ['publish', 'future', 'draft', 'pending', 'private']
const OF_POSTS = [...ANY, 'trash', 'auto-draft', 'inherit', 'any']
const OF_ATTACHMENTS = ['inherit', 'private', 'trash']

/**
 * The statuses of a list; WordPress's `sanitize_post_statuses`. The default is public; others require permission to edit this type or, for
 * `private`, to read private posts of other users.
 */
export async function allowedStatuses(
  request: RestRequest,
  asked: readonly string[],
  type: PostType,
): Promise<readonly string[]> {
  const [fallback, known] = type.name === 'attachment' ? ['inherit', OF_ATTACHMENTS] : ['publish', OF_POSTS]
  const statuses = new Set<string>()
  for (const status of asked) {
    if (status !== fallback && !(await mayAsk(request, status, type))) {
      const data = { status: authorizationStatus(request.user) }
      throw invalidParameter('status', { code: 'rest_forbidden_status', message: 'Status is forbidden.', data })
    }
    if (!known.includes(status)) {
      const options = `${known.slice(0, -1).join(', ')}, and ${known.at(-1)}`
      const message = `status[${asked.indexOf(status)}] is not one of ${options}.`
      throw invalidParameter('status', { code: 'rest_not_in_enum', message, data: null })
    }
    for (const one of status === 'any' ? ANY : [status]) statuses.add(one)
  }
  return statuses.size > 0 ? [...statuses] : [fallback]
}

async function mayAsk({ user, can }: RestRequest, status: string, { capabilities }: PostType): Promise<boolean> {
  if (!user) return false
  return (await can(capabilities.edit_posts)) || (status === 'private' && (await can(capabilities.read_private_posts)))
}

/** Restricts other users' posts to those that the caller can see, so that totals and searches reveal nothing about others. */
export async function othersStatuses(
  { user, can }: RestRequest,
  statuses: readonly string[],
  { type, context }: { type: PostType; context: string },
): Promise<PostQuery['others']> {
  const isPublic = (status: string) => status === 'publish' || status === 'inherit'
  if (context !== 'edit' && statuses.every(isPublic)) return undefined
  if (!user) return { than: 0, statuses: statuses.filter(isPublic) }
  const editsOthers = await can(type.capabilities.edit_others_posts)
  const readsPrivate = await can(type.capabilities.read_private_posts)
  const visible = statuses.filter((status) => {
    if (status === 'private') return readsPrivate
    return editsOthers || (isPublic(status) && context !== 'edit')
  })
  return visible.length === statuses.length ? undefined : { than: user.id, statuses: visible }
}

/**
 * Attachments are as public as their parent post. For users who see no unpublished posts of others, their attachments are excluded by the
 * query; for other users each attachment is checked.
 */
export async function parentsFor({ user, can }: RestRequest, content: Content): Promise<number | undefined> {
  if (!user) return 0
  for (const { capabilities } of content.postTypes().values()) {
    if ((await can(capabilities.edit_others_posts)) || (await can(capabilities.read_private_posts))) return undefined
  }
  return user.id
}
