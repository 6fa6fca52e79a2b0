import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import type { Site } from '../app/create-site.ts'
import type { NewPost, Post } from '../cms/content/types.ts'
import { findAdministrator, findUser } from './find-user.ts'
import { type OutputOptions, printItem, printList, type Row, withItemOutput, withListOutput } from './output.ts'
import { readAll } from './read-all.ts'
import { readId } from './read-id.ts'
import { withHost } from './with-host.ts'

/** Of `wp post list`. */
const LISTED = ['ID', 'post_title', 'post_name', 'post_date', 'post_status']
const ALL_BUT_TRASH = ['publish', 'future', 'draft', 'pending', 'private', 'inherit']
const STATUSES = [...ALL_BUT_TRASH, 'trash']

interface ListOptions extends OutputOptions {
  readonly post_type: string
  readonly post_status: string
  readonly author?: string
  readonly s?: string
  readonly posts_per_page?: string
}

interface PostOptions {
  readonly post_title?: string
  readonly post_content?: string
  readonly post_excerpt?: string
  readonly post_name?: string
  readonly post_status?: string
  readonly post_type?: string
  readonly post_author?: string
  readonly post_parent?: string
  readonly post_date?: string
  readonly porcelain?: boolean
}

/** `pentad post …`, with the options and fields of WP-CLI's `wp post`. */
export function postCommand(): Command {
  const post = new Command('post').description('manage posts of any type')
  withListOutput(post.command('list'))
    .option('--post_type <types>', 'post types, comma-separated, or "any"', 'post')
    .option('--post_status <statuses>', 'statuses, comma-separated, or "any" for all except trash', 'any')
    .option('--author <user>', 'ID or login')
    .option('--s <words>', 'only posts that match a search')
    .option('--posts_per_page <number>', 'maximum number; default: all')
    .description('list posts, newest first')
    .action(list)
  withItemOutput(post.command('get')).argument('<id>').description('show one post').action(get)
  withFields(post.command('create'))
    .argument('[file]', 'the content; "-" reads it from standard input')
    .option('--porcelain', 'print the ID only')
    .description('create a post; its status is draft unless you set --post_status')
    .action(create)
  withFields(post.command('update')).argument('<ids...>').description('update posts').action(update)
  post
    .command('delete')
    .argument('<ids...>')
    .option('--force', 'skip the trash')
    .description('move posts to the trash, or delete them')
    .action(remove)
  return post
}

function withFields(command: Command): Command {
  return command
    .option('--post_title <text>')
    .option('--post_content <html>')
    .option('--post_excerpt <text>')
    .option('--post_name <slug>')
    .option('--post_status <status>')
    .option('--post_type <type>')
    .option('--post_author <user>', 'ID or login')
    .option('--post_parent <id>')
    .option('--post_date <date>', 'site time, 2026-01-31T12:00:00')
}

async function list(given: ListOptions): Promise<void> {
  await withHost(async (host) => {
    const { posts } = host.content
    const most = given.posts_per_page === undefined ? undefined : readId(given.posts_per_page)
    const query = {
      types: given.post_type === 'any' ? [...host.content.postTypes().keys()] : splitTypes(host, given.post_type),
      statuses: given.post_status === 'any' ? ALL_BUT_TRASH : given.post_status.split(','),
      authors: given.author === undefined ? undefined : [(await findUser(host, given.author)).id],
      search: given.s,
      noFoundRows: true,
    }
    const found = await readAll((page) => posts.query({ ...query, ...page }), most)
    printList(
      found.map((post) => toRow(host, post)),
      given,
      LISTED,
    )
  })
}

function splitTypes(host: Site, given: string): string[] {
  return given.split(',').map((type) => requireType(host, type))
}

async function get(id: string, given: OutputOptions): Promise<void> {
  await withHost(async (host) => printItem(toRow(host, await requirePost(host, id)), given))
}

