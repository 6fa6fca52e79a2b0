import type { Database } from '../../core/database/index.ts'
import type { Logger } from '../../core/log.ts'
import type { JsonValue, Options } from '../../core/options/types.ts'
import type { Content } from './types.ts'

/** Option with the ids of the posts that a new site contains. */
const RECORD = 'first_content'

const HELLO = `<!-- wp:paragraph -->
<p>Welcome to Pentad. This is your first post. Edit or delete it, then start writing!</p>
<!-- /wp:paragraph -->

<!-- wp:heading -->
<h2 class="wp-block-heading">Make it yours</h2>
<!-- /wp:heading -->

<!-- wp:list -->
<ul class="wp-block-list"><!-- wp:list-item -->
<li><strong>Move a WordPress site here:</strong> in WordPress, go to <em>Tools → Export</em>. Then go to <em>Tools → Import</em> in the admin of this site and upload the export file. The import removes this post and the sample page.</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li><strong>Add features:</strong> run <code>npm run pentad -- extension new hello</code> to create an extension in TypeScript, with a test. If you start the site with <code>npm run dev</code>, changes take effect as soon as you save a file.</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li><strong>Change the design:</strong> go to <em>Appearance</em> to choose colors, fonts, a logo, and a layout.</li>
<!-- /wp:list-item --></ul>
<!-- /wp:list -->

<!-- wp:paragraph -->
<p>All public content is also available through the REST API at <a href="/wp-json/">/wp-json/</a>, which is compatible with WordPress clients.</p>
<!-- /wp:paragraph -->`

const SAMPLE = `<!-- wp:paragraph -->
<p>This is an example page. Unlike a post, a page stays in one place, is not listed by date, and can have a parent page. Most sites start with an “About” page.</p>
<!-- /wp:paragraph -->

<!-- wp:paragraph -->
<p>The URL of a page consists of the slugs of its parent pages and its own slug: the page “Team” with the parent “About” is at <code>/about/team/</code>. You can edit or delete this page at any time.</p>
<!-- /wp:paragraph -->`

/** Creates the initial content of a new site, as WordPress does: a post, a page and the default category. Runs only once. */
export async function seedContent(parts: {
  content: Content
  options: Options
  database: Database
  /** Author of the content. */
  authorId: number
  log: Logger
}): Promise<void> {
  const { content, options, database, authorId, log } = parts
  if (options.get(RECORD) !== undefined) {
    // For example, PENTAD_DATABASE_URL or a volume is missing, and a new database took the place of the site's.
    log.warn('site has settings, but its database was empty; check PENTAD_DATABASE_URL, or restore a backup')
    return
  }
  if (await database.db.selectFrom('posts').select('id').limit(1).executeTakeFirst()) return

  const category =
    (await content.terms.getBySlug('category', 'uncategorized')) ??
    (await content.terms.insert('category', { name: 'Uncategorized' }))
  await content.updateSiteSettings({ defaultCategory: category.id })
  const post = await content.posts.insert({
    type: 'post',
    status: 'publish',
    authorId,
    title: 'Hello world!',
    slug: 'hello-world',
    content: HELLO,
    terms: { category: [category.id] },
  })
  const page = await content.posts.insert({
    type: 'page',
    status: 'publish',
    authorId,
    title: 'Sample Page',
    slug: 'sample-page',
    content: SAMPLE,
  })
  await options.update(RECORD, { posts: [post.id, page.id] })
}

/**
 * The initial posts, if a site contains nothing else and they are unchanged; empty for a site without posts; `undefined` once there is
 * other content.
 */
export async function untouchedFirstContent(parts: {
  options: Options
  database: Database
}): Promise<number[] | undefined> {
  const first = firstIds(parts.options.get(RECORD))
  const rows = await parts.database.db
    .selectFrom('posts')
    .select(['id', 'date_gmt', 'modified_gmt', 'comment_count'])
    .orderBy('id')
    .limit(first.length + 1)
    .execute()
  const untouched = rows.every(
    (row) => first.includes(row.id) && row.date_gmt === row.modified_gmt && row.comment_count === 0,
  )
  return untouched ? rows.map((row) => row.id) : undefined
}

/** Forgets the initial posts, because an import may create posts with the same ids. */
export async function forgetFirstContent(options: Options): Promise<void> {
  await options.update(RECORD, { posts: [] })
}

function firstIds(record: JsonValue | undefined): number[] {
  if (typeof record !== 'object' || record === null || !('posts' in record) || !Array.isArray(record.posts)) return []
  return record.posts.filter((id) => typeof id === 'number')
}
