import { z } from 'zod'
import type { User } from '../../../core/auth/types.ts'
import { RestError } from '../../../core/errors.ts'
import { cleanPostText } from '../../content/large-text/index.ts'
import { taxonomiesOf } from '../../content/routes/posts/index.ts'
import { cleanTitle } from '../../content/sanitize-post.ts'
import type { Content, PostType } from '../../content/types.ts'
import { asCaller } from '../as-caller.ts'
import type { AbilityPreview } from '../types.ts'
import { type ContentAbilityParts, findPost, findType, routeOf } from './parts.ts'
import { flat, readWritten, type Written, written } from './written.ts'

const STATUSES = ['publish', 'draft', 'pending', 'private'] as const

/** Fields of a post that a program can write; omitted fields stay unchanged. */
const asked = written
  .extend({ title: z.string().max(1000), slug: z.string().max(200), status: z.enum(STATUSES) })
  .partial()

type Asked = z.output<typeof asked>

const saved = z.object({ id: z.int(), status: z.string(), url: z.string() })

/** Drafting, changing and putting away posts, always as far as `wp/v2` lets the caller. */
export function registerWriting({ abilities, rest, content, auth }: ContentAbilityParts): void {
  /** @throws RestError `rest_invalid_param`: `wp/v2` would leave out without a word what is not there */
  async function rejectUnknown(type: PostType, { terms = {}, meta = {} }: Asked): Promise<void> {
    const taxonomies = taxonomiesOf(type, content.taxonomies()).map(({ name }) => name)
    const fields = content.metaFields('post', type.name)
    const known = await content.terms.getMany(Object.values(terms).flat())
    const unknown = [
      ...Object.keys(terms).filter((name) => !taxonomies.includes(name)),
      ...Object.entries(terms).flatMap(([name, ids]) =>
        ids.filter((id) => known.get(id)?.taxonomy !== name).map((id) => `${name} ${id}`),
      ),
      ...Object.keys(meta).filter((key) => !fields.get(key)?.showInRest),
    ]
    if (unknown.length === 0) return
    const message = `${type.label} have no taxonomy, term, or field named ${unknown.join(', ')}.`
    throw new RestError('rest_invalid_param', message, { status: 400 })
  }

  async function save(type: PostType, id: number | undefined, given: Asked, caller: User | null) {
    await rejectUnknown(type, given)
    const { terms = {}, ...fields } = await cleaned(given)
    const ids = taxonomiesOf(type, content.taxonomies()).map(({ name, restBase }) => [restBase, terms[name]])
    const body = { ...fields, ...Object.fromEntries(ids) }
    const response = await asCaller(rest, caller).write('POST', routeOf(type, id), body)
    const { link, ...post } = z.object({ id: z.int(), status: z.string(), link: z.string() }).parse(response)
    return { ...post, url: link }
  }

  async function read(type: PostType, id: number, caller: User | null): Promise<Written> {
    return readWritten(await asCaller(rest, caller).read(routeOf(type, id), { context: 'edit' }), content, type)
  }

  abilities.register({
    name: 'content/draft-post',
    label: 'Draft a post',
    description: 'Creates a draft of a post or page. It is not published.',
    category: 'content',
    input: asked.omit({ status: true }).extend({
      type: z.string().default('post').describe('Post type: post, page, …'),
      title: asked.shape.title.unwrap().min(1),
    }),
    output: saved,
    permission: 'edit_posts',
    permits: ({ type }, caller) => auth.can(caller, findType(content, type).capabilities.create_posts),
    readonly: false,
    execute: ({ type, ...given }, caller) =>
      save(findType(content, type), undefined, { ...given, status: 'draft' }, caller),
    async preview({ type, ...given }): Promise<AbilityPreview> {
      await rejectUnknown(findType(content, type), given)
      return {
        target: { type, id: null, title: given.title },
        summary: `Draft “${given.title}”.`,
        before: null,
        after: flat({ ...(await cleaned(given)), status: 'draft' }),
      }
    },
  })

  abilities.register({
    name: 'content/edit-post',
    label: 'Edit a post',
    description:
      'Updates a post or page: title, text, excerpt, status, slug, terms, or fields such as _seo_description. Omitted values stay unchanged.',
    category: 'content',
    input: asked.extend({ id: z.int().min(1) }),
    output: saved,
    permission: 'edit_posts',
    permits: async ({ id }, caller) => {
      const { post } = await findPost(content, id)
      return auth.can(caller, 'edit_post', post.id)
    },
    readonly: false,
    idempotent: true,
    async execute({ id, ...given }, caller) {
      const { type } = await findPost(content, id)
      return save(type, id, given, caller)
    },
    async preview({ id, ...given }, caller): Promise<AbilityPreview> {
      const { type } = await findPost(content, id)
      await rejectUnknown(type, given)
      const now = await read(type, id, caller)
      const stored = flat(now)
      const after = flat(await cleaned(given))
      const names = Object.keys(after)
      return {
        target: { type: type.name, id, title: now.title },
        summary: `Change the ${new Intl.ListFormat('en').format(names.map((name) => nameOf(name, type, content)))} of “${now.title}”.`,
        before: Object.fromEntries(names.map((name) => [name, stored[name] ?? null])),
        after,
      }
    },
  })

  abilities.register({
    name: 'content/trash-post',
    label: 'Move a post to the trash',
    description: 'Moves a post or page to the trash, from which users can restore it.',
    category: 'content',
    input: z.object({ id: z.int().min(1) }),
    output: saved.pick({ id: true, status: true }),
    permission: 'delete_posts',
    permits: async ({ id }, caller) => {
      const { post } = await findPost(content, id)
      return auth.can(caller, 'delete_post', post.id)
    },
    readonly: false,
    destructive: true,
    idempotent: true,
    async execute({ id }, caller) {
      const { post, type } = await findPost(content, id)
      if (post.status !== 'trash') await asCaller(rest, caller).write('DELETE', routeOf(type, id))
      return { id, status: 'trash' }
    },
    async preview({ id }): Promise<AbilityPreview> {
      const { post, type } = await findPost(content, id)
      return {
        target: { type: type.name, id, title: post.title },
        summary: `Move “${post.title}” to the trash.`,
        before: { status: post.status },
        after: { status: 'trash' },
      }
    },
  })
}

/**
 * Removes markup that requires `unfiltered_html` for every caller: users who confirm a change see its text, but not what its scripts would
 * do.
 */
async function cleaned({ title, content, excerpt, ...others }: Asked): Promise<Asked> {
  return {
    ...others,
    ...(title !== undefined && { title: cleanTitle(title) }),
    ...(content !== undefined && { content: await cleanPostText(content) }),
    ...(excerpt !== undefined && { excerpt: await cleanPostText(excerpt) }),
  }
}

/** Label of a field within a sentence: `meta._seo_description` → `search description`. */
function nameOf(field: string, type: PostType, content: Content): string {
  const name = field.replace(/^(terms|meta)\./, '')
  const fields = content.metaFields('post', type.name)
  const label =
    (field.startsWith('terms.') && content.taxonomies().get(name)?.label) ||
    (field.startsWith('meta.') && fields.get(name)?.label)
  // Abbreviations such as “SEO title” are not converted to lowercase.
  if (label) return label.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase())
  return field === 'content' ? 'text' : name.replace(/^_+/, '').replace(/[_-]+/g, ' ')
}
