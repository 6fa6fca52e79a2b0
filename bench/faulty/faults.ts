/** Extensions that are wrong in one way each, and what of them is to be found out. */
export interface Fault {
  readonly id: string
  /** Body of `setup(host)`; `host`'s usual parts are in scope. */
  readonly setup: string
  /** What a visitor asks for until the fault shows. Default: a post. */
  readonly visit?: string
  /** Sent with the visit, instead of a GET by a visitor. */
  readonly request?: { readonly method?: string; readonly body?: unknown; readonly asAdministrator?: boolean }
  /** What the extension's own answer may be, where that is not a page of others. Default: any below 500. */
  readonly own?: 'fails'
  /** What the reason of the pause must hold beside the file and line. */
  readonly where: RegExp
}

const filter = (id: string, hook: string, callback: string, more: Partial<Fault> = {}): Fault => ({
  id,
  setup: `hooks.addFilter('${hook}', ${callback})`,
  where: new RegExp(hook),
  ...more,
})
const action = (id: string, hook: string, callback: string, more: Partial<Fault> = {}): Fault => ({
  id,
  setup: `hooks.addAction('${hook}', ${callback})`,
  where: new RegExp(hook),
  ...more,
})
const route = (id: string, rest: string, more: Partial<Fault> = {}): Fault => ({
  id,
  setup: `rest.registerRoute('${id}/v1', { method: 'GET', path: '/x', access: 'public', ${rest} })`,
  visit: `/wp-json/${id}/v1/x`,
  own: 'fails',
  where: new RegExp(`${id}/v1`),
  ...more,
})

const POSTS = '/wp-json/wp/v2/posts?per_page=2'
const HANGS = '() => new Promise(() => {})'

