import { ability, action, type Fault, type FaultRequest, filter, HANGS, POSTS, route, THROWS } from '../fault.ts'

const asAdministrator = true
const SETTINGS: FaultRequest = { method: 'POST', asAdministrator, body: { description: 'Another tagline' } }
const COMMENT = {
  visit: '/wp-json/wp/v2/comments',
  request: { method: 'POST', asAdministrator, body: (visit: number) => ({ post: 1, content: `Visit ${visit}` }) },
}
const DRAFT = {
  visit: '/wp-json/wp/v2/posts',
  request: { method: 'POST', asAdministrator, body: { title: 'A draft', content: '<p>Draft</p>', status: 'draft' } },
}
const signIn = (pwd: string) => ({
  visit: '/wp-login.php',
  request: { method: 'POST', form: { log: 'admin', pwd } },
})

/** Faults in REST routes and their filters, in abilities, and in what happens when somebody writes or signs in. */
export const requestFaults = (password: string): readonly Fault[] => [
  // Filters of REST answers.
  filter('rest-post-text', 'rest_prepare_post', `() => 'text'`, { visit: POSTS }),
  filter(
    'rest-post-circle',
    'rest_prepare_post',
    '(data) => { const circle = { ...data }; circle.circle = circle; return circle }',
    { visit: POSTS },
  ),
  filter('rest-post-bigint', 'rest_prepare_post', '(data) => ({ ...data, big: 1n })', { visit: POSTS }),
  filter('rest-post-hangs', 'rest_prepare_post', HANGS, { visit: POSTS }),
  filter('rest-query-list', 'rest_post_query', '() => [1]', { visit: POSTS }),
  filter('rest-dispatch-throws', 'rest_pre_dispatch', THROWS, { visit: POSTS }),
  filter('rest-answer-hangs', 'rest_post_dispatch', HANGS, { visit: POSTS }),
  filter(
    'rest-dispatch-recursion',
    'rest_pre_dispatch',
    `async (answer, { identity }) => { await rest.dispatch({ method: 'GET', route: '/wp/v2/types', identity }); return answer }`,
    { visit: POSTS },
  ),
  // Routes.
  route('route-throws', `handler() { throw new Error('broken') }`),
  route('route-circle', 'handler() { const circle = {}; circle.circle = circle; return circle }'),
  route('route-bigint', 'handler: () => ({ big: 1n })'),
  route('route-to-json', `handler: () => ({ toJSON() { throw new Error('broken') } })`),
  route('route-hangs', `handler: ${HANGS}`),
  route(
    'route-transaction-hangs',
    `handler: () => host.database.db.transaction().execute(async (db) => {
      await db.updateTable('posts').set({ title: 'lost' }).where('id', '=', 0).execute()
      await new Promise(() => {})
    })`,
  ),
  route(
    'route-pragma',
    `handler: () => host.database.db.executeQuery({ sql: 'pragma query_only = on', parameters: [] } as never)`,
  ),
  route(
    'route-stream-silent',
    `async handler() {
      const { Readable } = await import('node:stream')
      const { RestResponse } = await import('pentad')
      return new RestResponse(new Readable({ read() {} }))
    }`,
  ),
  route('route-access-hangs', `access: ${HANGS}, handler: () => 1`),
  route('route-when-promise', `when: async () => false, handler: () => 1`),
  route(
    'route-header-long',
    `async handler() {
    const { RestResponse } = await import('pentad')
    return new RestResponse(1, { headers: { 'X-Long': 'x'.repeat(20_000) } })
  }`,
  ),
  route('route-throws-text', `handler() { throw 'broken' }`),
  route('route-access-throws', `access() { throw new Error('broken') }, handler: () => 1`),
  // Abilities.
  ability('ability-throws', `execute() { throw new Error('broken') }`),
  ability('ability-hangs', `execute: ${HANGS}`),
  ability('ability-wrong-output', 'execute: () => ({ a: 5 })'),
  ability('ability-permits-throws', `permits() { throw new Error('broken') }, execute: () => ({ a: 'x' })`),
  action('ability-before-hangs', 'wp_before_execute_ability', HANGS, {
    visit: '/wp-json/wp-abilities/v1/abilities/healthy/run/run',
  }),
  // Comments.
  filter('comment-null', 'preprocess_comment', '() => null', COMMENT),
  filter('comment-hangs', 'preprocess_comment', HANGS, COMMENT),
  filter('comment-status-number', 'pre_comment_approved', '() => 1', COMMENT),
  action('comment-insert-throws', 'wp_insert_comment', THROWS, COMMENT),
  action('comment-post-hangs', 'comment_post', HANGS, COMMENT),
  filter('comment-rest-list', 'rest_prepare_comment', '() => []', { visit: '/wp-json/wp/v2/comments' }),
  // Signing in.
  filter('authenticate-hangs', 'authenticate', HANGS, signIn(password)),
  action('login-throws', 'wp_login', THROWS, signIn(password)),
  action('login-failed-throws', 'wp_login_failed', THROWS, signIn('wrong')),
  // Saving.
  filter('save-data-null', 'wp_insert_post_data', '() => null', DRAFT),
  filter('save-data-hangs', 'wp_insert_post_data', HANGS, DRAFT),
  filter('save-content-number', 'content_save_pre', '() => 5', DRAFT),
  filter('save-rest-throws', 'rest_pre_insert_post', THROWS, DRAFT),
  action('save-throws', 'save_post', THROWS, DRAFT),
  action('save-hangs', 'save_post', HANGS, DRAFT),
  action('save-transition-throws', 'transition_post_status', THROWS, DRAFT),
  // Settings.
  filter('option-throws', 'pre_update_option', THROWS, {
    visit: '/wp-json/wp/v2/settings',
    request: { ...SETTINGS, body: (visit: number) => ({ description: `Tagline ${visit}` }) },
  }),
  filter('option-hangs', 'pre_update_option', HANGS, {
    visit: '/wp-json/wp/v2/settings',
    request: { ...SETTINGS, body: (visit: number) => ({ description: `One more tagline ${visit}` }) },
  }),
  action('option-stored-hangs', 'updated_option', HANGS, {
    visit: '/wp-json/wp/v2/settings',
    request: { ...SETTINGS, body: (visit: number) => ({ description: `The next tagline ${visit}` }) },
  }),
  action('all-recursion', 'all', `() => hooks.doAction('faulty_loop')`, { where: /faulty_loop/ }),
  action('all-hangs', 'all', HANGS),
  action('option-recursion', 'updated_option', `() => options.update('faulty_count', { at: Math.random() })`, {
    visit: '/wp-json/wp/v2/settings',
    request: { ...SETTINGS, body: (visit: number) => ({ description: `Other tagline ${visit}` }) },
  }),
]
