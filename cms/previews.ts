import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Schema } from '../core/database/index.ts'

declare module '../core/database/schema.ts' {
  interface Schema {
    previews: PreviewTable
  }
}

export interface PreviewTable {
  key: string
  /** Query parameter of the preview. */
  kind: string
  user_id: number
  /** JSON. */
  value: string
  /** Milliseconds since 1970. */
  expires: number
}

/** Lifetime of unsaved values, in ms. */
const LIFETIME = 3_600_000
/** Previews of a user; screens show only the last one. */
const ENTRIES = 5
const KEY = /^[\w-]{22}$/

/** A page, as far as it determines the preview. */
interface PreviewedPage {
  readonly request: { readonly query: URLSearchParams }
  readonly user: { readonly id: number } | null
}

/**
 * Unsaved values for previews, by a random key in the URL of a page. Only the user who stored them sees them: a key alone shows
 * nothing. Each user has the newest five. They are in the database, because another node may render the page.
 */
export interface Previews<Value> {
  /** Stores unsaved values. @returns the query parameter that shows them on pages: `appearance_preview=…` */
  add(userId: number, value: Value): Promise<string>
  /** Reads the unsaved values that a page shows, before `of`. */
  load(page: PreviewedPage): Promise<void>
  /** The unsaved values that a page shows. */
  of(page: Pick<PreviewedPage, 'request'>): Value | undefined
}

/**
 * @param kind query parameter of the previews
 * @param schema of the values; values of another version are ignored
 */
export function createPreviews<Value>(db: Kysely<Schema>, kind: string, schema: z.ZodType<Value>): Previews<Value> {
  const storedSchema = z
    .string()
    .transform((json) => JSON.parse(json))
    .pipe(schema)
  /** The values on each page that is being rendered, which asks for them several times. */
  const values = new WeakMap<object, Value>()

  /** Removes all but the newest of a user. */
  async function removeOld(userId: number): Promise<void> {
    const own = db.selectFrom('previews').select('key').where('kind', '=', kind).where('user_id', '=', userId)
    const old = await own.orderBy('expires', 'desc').offset(ENTRIES).limit(ENTRIES).execute()
    if (old.length === 0) return
    const keys = old.map(({ key }) => key)
    await db.deleteFrom('previews').where('key', 'in', keys).execute()
  }

  return {
    async add(userId, value) {
      const key = randomBytes(16).toString('base64url')
      const row = { key, kind, user_id: userId, value: JSON.stringify(value), expires: Date.now() + LIFETIME }
      await db.insertInto('previews').values(row).execute()
      await removeOld(userId)
      return `${kind}=${key}`
    },
    async load({ request, user }) {
      const key = user && request.query.get(kind)
      if (!user || !key || !KEY.test(key)) return
      const row = await db
        .selectFrom('previews')
        .select('value')
        .where('key', '=', key)
        .where('kind', '=', kind)
        .where('user_id', '=', user.id)
        .where('expires', '>', Date.now())
        .executeTakeFirst()
      const stored = storedSchema.safeParse(row?.value)
      if (stored.success) values.set(request, stored.data)
    },
    of: ({ request }) => values.get(request),
  }
}

/** Removes expired previews: they may contain the password of a post. */
export async function prunePreviews(db: Kysely<Schema>): Promise<void> {
  await db.deleteFrom('previews').where('expires', '<=', Date.now()).execute()
}

/** Removes the previews that an earlier version stored in files: it would have removed them an hour later. */
export async function removePreviewFiles(siteDir: string): Promise<void> {
  await rm(join(siteDir, 'cache', 'previews'), { recursive: true, force: true })
}
