/** An extension that is wrong in one way, and what of it is to be found out. */
export interface Fault {
  readonly id: string
  /** Body of `setup(host)`; `host`'s usual parts are in scope. */
  readonly setup: string
  /** Path and query that somebody asks for until the fault shows. Default: a post. */
  readonly visit?: string
  /** What is sent with the visit, instead of a GET by a visitor. */
  readonly request?: FaultRequest
  /** `fails` where the visit is the extension's own and need not be answered well. Default: any status below 500. */
  readonly own?: 'fails'
  /** Whether it protects content: while it fails, what it protects is answered with 503. */
  readonly closes?: boolean
  /** What the reason of the pause must hold beside the file and line. */
  readonly where: RegExp
}

export interface FaultRequest {
  readonly method?: string
  readonly asAdministrator?: boolean
  /** JSON; another one each time where the site refuses what is sent twice. */
  readonly body?: unknown | ((visit: number) => unknown)
  /** Fields of a form, in place of `body`. */
  readonly form?: Readonly<Record<string, string>>
}

type More = Omit<Partial<Fault>, 'id' | 'setup'>

export const HANGS = '() => new Promise(() => {})'
export const THROWS = `() => { throw new Error('broken') }`
export const POSTS = '/wp-json/wp/v2/posts?per_page=2'

export const filter = (id: string, hook: string, callback: string, more: More = {}): Fault => ({
  id,
  setup: `hooks.addFilter('${hook}', ${callback})`,
  where: new RegExp(hook),
  ...more,
})

export const action = (id: string, hook: string, callback: string, more: More = {}): Fault => ({
  id,
  setup: `hooks.addAction('${hook}', ${callback})`,
  where: new RegExp(hook),
  ...more,
})

export const route = (id: string, rest: string, more: More = {}): Fault => ({
  id,
  setup: `rest.registerRoute('${id}/v1', { method: 'GET', path: '/x', access: 'public', ${rest} })`,
  visit: `/wp-json/${id}/v1/x`,
  own: 'fails',
  where: new RegExp(`${id}/v1`),
  ...more,
})

/** A callback that protects content. */
export const closed = (id: string, hook: string, callback: string, more: More = {}): Fault => ({
  id,
  setup: `hooks.addFilter('${hook}', ${callback}, { onError: 'closed' })`,
  where: new RegExp(hook),
  closes: true,
  ...more,
})

export const shortcode = (id: string, handler: string): Fault => ({
  id,
  setup: `content.addShortcode('faulty', ${handler})`,
  visit: '/shortcode/',
  where: /render_shortcode_faulty/,
})

export const block = (id: string, renderCallback: string): Fault => ({
  id,
  setup: `content.registerBlockType('faulty/box', { renderCallback: ${renderCallback} })`,
  visit: '/block/',
  where: /block_render_callback_faulty\/box/,
})

export const ability = (id: string, parts: string, more: More = {}): Fault => ({
  id,
  setup: `abilities.registerCategory({ slug: 'faulty', label: 'Faulty', description: 'Faulty.' })
    abilities.register({ name: 'faulty/run', label: 'Run', description: 'Runs.', category: 'faulty', permission: 'public',
      readonly: true, output: z.object({ a: z.string() }), ${parts} })`,
  visit: '/wp-json/wp-abilities/v1/abilities/faulty/run/run',
  own: 'fails',
  where: /faulty\/run/,
  ...more,
})
