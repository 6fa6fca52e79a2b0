import { action, type Fault, filter, HANGS, route, THROWS } from '../fault.ts'

const asAdministrator = true

/** Faults in what the services ask, in jobs, timers and code that nobody waits for, and in the admin. */
export const BACKGROUND_FAULTS: readonly Fault[] = [
  // The services.
  filter('seo-title-number', 'seo_title', '() => 5'),
  filter('seo-schema-null', 'seo_schema_graph', '() => null'),
  filter('seo-robots-hangs', 'seo_robots', HANGS),
  filter('sitemap-throws', 'seo_sitemap_urls', THROWS, { visit: '/wp-sitemap-posts-post-1.xml' }),
  filter('sitemap-hangs', 'seo_sitemap_urls', HANGS, { visit: '/wp-sitemap-posts-post-1.xml' }),
  filter('llms-number', 'seo_llms_txt', '() => 5', { visit: '/llms.txt' }),
  filter('manifest-null', 'pwa_manifest', '() => null', { visit: '/manifest.webmanifest' }),
  filter('helpdesk-texts-list', 'ai_helpdesk_texts', '() => []'),
  filter('backup-locations-null', 'backup_locations', '() => null', {
    visit: '/wp-json/backup/v1/backup/locations',
    request: { asAdministrator },
  }),
  action('purge-throws', 'speed_purged', THROWS, {
    visit: '/wp-json/speed/v1/purge-current-page',
    request: { method: 'POST', asAdministrator, body: { url: '/' } },
  }),
  // Mail.
  {
    id: 'mail-null',
    setup: `hooks.addFilter('wp_mail', () => null)
      hooks.addFilter('the_content', (html) => {
        // Not awaited, as its time is the machine's.
        void host.mail.send({ to: 'somebody@example.org', subject: 'Hello', text: 'Hello' })
        return html
      })`,
    where: /wp_mail/,
  },
  // Jobs.
  {
    id: 'queue-throws',
    setup: `const { queue } = jobs.createQueue({ name: 'faulty', retries: 0, async work() { throw new Error('broken') } })
      hooks.addFilter('the_content', (html) => { queue.push(1); return html })`,
    where: /queue faulty/,
  },
  {
    id: 'queue-hangs',
    setup: `const { queue } = jobs.createQueue({ name: 'faulty', retries: 0, timeout: 20, work: ${HANGS} })
      hooks.addFilter('the_content', (html) => { queue.push(1); return html })`,
    where: /queue faulty/,
  },
  {
    id: 'job-throws',
    setup: `const { job } = jobs.define({ type: 'faulty', data: z.object({}), retries: 0,
        async tick() { throw new Error('broken') }, async cancelled() {} })
      hooks.addFilter('the_content', (html) => { void job.start({}).then(({ id }) => jobs.advance(id)); return html })`,
    where: /job faulty/,
  },
  // Code that nobody waits for.
  { id: 'timer-throws', setup: `host.setInterval(() => { throw new Error('broken') }, 20)`, where: /timer/ },
  {
    id: 'queue-flood',
    setup: `const { queue } = jobs.createQueue({ name: 'faulty', retries: 0, async work() { throw new Error('broken') } })
      hooks.addFilter('the_content', (html) => { for (let item = 0; item < 20_000; item++) queue.push(item); return html })`,
    where: /queue faulty/,
  },
  { id: 'timer-rejects', setup: `host.setInterval(async () => { throw new Error('broken') }, 20)`, where: /timer/ },
  {
    id: 'unhandled-rejection',
    setup: `hooks.addFilter('the_content', (html) => { void Promise.reject(new Error('broken')); return html })`,
    where: /unawaited code/,
  },
  {
    id: 'uncaught-error',
    setup: `hooks.addFilter('the_content', (html) => { setTimeout(() => { throw new Error('broken') }); return html })`,
    where: /unawaited code/,
  },
  {
    id: 'rejection-flood',
    setup: `hooks.addFilter('the_content', (html) => {
      for (let count = 0; count < 1000; count++) void Promise.reject(new Error('broken'))
      return html
    })`,
    where: /unawaited code/,
  },
  // Errors without a stack: the async context of the callback identifies the extension.
  filter('late-text', 'the_title', `(title) => { setTimeout(() => { throw 'broken' }); return title }`),
  filter(
    'late-bare',
    'the_title',
    `(title) => { setImmediate(() => { throw Object.assign(new Error('x'), { stack: '' }) }); return title }`,
  ),
  filter(
    'late-unreadable',
    'the_title',
    `(title) => {
    void Promise.reject(new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } }))
    return title
  }`,
  ),
  filter(
    'late-stream',
    'the_title',
    `(title) => { process.getBuiltinModule('fs').createReadStream('/nowhere'); return title }`,
  ),
  filter('rejected-text', 'the_content', `(html) => { void Promise.reject('broken'); return html }`),
  action('late-action', 'wp_head', `() => queueMicrotask(() => { throw null })`),
  route('late-route', `handler() { void Promise.reject(undefined); return 1 }`),
  {
    id: 'exits',
    setup: `hooks.addFilter('the_content', (html) => { process.exit(1); return html })`,
    where: /process\.exit/,
  },
  // The front, where each request comes in.
  { id: 'front-throws', setup: `host.front.install(() => { throw new Error('broken') })`, where: /the front/ },
  // The admin.
  {
    id: 'admin-page-wrong',
    setup: `host.admin.addPage({ slug: 'faulty', title: 'Faulty', parts: [{ type: 'chart', route: 'no route' }] })`,
    where: /The page "faulty" of admin-page-wrong is invalid/,
  },
  {
    id: 'admin-page-route',
    setup: `rest.registerRoute('admin-page/v1', { method: 'GET', path: '/rows', access: 'manage_options', handler: () => { throw new Error('broken') } })
      host.admin.addPage({ slug: 'faulty', title: 'Faulty', parts: [
        { type: 'table', route: 'admin-page/v1/rows', columns: [{ key: 'name', label: 'Name' }] }] })`,
    visit: '/wp-json/admin-page/v1/rows',
    request: { asAdministrator },
    own: 'fails',
    where: /admin-page\/v1\/rows/,
  },
  // Being switched on.
  { id: 'setup-throws', setup: `throw new Error('broken')`, where: /broken/ },
  { id: 'setup-rejects', setup: `await Promise.reject(new Error('broken'))`, where: /broken/ },
]
