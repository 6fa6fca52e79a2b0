import type { RestRequest } from '../../../../core/rest/types.ts'
import type { Content, PostQuery, PostType } from '../../types.ts'
import { authorizationStatus, invalidParameter } from '../refusals.ts'

/** What `any` means: every status of a post that is not thrown away. */
const ANY = ['publish', 'future', 'draft', 'pending', 'private']
const OF_POSTS = [...ANY, 'trash', 'auto-draft', 'inherit', 'any']
const OF_ATTACHMENTS = ['inherit', 'private', 'trash']

/**
 * The statuses that a list shall show; WordPress's `sanitize_post_statuses`. The default may be asked for by
 * everybody, others by who edits this type or, for `private`, reads others' private posts.
 * @throws RestError `rest_invalid_param` with `rest_forbidden_status` or `rest_not_in_enum` in its details
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

/**
 * Of others' posts only what the caller may see is asked for, so that totals and searches tell nothing about the rest.
 */
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
 * Files are as public as the post they belong to. Who sees no others' posts before they are public is not asked about
 * their files either; with anybody else each file is looked at on its own.
 * @returns the id of that user, `undefined` where nothing is left out
 */
export async function parentsFor({ user, can }: RestRequest, content: Content): Promise<number | undefined> {
  if (!user) return 0
  for (const { capabilities } of content.postTypes().values()) {
    if ((await can(capabilities.edit_others_posts)) || (await can(capabilities.read_private_posts))) return undefined
  }
  return user.id
}
