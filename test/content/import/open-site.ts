import { sql } from 'kysely'
import type { DownloadOptions } from '../../../cms/content/import/download.ts'
import { type ImportProgress, type ImportReport, importWxr } from '../../../cms/content/import/index.ts'
import { seedContent } from '../../../cms/content/index.ts'
import { CHEAPEST, createAuth } from '../../../core/auth/index.ts'
import type { CoreAuth } from '../../../core/auth/types.ts'
import { loadConfig } from '../../../core/config.ts'
import { createLog } from '../../../core/log.ts'
import { loadSiteKey } from '../../../core/options/index.ts'
import { type OpenContent, openContent } from '../open-content.ts'

export interface OpenSite extends OpenContent {
  readonly auth: CoreAuth
  import(
    file: string | readonly string[],
    uploadsDir?: string,
    onProgress?: (progress: ImportProgress) => void,
    download?: DownloadOptions,
    dryRun?: boolean,
  ): Promise<ImportReport>
  /** Every row that an import may touch, without the numbers that databases give to rows of no name. */
  dump(): Promise<Record<string, unknown[]>>
}

/** A new site as `npm start` makes it: an administrator and the first texts. */
export async function openSite(
  databaseUrl: string | undefined,
  options: { siteDir?: string; url?: string } = {},
): Promise<OpenSite> {
  const site = await openContent(databaseUrl, options)
  const log = createLog('silent')
  const { siteDir, database, hooks, content } = site
  const config = loadConfig({ siteDir })
  const auth = createAuth({
    database,
    hooks,
    siteKey: loadSiteKey(siteDir),
    config,
    log,
    passwordCost: CHEAPEST,
  })
  if ((await auth.users.query({})).total === 0)
    await auth.users.create({ login: 'admin', email: 'admin@example.org', roles: ['administrator'] })
  await seedContent({ ...site, authorId: 1, log })

  const rows = async (table: string, columns: string, order: string) =>
    (await sql`select ${sql.raw(columns)} from ${sql.table(table)} order by ${sql.raw(order)}`.execute(database.db))
      .rows

  return {
    ...site,
    auth,
    import: (file, uploadsDir, onProgress, download, dryRun) =>
      importWxr({
        files: typeof file === 'string' ? [file] : file,
        uploadsDir,
        content,
        users: auth.users,
        options: site.options,
        database,
        hooks,
        config: site.config,
        log,
        onProgress,
        download,
        dryRun,
      }),
    async dump() {
      const comment = 'c.post_id, c.author_name, c.author_email, c.content, c.status, c.type, c.date, c.date_gmt'
      return {
        users: await rows('users', 'id, login, email, display_name, roles', 'id'),
        posts: await rows('posts', '*', 'id'),
        terms: await rows('terms', '*', 'id'),
        relations: await rows('term_relationships', '*', 'post_id, term_id'),
        postmeta: await rows('postmeta', 'post_id, meta_key, meta_value', 'post_id, meta_key, meta_value'),
        termmeta: await rows('termmeta', 'term_id, meta_key, meta_value', 'term_id, meta_key'),
        comments: (
          await sql`select ${sql.raw(comment)}, p.content as answers from comments c
            left join comments p on p.id = c.parent_id order by ${sql.raw(comment)}`.execute(database.db)
        ).rows,
        commentmeta: await rows('commentmeta', 'meta_key, meta_value', 'meta_key, meta_value'),
        settings: [content.siteSettings()],
      }
    },
    async close() {
      await site.close()
    },
  }
}
