import type { RestRequest } from '../../../../core/rest/types.ts'
import { cleanPostText } from '../../large-text/index.ts'
import { cleanTitle } from '../../sanitize-post.ts'
import { sanitizeTitle } from '../../slug.ts'
import type { NewPost, Post, PostType } from '../../types.ts'
import { accessDenied, badRequest, invalidParameter } from '../errors.ts'
import { toGmt, toSiteTime } from '../parameters.ts'
import type { WriteParts } from '../parts.ts'
import { checkFeatured, checkTemplate } from './attached.ts'
import { formatTerms } from './format.ts'
import { metaChanges } from './meta.ts'
import { type AskedPost, anyPostSchema, STATUSES } from './write-parameters.ts'

/**
 * A request as the repository takes it, if the caller may ask for all of it; WordPress's
 * `create_item_permissions_check`, `update_item_permissions_check` and `prepare_item_for_database`.
 * @param before the post that is changed; `undefined` for a new one
 * @param options `isPreview`: nothing may be stored
 * @throws RestError `rest_cannot_edit_others`, `rest_cannot_assign_sticky`, `rest_cannot_assign_term`,
 * `rest_cannot_publish`, `rest_invalid_author`, `rest_invalid_field`, `rest_post_invalid_id`, `rest_invalid_param`, …
 */
export async function preparePost(
  request: RestRequest,
  parts: WriteParts,
  before: Post | undefined,
  { isPreview = false } = {},
): Promise<NewPost> {
  const { type, content } = parts
  const asked = anyPostSchema.parse(request.input)
  const { timezone } = content.siteSettings()
  await checkAuthor(request, parts, asked, before)
  await checkSticky(request, type, asked, before)
  const terms = await askedTerms(request, parts)
  const status = await checkStatus(request, type, asked.status, before)
  await checkParent(parts, asked.parent)
  await checkTemplate(parts, asked.template, before)
  const thumbnail = await checkFeatured(content, asked.featured_media)
  const format = await formatTerms(content, asked.format, isPreview)
  const resetsDate = asked.date === null || asked.date_gmt === null
  return {
    ...{ type: type.name, status, parentId: asked.parent, menuOrder: asked.menu_order, template: asked.template },
    ...{ password: asked.password, sticky: asked.sticky, commentStatus: asked.comment_status },
    ...{ pingStatus: asked.ping_status, resetDate: resetsDate, savedBy: request.user?.id },
    ...(await texts(request, asked, { before, current: content.currentAddresses })),
    ...(asked.author !== undefined && asked.author > 0 && { authorId: asked.author }),
    ...(before === undefined && !asked.author && { authorId: request.user?.id ?? 0 }),
    ...(asked.slug !== undefined && { slug: sanitizeTitle(asked.slug), reserveSlug: true }),
    ...(!resetsDate && dates(asked, before, timezone)),
    meta: { ...(await metaChanges(request, parts, asked.meta, before)), ...thumbnail },
    terms: { ...terms, ...format },
  }
}

/** @throws RestError `rest_cannot_edit_others`, `rest_invalid_author` */
async function checkAuthor(
  { user, can }: RestRequest,
  { type, auth }: Pick<WriteParts, 'type' | 'auth'>,
  { author }: AskedPost,
  before: Post | undefined,
): Promise<void> {
  if (author === undefined || author === 0 || author === user?.id) return
  if (!(await can(type.capabilities.edit_others_posts))) {
    const what = before ? 'update' : 'create'
    throw accessDenied(user, 'rest_cannot_edit_others', `Sorry, you are not allowed to ${what} posts as this user.`)
  }
  if (!(await auth.users.get(author))) throw badRequest('rest_invalid_author', 'Invalid author ID.')
}

async function checkSticky(
  { user, can }: RestRequest,
  { capabilities }: PostType,
  { sticky, password }: AskedPost,
  before: Post | undefined,
): Promise<void> {
  if (sticky && !(await can(capabilities.edit_others_posts)) && !(await can(capabilities.publish_posts)))
    throw accessDenied(user, 'rest_cannot_assign_sticky', 'Sorry, you are not allowed to make posts sticky.')
  const willStick = sticky ?? before?.sticky ?? false
  const willLock = (password ?? before?.password ?? '') !== ''
  if (!willStick || !willLock || (sticky === undefined && password === undefined)) return
  if (sticky && password) throw badRequest('rest_invalid_field', 'A post can not be sticky and have a password.')
  const message = sticky
    ? 'A password protected post can not be set to sticky.'
    : 'A sticky post can not be password protected.'
  throw badRequest('rest_invalid_field', message)
}