async function create(file: string | undefined, given: PostOptions): Promise<void> {
  await withHost(async (host) => {
    const content = file === undefined ? undefined : await (file === '-' ? text(process.stdin) : readFile(file, 'utf8'))
    const fields = await toFields(host, given)
    const post = await host.content.posts.insert({
      status: 'draft',
      ...(given.post_author === undefined && { authorId: (await findAdministrator(host))?.id ?? 0 }),
      ...fields,
      ...(content !== undefined && { content }),
    })
    console.log(given.porcelain ? String(post.id) : `Created post ${post.id}.`)
  })
}

async function update(ids: readonly string[], given: PostOptions): Promise<void> {
  await withHost(async (host) => {
    const fields = await toFields(host, given)
    if (Object.keys(fields).length === 0)
      throw new Error('Nothing to update. Add an option, for example --post_status=publish.')
    for (const { id } of await requirePosts(host, ids)) {
      await host.content.posts.update(id, fields)
      console.log(`Updated post ${id}.`)
    }
  })
}

async function remove(ids: readonly string[], { force = false }: { force?: boolean }): Promise<void> {
  await withHost(async (host) => {
    const { posts } = host.content
    for (const { id, status, type } of await requirePosts(host, ids)) {
      // Files have no trash.
      if (!force && type === 'attachment')
        throw new Error(`Attachment ${id} can't be moved to the trash. Delete it with --force.`)
      if (!force && status === 'trash') throw new Error(`Post ${id} is already in the trash. Delete it with --force.`)
      if (force) await posts.delete(id)
      else await posts.update(id, { status: 'trash' })
      console.log(force ? `Deleted post ${id}.` : `Moved post ${id} to the trash.`)
    }
  })
}

/** Nothing is changed where one of them is missing. */
async function requirePosts(host: Site, ids: readonly string[]): Promise<Post[]> {
  const found: Post[] = []
  for (const id of ids) found.push(await requirePost(host, id))
  return found
}

async function requirePost(host: Site, id: string): Promise<Post> {
  const post = await host.content.posts.get(readId(id))
  if (!post) throw new Error(`There is no post ${id}.`)
  return post
}

function requireType(host: Site, type: string): string {
  const types = [...host.content.postTypes().keys()]
  if (!types.includes(type)) throw new Error(`There is no post type "${type}". Post types: ${types.join(', ')}`)
  return type
}

async function toFields(host: Site, given: PostOptions): Promise<NewPost> {
  const { post_author: author, post_type: type, post_parent: parent } = given
  const fields: NewPost = {
    title: given.post_title,
    content: given.post_content,
    excerpt: given.post_excerpt,
    slug: given.post_name,
    status: readStatus(given.post_status),
    date: readDate(given.post_date),
    type: type === undefined ? undefined : requireType(host, type),
    parentId: parent === undefined ? undefined : readId(parent),
    authorId: author === undefined ? undefined : (await findUser(host, author)).id,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function readStatus(status: string | undefined): string | undefined {
  if (status === undefined || STATUSES.includes(status)) return status
  throw new Error(`There is no status "${status}". Statuses: ${STATUSES.join(', ')}`)
}

function readDate(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const date = given.replace(' ', 'T')
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(date) && !Number.isNaN(Date.parse(`${date}Z`))) return date
  throw new Error(`"${given}" is not a date such as 2026-01-31T12:00:00.`)
}

/** WordPress's columns, with the present address of the site, and where the post is. */
function toRow(host: Site, post: Post): Row {
  return {
    ID: post.id,
    post_title: post.title,
    post_name: post.slug,
    post_date: post.date.replace('T', ' '),
    post_status: post.status,
    post_type: post.type,
    post_author: post.authorId,
    post_parent: post.parentId,
    post_excerpt: host.content.currentAddresses(post.excerpt),
    post_content: host.content.currentAddresses(post.content),
    post_date_gmt: post.dateGmt.replace('T', ' '),
    post_modified: post.modified.replace('T', ' '),
    post_modified_gmt: post.modifiedGmt.replace('T', ' '),
    post_mime_type: post.mimeType,
    comment_status: post.commentStatus,
    ping_status: post.pingStatus,
    comment_count: post.commentCount,
    menu_order: post.menuOrder,
    guid: post.guid,
    url: host.content.link(post),
  }
}
