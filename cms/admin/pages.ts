import { isAbsolute } from 'node:path'
import { z } from 'zod'
import type { Undo } from '../../core/hooks/types.ts'
import { ADMIN_ICONS } from './icons.ts'
import type { AdminPage } from './types.ts'

/** A page and its extension. */
export interface RegisteredPage {
  /** Id of the extension. */
  readonly owner: string
  readonly page: AdminPage
}

/** The registry of extension pages. */
export interface AdminPages {
  /** @throws Error if the extension already has a page with that slug */
  add(owner: string, page: AdminPage): Undo
  /** In the order of registration. */
  list(): readonly RegisteredPage[]
}

export const pathOfPage = (owner: string, slug: string) => `/wp-admin/extension/${owner}/${slug}`

export const capabilityOf = ({ capability = 'manage_options' }: AdminPage): string => capability

export function createAdminPages(): AdminPages {
  let pages: readonly RegisteredPage[] = []
  return {
    add(owner, page) {
      if (pages.some((other) => other.owner === owner && other.page.slug === page.slug)) {
        throw new Error(`The extension ${owner} adds the page "${page.slug}" twice.`)
      }
      const registered = { owner, page }
      pages = [...pages, registered]
      return () => {
        pages = pages.filter((other) => other !== registered)
      }
    },
    list: () => pages,
  }
}

const line = z.string().trim().min(1).max(200)
/** Path relative to the REST root without a leading slash; routes of table buttons may contain `{id}`. */
const route = z
  .string()
  .max(500)
  .regex(/^[a-z][\w.-]*(\/[\w.~{}%-]+)+(\?[\w=&%.,{}-]*)?$/i, 'must be the path of a route, such as shop/v1/orders')
const key = z
  .string()
  .regex(/^\w[\w-]*(\.\w[\w-]*){0,8}$/, 'must be the name of a property, such as total or customer.name')
const title = line.optional()

const button = z.strictObject({
  label: line,
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  route,
  body: z.json().optional(),
  confirm: z.string().max(1000).optional(),
  done: line.optional(),
  destructive: z.boolean().optional(),
})

const rowButton = button.extend({
  when: z
    .strictObject({
      key,
      is: z
        .array(z.union([z.string().max(200), z.number(), z.boolean()]))
        .min(1)
        .max(50),
    })
    .optional(),
})

const column = z.strictObject({
  key,
  label: line,
  format: z.enum(['text', 'number', 'date', 'boolean', 'link', 'code']).optional(),
})
const columns = z.array(column).min(1).max(20)

const detailPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('fields'), title, fields: z.array(column).min(1).max(50) }),
  z.strictObject({ type: z.literal('rows'), title: line, key, columns, empty: z.string().max(1000).optional() }),
  z.strictObject({
    type: z.literal('form'),
    title: line,
    text: z.string().max(1000).optional(),
    fields: z
      .array(
        z.strictObject({
          key: z.string().regex(/^\w[\w-]*$/, 'must be the name of a property, such as note'),
          label: line,
          multiline: z.boolean().optional(),
          required: z.boolean().optional(),
        }),
      )
      .max(20),
    button: rowButton.extend({ body: z.record(z.string(), z.json()).optional() }),
  }),
])

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), title, text: z.string().max(20_000) }),
  z.strictObject({
    type: z.literal('stats'),
    title,
    route,
    items: z
      .array(z.strictObject({ key, label: line, unit: z.string().max(20).optional() }))
      .min(1)
      .max(24),
  }),
  z
    .strictObject({
      type: z.literal('table'),
      title,
      route,
      columns,
      search: z.boolean().optional(),
      empty: z.string().max(1000).optional(),
      actions: z.array(rowButton).max(8).optional(),
      details: z.strictObject({ title: line, route, parts: z.array(detailPart).min(1).max(20) }).optional(),
    })
    .refine(
      ({ columns: [first], details }) => details === undefined || first?.format !== 'link',
      'The first column of a table with details cannot have the format link: it opens the details.',
    ),
  z.strictObject({ type: z.literal('settings'), title, keys: z.array(z.string().min(1)).min(1).optional() }),
  z.strictObject({ type: z.literal('buttons'), title, buttons: z.array(button).min(1).max(12) }),
])

/** A page as extensions describe it. */
export const pageSchema = z
  .strictObject({
    slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must contain only a-z, 0-9, and -'),
    title: line,
    capability: line.optional(),
    parent: z
      .string()
      .regex(/^[a-z][a-z0-9/-]*$/, 'must be the path of a screen, such as seo or settings')
      .optional(),
    icon: z.enum(ADMIN_ICONS).optional(),
    parts: z.array(part).min(1).max(50).optional(),
    module: z.string().refine(isAbsolute, 'must be an absolute path: join(import.meta.dirname, …)').optional(),
  })
  .refine(
    ({ parts, module }) => (parts === undefined) !== (module === undefined),
    'A page needs either parts or a module.',
  )
  .refine(
    ({ parts = [] }) => parts.filter((one) => one.type === 'table' && one.details).length <= 1,
    'Only one table on a page can have details.',
  )

/** A frozen copy. @throws Error that names each invalid property */
export function checkPage(owner: string, given: AdminPage): AdminPage {
  const { error } = pageSchema.safeParse(given)
  if (!error) return structuredClone(given)
  const problems = error.issues.map(({ path, message }) =>
    path.length > 0 ? `${z.core.toDotPath(path)}: ${message}` : message,
  )
  const slug = typeof given?.slug === 'string' ? ` "${given.slug}"` : ''
  throw new Error(`The page${slug} of ${owner} is invalid. ${problems.join('; ')}`)
}