/** Checks that WordPress makes before the permission for posts of the type. */
export async function checkAuthorAndSticky(request: RestRequest, parts: WriteParts): Promise<void> {
  const asked = anyPostSchema.parse(request.input)
  await checkAuthor(request, parts, asked, undefined)
  await checkSticky(request, parts.type, asked, undefined)
}

/** Terms that do not exist are ignored, as in WordPress; others require `assign_term`. */
async function askedTerms(
  { user, can, input }: RestRequest,
  { taxonomies, content }: WriteParts,
): Promise<Record<string, number[]>> {
  const terms: Record<string, number[]> = {}
  for (const { name, restBase } of taxonomies) {
    const ids = input[`${restBase}`]
    if (!Array.isArray(ids)) continue
    const known = await content.terms.getMany(ids.map(Number))
    for (const term of known.values()) {
      if (term.taxonomy === name && !(await can('assign_term', term.id)))
        throw accessDenied(user, 'rest_cannot_assign_term', 'Sorry, you are not allowed to assign the provided terms.')
    }
    terms[name] = [...new Set(ids.map(Number))]
  }
  return terms
}

/** WordPress's `check_status` and `handle_status_param`. */
async function checkStatus(
  { user, can }: RestRequest,
  { capabilities }: PostType,
  status: string | undefined,
  before: Post | undefined,
): Promise<string | undefined> {
  if (status === undefined || status === before?.status) return undefined
  rejectUnknownStatus(status)
  if (status === 'draft' || status === 'pending' || (await can(capabilities.publish_posts))) return status
  const what = status === 'private' ? 'create private posts' : 'publish posts'
  throw accessDenied(user, 'rest_cannot_publish', `Sorry, you are not allowed to ${what} in this post type.`)
}

/** @throws RestError `rest_invalid_param` for a status that no request may give */
export function rejectUnknownStatus(status: string): void {
  if (STATUSES.some((known) => known === status)) return
  const options = `${STATUSES.slice(0, -1).join(', ')}, and ${STATUSES.at(-1)}`
  const message = `status is not one of ${options}.`
  throw invalidParameter('status', { code: 'rest_not_in_enum', message, data: null })
}

async function checkParent({ content }: WriteParts, parent: number | undefined): Promise<void> {
  if (parent === undefined || parent === 0 || (await content.posts.get(parent))) return
  throw badRequest('rest_post_invalid_id', 'Invalid post parent ID.')
}

/**
 * The supplied texts, sanitized for users without `unfiltered_html`. A text that differs from the stored one only in the site's URL (former
 * instead of current) counts as unchanged.
 */
async function texts(
  { can }: RestRequest,
  asked: AskedPost,
  { before, current }: { before: Post | undefined; current: (text: string) => string },
): Promise<Pick<NewPost, 'title' | 'content' | 'excerpt'>> {
  const mayAll = await can('unfiltered_html')
  const raw = (value: AskedPost['title']) => (typeof value === 'string' ? value : value?.raw)
  const body = (value: string | undefined) => (value === undefined || mayAll ? value : cleanPostText(value))
  const changed = (value: string | undefined, stored: string | undefined) =>
    stored !== undefined && value === current(stored) ? stored : value
  const title = raw(asked.title)
  return {
    title: title === undefined || mayAll ? title : cleanTitle(title),
    content: changed(await body(raw(asked.content)), before?.content),
    excerpt: changed(await body(raw(asked.excerpt)), before?.excerpt),
  }
}

/** Like `rest_get_date_with_gmt`; sending back the post's own date does not fix the floating date of a draft. */
function dates(
  { date, date_gmt: gmt }: AskedPost,
  before: Post | undefined,
  timezone: string,
): Pick<NewPost, 'date' | 'dateGmt'> {
  const local = toSiteTime(date ?? undefined, timezone)
  if (local !== undefined) return local === before?.date ? {} : { date: local }
  const utc = toGmt(gmt ?? undefined)
  return utc === undefined || utc === before?.dateGmt ? {} : { dateGmt: utc }
}
