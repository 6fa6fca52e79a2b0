import { toggle } from 'pentad'
import { z } from 'zod'

/** Tracking parameters, which do not change the page; * at the end matches anything. */
const TRACKING_PARAMETERS = [
  ...['utm_*', 'mtm_*', 'pk_*', 'hsa_*', 'trk_*', 'vero_*', 'fb_action_*', 'fb_source', 'fbclid', 'gclid', 'gclsrc'],
  ...['gad', 'gad_source', 'gad_campaignid', 'gbraid', 'wbraid', 'dclid', 'msclkid', 'ttclid', 'twclid', 'li_fat_id'],
  ...['igshid', 'igsh', 'yclid', 'ysclid', 'epik', 'mc_cid', 'mc_eid', '_ga', '_gl', '_ke', '_kx', '_hsenc', '_hsmi'],
  ...['_bta_tid', '_bta_c', 'adgroupid', 'adid', 'campaignid', 'dm_i', 'ef_id', 'mkwid', 'pcrid', 's_kwcid', 'srsltid'],
  ...['sscid', 'usqp', 'vgo_ee', '_openstat', 'ssp_iabi', 'ssp_iaba', 'redirect_log_mongo_id', 'redirect_mongo_id'],
]

/** Cookies of visitors with personal pages; * at the end matches anything. */
const PERSONAL_COOKIES = ['store_cart', 'woocommerce_items_in_cart', 'edd_items_in_cart', 'comment_author_*']

const names = (limit: number) => z.array(z.string().trim().min(1).max(200)).max(limit)

/**
 * Risk of a setting for unusual sites. `safe` does not visibly change pages; `moderate` changes how browsers process
 * them; `aggressive` changes their structure, so check the site afterward.
 */
type Risk = 'safe' | 'moderate' | 'aggressive'

const safe = { risk: 'safe' satisfies Risk }

/** A toggle that is on by default. */
const on = (risk: Risk, group: string, title: string, description: string) =>
  toggle('on', title, description, group).meta({ risk })

/** Settings of the performance service: `PUT /speed/v1/settings`. */
export const settingsSchema = z.object({
  pageCache: on('safe', 'cache', 'Page cache', 'Serves cached pages to visitors.'),
  cacheTtlSeconds: z
    .int()
    .min(60)
    .max(31_536_000)
    .default(86_400)
    .meta({
      title: 'Cache lifespan',
      description: 'Seconds after which a cached page is re-rendered.',
      group: 'cache',
      ...safe,
    }),
  cdnTtlSeconds: z
    .int()
    .min(0)
    .max(31_536_000)
    .default(0)
    .meta({
      title: 'CDN cache lifespan',
      description:
        'How long a CDN caches a page, in seconds, if it receives purges through webhooks or the change feed (CDN-Cache-Control header). Extensions for CDNs have their own setting.',
      group: 'cache',
      ...safe,
    }),
  ignoredQueryParams: names(500)
    .default(TRACKING_PARAMETERS)
    .meta({
      title: 'Ignored query parameters',
      description:
        'Query parameters that do not change the page, such as campaign tracking parameters. Use * at the end as a wildcard.',
      group: 'cache',
      ...safe,
    }),
  bypassCookies: names(200)
    .default(PERSONAL_COOKIES)
    .meta({
      title: 'Never cache cookies',
      description: 'Visitors with one of these cookies bypass the cache.',
      group: 'cache',
      ...safe,
    }),
  bypassPaths: names(500)
    .default([])
    .meta({
      title: 'Never cache URLs',
      description: 'Paths that bypass the cache, such as /account/*. Use * as a wildcard.',
      group: 'cache',
      ...safe,
    }),
  preload: on('safe', 'cache', 'Cache preloading', 'Renders pages in the background before visitors request them.'),
  purgeOnUpdate: on(
    'safe',
    'cache',
    'Purge on update',
    'Purges affected pages from the page cache and from caches in front of the site when content changes.',
  ),
  minifyHtml: on('safe', 'code', 'Minify HTML', 'Removes comments and whitespace from pages.'),
  minifyCss: on('safe', 'code', 'Minify CSS', 'Removes comments and whitespace from stylesheets.'),
  minifyJs: on('moderate', 'code', 'Minify JavaScript', 'Reduces the size of scripts.'),
  deferJs: on(
    'aggressive',
    'code',
    'Defer JavaScript',
    'Runs scripts in order after the page is parsed. Turn it off if a slider or menu stops working.',
  ),
  inlineCriticalCss: on(
    'aggressive',
    'code',
    'Critical CSS',
    'Inlines the CSS that a page needs first and loads the rest later. Turn it off if pages briefly appear unstyled.',
  ),
  lazyImages: on('moderate', 'media', 'Lazy loading', 'Loads images when they are about to scroll into view.'),
  imageFormats: z
    .array(z.enum(['webp', 'avif']))
    .max(2)
    .default(['avif', 'webp'])
    .meta({
      title: 'Modern image formats',
      description: 'Serves smaller WebP and AVIF copies to browsers that support them.',
      group: 'media',
      ...safe,
    }),
  imageQuality: z
    .int()
    .min(1)
    .max(100)
    .default(75)
    .meta({
      title: 'Image quality',
      description: 'Quality of the WebP and AVIF copies, 1 to 100.',
      group: 'media',
      ...safe,
    }),
  fontDisplaySwap: on(
    'safe',
    'fonts',
    'Font display swap',
    'Shows text in a fallback font until the web font has loaded.',
  ),
  selfHostFonts: on(
    'moderate',
    'fonts',
    'Self-host fonts',
    'Serves fonts from external services, such as Google Fonts, from this site instead.',
  ),
  preloadLinks: on(
    'moderate',
    'links',
    'Prefetch links',
    'Prefetches a page when a visitor hovers over its link or touches it.',
  ),
  speculationRules: on(
    'moderate',
    'links',
    'Speculation rules',
    'Lets supporting browsers prefetch pages (Speculation Rules API).',
  ),
  cdnUrl: z
    .union([
      z.literal(''),
      // Paths are appended to it, and it is public.
      z
        .url({ protocol: /^https?$/ })
        .regex(/^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/i, 'It must not contain a query string, fragment, or credentials.')
        .transform((url) => url.replace(/\/+$/, '')),
    ])
    .default('')
    .meta({
      title: 'CDN URL',
      description: 'Serves the site’s files from this URL, such as https://cdn.example.org.',
      group: 'links',
      risk: 'aggressive' satisfies Risk,
    }),
  optimizationExclusions: names(500)
    .default([])
    .meta({
      title: 'Excluded from optimization',
      description: 'Parts of URLs or inline code. Pentad does not optimize files or code that contain one of them.',
      group: 'code',
      ...safe,
    }),
  serviceWorker: on('moderate', 'links', 'Service worker', 'Caches styles, scripts, fonts, and images in the browser.'),
  vitalsSampleRate: z
    .number()
    .min(0)
    .max(100)
    .default(100)
    .meta({
      title: 'Web Vitals sample rate',
      description: 'Percentage of visits that report Web Vitals.',
      group: 'vitals',
      ...safe,
    }),
})

export type SpeedSettings = z.output<typeof settingsSchema>