export const FAULTS: readonly Fault[] = [
  // Synchronous filters.
  filter('title-number', 'the_title', '() => 5'),
  filter('title-null', 'the_title', '() => null'),
  filter('title-object', 'the_title', '() => ({})'),
  filter('title-promise', 'the_title', `async (title) => title`),
  filter('title-rejected', 'the_title', `async () => { throw new Error('late') }`),
  filter('title-throws', 'the_title', `() => { throw new Error('broken') }`),
  filter('title-throws-text', 'the_title', `() => { throw 'broken' }`),
  filter('title-throws-null', 'the_title', `() => { throw null }`),
  filter(
    'title-throws-hostile',
    'the_title',
    `() => { throw { get message() { throw new Error('in the message') } } }`,
  ),
  filter('title-recursion', 'the_title', `(title) => hooks.applyFilters('the_title', title, 1)`),
  filter('body-class-text', 'body_class', `() => 'one two'`),
  filter('body-class-hostile', 'body_class', `() => [{ toString() { throw new Error('no text') } }]`),
  filter('headers-number', 'wp_headers', `(headers) => ({ ...headers, 'X-Number': 5, 'X-None': undefined })`),
  filter('headers-split', 'wp_headers', `(headers) => ({ ...headers, 'X-Split': 'a\\r\\nSet-Cookie: b=c' })`),
  filter('headers-name', 'wp_headers', `(headers) => ({ ...headers, 'bad name': 'x' })`),
  filter('policy-text', 'content_security_policy', `() => 'script-src *'`),
  filter('robots-list', 'wp_robots', '() => [1, 2]'),
  filter(
    'proxy',
    'the_title',
    `() => new Proxy({}, { get() { throw new Error('trap') }, has() { throw new Error('trap') } })`,
  ),
  // Asynchronous filters.
  filter('content-number', 'the_content', '() => 5'),
  filter('content-rejects', 'the_content', `async () => { throw new Error('broken') }`),
  filter('content-hangs', 'the_content', HANGS),
  filter('content-recursion', 'the_content', 'async (html, post) => html + (await content.renderContent(post))'),
  filter('page-null', 'page_html', '() => null'),
  filter('page-hangs', 'page_html', HANGS),
  filter('query-list', 'pre_get_posts', '() => []', { visit: '/' }),
  filter('robots-number', 'robots_txt', '() => 5', { visit: '/robots.txt' }),
  filter('rest-post-text', 'rest_prepare_post', `() => 'text'`, { visit: POSTS }),
  filter(
    'rest-post-circle',
    'rest_prepare_post',
    '(data) => { const circle = { ...data }; circle.circle = circle; return circle }',
    {
      visit: POSTS,
    },
  ),
  filter('rest-post-bigint', 'rest_prepare_post', '(data) => ({ ...data, big: 1n })', { visit: POSTS }),
  filter('rest-post-hangs', 'rest_prepare_post', HANGS, { visit: POSTS }),
  filter('rest-dispatch-throws', 'rest_pre_dispatch', `() => { throw new Error('broken') }`, { visit: POSTS }),
  filter(
    'rest-dispatch-recursion',
    'rest_pre_dispatch',
    `async (answer, request) => { await rest.dispatch({ method: 'GET', path: '/wp/v2/types' }); return answer }`,
    {
      visit: POSTS,
    },
  ),
  // Actions.
  action('redirect-throws', 'template_redirect', `() => { throw new Error('broken') }`),
  action('redirect-hangs', 'template_redirect', HANGS),
  action('head-prints-symbol', 'wp_head', `(output) => output.print(Symbol('x'))`),
  action('head-rejects', 'wp_head', `async () => { throw new Error('broken') }`),
  action('footer-hangs', 'wp_footer', HANGS),
  // What protects or decides.
  filter('caps-throw', 'map_meta_cap', `() => { throw new Error('broken') }`, { visit: POSTS }),
  filter('caps-text', 'map_meta_cap', `() => 'read'`, { visit: POSTS }),
  filter('user-caps-null', 'user_has_cap', '() => null', {
    visit: '/wp-json/wp/v2/users/me',
    request: { asAdministrator: true },
  }),
  // Settings and mail.
  action('option-recursion', 'updated_option', `() => options.update('faulty_count', { at: Math.random() })`, {
    visit: '/wp-json/wp/v2/settings',
    request: { method: 'POST', asAdministrator: true, body: { description: 'Another tagline' } },
  }),
  filter('mail-null', 'wp_mail', '() => null', {
    visit: '/wp-comments-post.php',
  }),
  // Routes.
  route('route-throws', `handler() { throw new Error('broken') }`),
  route('route-hangs', `handler: ${HANGS}`),
  route('route-circle', 'handler() { const circle = {}; circle.circle = circle; return circle }'),
  route('route-bigint', 'handler: () => ({ big: 1n })'),
  route('route-access-throws', `access() { throw new Error('broken') }, handler: () => 1`),
  route('route-access-hangs', `access: ${HANGS}, handler: () => 1`),
  route('route-to-json', `handler: () => ({ toJSON() { throw new Error('broken') } })`),
  // Shortcodes.
  {
    id: 'shortcode-throws',
    setup: `content.addShortcode('faulty', () => { throw new Error('broken') })`,
    visit: '/shortcode/',
    where: /faulty/,
  },
  {
    id: 'shortcode-object',
    setup: `content.addShortcode('faulty', () => ({}))`,
    visit: '/shortcode/',
    where: /faulty/,
  },
  { id: 'shortcode-hangs', setup: `content.addShortcode('faulty', ${HANGS})`, visit: '/shortcode/', where: /faulty/ },
  // Abilities.
  {
    id: 'ability-throws',
    setup: `abilities.register({ name: 'faulty/run', label: 'Run', description: 'Runs.', category: 'faulty', permission: 'public',
      readonly: true, output: z.object({ a: z.string() }), execute() { throw new Error('broken') } })`,
    visit: '/wp-json/wp-abilities/v1/abilities/faulty/run/run',
    own: 'fails',
    where: /faulty\/run/,
  },
  {
    id: 'ability-wrong-output',
    setup: `abilities.register({ name: 'faulty/run', label: 'Run', description: 'Runs.', category: 'faulty', permission: 'public',
      readonly: true, output: z.object({ a: z.string() }), execute: () => ({ a: 5 }) })`,
    visit: '/wp-json/wp-abilities/v1/abilities/faulty/run/run',
    own: 'fails',
    where: /faulty\/run/,
  },
  // Code that nobody waits for.
  { id: 'timer-throws', setup: `host.setInterval(() => { throw new Error('broken') }, 20)`, where: /timer/ },
  {
    id: 'unhandled-rejection',
    setup: `hooks.addFilter('the_content', (html) => { void Promise.reject(new Error('broken')); return html })`,
    where: /broken/,
  },
  {
    id: 'uncaught-error',
    setup: `hooks.addFilter('the_content', (html) => { setTimeout(() => { throw new Error('broken') }); return html })`,
    where: /broken/,
  },
  // Jobs.
  {
    id: 'queue-throws',
    setup: `const { queue } = jobs.createQueue({ name: 'faulty', retries: 0, async work() { throw new Error('broken') } })
      hooks.addFilter('the_content', (html) => { queue.push(1); return html })`,
    where: /queue/,
  },
  {
    id: 'job-throws',
    setup: `const { job } = jobs.define({ type: 'faulty', data: z.object({}), retries: 0, async tick() { throw new Error('broken') } })
      hooks.addFilter('the_content', async (html) => { await job.start({}); return html })`,
    where: /job/,
  },
  // The front.
  {
    id: 'front-throws',
    setup: `host.front.install(() => { throw new Error('broken') })`,
    where: /front/,
  },
]
