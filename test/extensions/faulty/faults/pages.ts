import { action, block, closed, type Fault, filter, HANGS, shortcode, THROWS } from '../fault.ts'

/** Puts a getter that throws in the place of every member of the page. */
const BREAKS_PAGE = `for (const name of Object.keys(page)) Object.defineProperty(page, name, { get() { throw new Error('broken') } })`

/** Faults in what makes a page: filters, actions, shortcodes, blocks, and callbacks that protect content. */
export const PAGE_FAULTS: readonly Fault[] = [
  // Synchronous filters.
  filter('title-number', 'the_title', '() => 5'),
  filter('title-null', 'the_title', '() => null'),
  filter('title-object', 'the_title', '() => ({})'),
  filter('title-promise', 'the_title', 'async (title) => title'),
  filter('title-rejected', 'the_title', `async () => { throw new Error('late') }`),
  filter('title-throws', 'the_title', THROWS),
  filter('title-throws-text', 'the_title', `() => { throw 'broken' }`),
  filter('title-throws-null', 'the_title', '() => { throw null }'),
  filter(
    'title-throws-hostile',
    'the_title',
    `() => { throw { get message() { throw new Error('in the message') } } }`,
  ),
  filter(
    'title-proxy',
    'the_title',
    `() => new Proxy({}, { get() { throw new Error('trap') }, has() { throw new Error('trap') } })`,
  ),
  filter('title-huge', 'the_title', `() => 'x'.repeat(3e8)`),
  filter(
    'title-adds-filters',
    'the_title',
    `(title) => {
    for (let count = 0; count < 300; count++) hooks.addFilter('the_title', (text) => text, 20)
    return title
  }`,
  ),
  {
    id: 'page-too-large',
    setup: `for (let count = 0; count < 2; count++)
      hooks.addFilter('page_html', (html, page) => page.path === '/shortcode/' ? html + 'x'.repeat(8e6 + count) : html)`,
    visit: '/shortcode/',
    own: 'fails',
    where: /page_html/,
  },
  filter('title-recursion', 'the_title', `(title) => hooks.applyFilters('the_title', title, 1)`),
  filter('body-class-text', 'body_class', `() => 'one two'`),
  filter('body-class-hostile', 'body_class', `() => [{ toString() { throw new Error('no text') } }]`),
  filter('body-class-huge', 'body_class', `() => Array(2e6).fill('x'.repeat(10))`),
  filter('body-class-sparse', 'body_class', `() => Object.assign([], { length: 2 ** 32 - 1 })`),
  filter(
    'headers-many',
    'wp_headers',
    `(headers) => ({ ...headers, ...Object.fromEntries(Array.from({ length: 500 }, (_, at) => ['X-' + at, 'x'.repeat(50)])) })`,
  ),
  filter('headers-number', 'wp_headers', `(headers) => ({ ...headers, 'X-Number': 5, 'X-None': undefined })`),
  filter(
    'headers-in-place',
    'wp_headers',
    `(headers) => { headers['X-None'] = Symbol('x'); throw new Error('too late') }`,
  ),
  filter('body-class-in-place', 'body_class', `(names) => { names[0] = Symbol('x'); throw new Error('too late') }`),
  filter('headers-split', 'wp_headers', `(headers) => ({ ...headers, 'X-Split': 'a\\r\\nSet-Cookie: b=c' })`),
  filter('headers-name', 'wp_headers', `(headers) => ({ ...headers, 'bad name': 'x' })`),
  filter('policy-text', 'content_security_policy', `() => 'script-src *'`),
  filter('robots-list', 'wp_robots', '() => [1, 2]'),
  filter('document-title-object', 'document_title', `() => ({ title: 'x' })`),
  filter('comments-open-text', 'comments_open', `() => 'yes'`),
  // Asynchronous filters.
  filter('content-number', 'the_content', '() => 5'),
  filter('content-rejects', 'the_content', `async () => { throw new Error('broken') }`),
  filter('content-hangs', 'the_content', HANGS),
  filter('content-recursion', 'the_content', 'async (html, post) => html + (await content.renderContent(post))'),
  filter('excerpt-null', 'the_excerpt', '() => null', { visit: '/?s=hello' }),
  filter('feed-hangs', 'the_content_feed', HANGS, { visit: '/feed/' }),
  filter('page-null', 'page_html', '() => null'),
  filter('page-hangs', 'page_html', HANGS),
  filter('query-list', 'pre_get_posts', '() => []', { visit: '/' }),
  filter('robots-number', 'robots_txt', '() => 5', { visit: '/robots.txt' }),
  // Actions.
  action('redirect-throws', 'template_redirect', THROWS),
  action('redirect-hangs', 'template_redirect', HANGS),
  action('head-prints-symbol', 'wp_head', `(output) => output.print(Symbol('x'))`),
  action('head-prints-huge', 'wp_head', `(output) => output.print('x'.repeat(3e8))`),
  action('head-replaces-print', 'wp_head', `(output) => { Object.assign(output, { print: null }) }`),
  action('head-changes-page', 'wp_head', '(output, page) => { Object.assign(page, { request: null }) }'),
  action('head-changes-posts', 'wp_head', '(output, page) => { page.posts.pop() }'),
  action(
    'head-changes-headers',
    'wp_head',
    `(output, page) => { Object.assign(page.request.headers, { accept: null }) }`,
  ),
  action('redirect-changes-status', 'template_redirect', '(page) => { Object.assign(page, { status: null }) }'),
  filter(
    'query-changes-page',
    'pre_get_posts',
    '(query, page) => Object.assign(page, { request: null, status: 999 })',
    {
      visit: '/',
    },
  ),
  filter(
    'content-changes-shared',
    'the_content',
    `async (html) => {
      Object.assign(content.siteSettings(), { title: null, permalinkStructure: null })
      Object.assign(content.postTypes().get('post'), { supports: null })
      return html
    }`,
  ),
  filter(
    'content-changes-nested',
    'the_content',
    `(html) => { content.postTypes().get('post').supports.push(null); return html }`,
  ),
  action('redirect-page-getters', 'template_redirect', `(page) => { ${BREAKS_PAGE} }`),
  action('redirect-responds-wrong', 'template_redirect', `(page) => page.respond({ status: 'x', body: Symbol('x') })`),
  action(
    'redirect-header-throws',
    'template_redirect',
    `(page) => page.respond({ get headers() { throw new Error('broken') } })`,
  ),
  action('head-page-getters', 'wp_head', `(output, page) => { ${BREAKS_PAGE} }`),
  action('head-rejects', 'wp_head', `async () => { throw new Error('broken') }`),
  action('footer-hangs', 'wp_footer', HANGS),
  action('answered-throws', 'response_sent', THROWS),
  // Shortcodes.
  shortcode('shortcode-throws', THROWS),
  shortcode('shortcode-object', '() => ({})'),
  shortcode('shortcode-hangs', HANGS),
  // Blocks.
  block('block-throws', THROWS),
  block('block-number', '() => 5'),
  block('block-hangs', HANGS),
  // Callbacks that protect content.
  closed('closed-throws', 'the_content', THROWS),
  closed('closed-null', 'the_content', 'async () => null'),
  closed('closed-nothing', 'the_content', 'async () => undefined'),
  closed('closed-hangs', 'the_content', HANGS),
  closed('closed-title', 'the_title', THROWS),
  filter('caps-throw', 'map_meta_cap', THROWS, { closes: true }),
  filter('caps-text', 'map_meta_cap', `() => 'read'`, { closes: true }),
  filter('read-caps-hang', 'read_post_caps', HANGS, { closes: true }),
  filter('user-caps-null', 'user_has_cap', '() => null', {
    visit: '/wp-json/wp/v2/users/me',
    request: { asAdministrator: true },
    closes: true,
  }),
]
