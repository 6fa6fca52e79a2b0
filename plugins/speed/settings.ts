import { toggle } from 'pentad'
import { z } from 'zod'

/** Parameters that tell where a visitor came from and change nothing on the page; * at the end stands for anything. */
const TRACKING_PARAMETERS = [
  ...['utm_*', 'mtm_*', 'pk_*', 'hsa_*', 'trk_*', 'vero_*', 'fb_action_*', 'fb_source', 'fbclid', 'gclid', 'gclsrc'],
  ...['gad', 'gad_source', 'gad_campaignid', 'gbraid', 'wbraid', 'dclid', 'msclkid', 'ttclid', 'twclid', 'li_fat_id'],
  ...['igshid', 'igsh', 'yclid', 'ysclid', 'epik', 'mc_cid', 'mc_eid', '_ga', '_gl', '_ke', '_kx', '_hsenc', '_hsmi'],
  ...['_bta_tid', '_bta_c', 'adgroupid', 'adid', 'campaignid', 'dm_i', 'ef_id', 'mkwid', 'pcrid', 's_kwcid', 'srsltid'],
  ...['sscid', 'usqp', 'vgo_ee', '_openstat', 'ssp_iabi', 'ssp_iaba', 'redirect_log_mongo_id', 'redirect_mongo_id'],
]

/** Cookies whose visitors see pages of their own; * at the end stands for anything. */
const PERSONAL_COOKIES = ['store_cart', 'woocommerce_items_in_cart', 'edd_items_in_cart', 'comment_author_*']

const names = (limit: number) => z.array(z.string().trim().min(1).max(200)).max(limit)

/**
 * What a setting may do to a site that is out of the ordinary. A safe one changes no page that anybody sees; a moderate
 * one changes what browsers do with a page; an aggressive one how it is put together, so look at the site after it.
 */
type Risk = 'safe' | 'moderate' | 'aggressive'

const safe = { risk: 'safe' satisfies Risk }

/** A switch that is on from the start. */
const on = (risk: Risk, group: string, title: string, description: string) =>
  toggle('on', title, description, group).meta({ risk })

/** Settings of the performance service (contract 6): `PUT /speed/v1/settings`. */
export const settingsSchema = z.object({
  pageCache: on('safe', 'cache', 'Page cache', 'Keeps finished pages and answers visitors with them.'),
  cacheTtlSeconds: z
    .int()
    .min(60)
    .max(31_536_000)
    .default(86_400)
    .meta({
      title: 'Lifetime',
      description: 'Seconds after which a page is rendered anew.',
      group: 'cache',
      ...safe,
    }),
  ignoredQueryParams: names(500)
    .default(TRACKING_PARAMETERS)
    .meta({
      title: 'Ignored parameters',
      description:
        'Query parameters that change no page, such as those of campaigns. * at the end stands for anything.',
      group: 'cache',
      ...safe,
    }),
  bypassCookies: names(200)
    .default(PERSONAL_COOKIES)
    .meta({
      title: 'Bypass cookies',
      description: 'Visitors with one of these get no cached page.',
      group: 'cache',
      ...safe,
    }),
  bypassPaths: names(500)
    .default([])
    .meta({
      title: 'Bypass paths',
      description: 'Paths never cached, such as /account/*; * stands for anything.',
      group: 'cache',
      ...safe,
    }),
  preload: on('safe', 'cache', 'Preload', 'Renders pages in the background before a visitor asks.'),
  purgeOnUpdate: on('safe', 'cache', 'Purge on update', 'A change of content purges the pages that show it.'),
  minifyHtml: on('safe', 'code', 'Minify HTML', 'Leaves out comments and blanks that no browser needs.'),
  minifyCss: on('safe', 'code', 'Minify CSS', 'Makes style sheets smaller.'),
  minifyJs: on('moderate', 'code', 'Minify JavaScript', 'Makes scripts smaller.'),
  deferJs: on(
    'aggressive',
    'code',
    'Defer scripts',
    'Runs scripts after the page was read, in their order. Switch it off if a slider or menu stays dead.',
  ),
  inlineCriticalCss: on(
    'aggressive',
    'code',
    'Critical CSS',
    'Puts the CSS of the page into it and loads the rest later. Switch it off if pages show without style for a moment.',
  ),
  lazyImages: on('moderate', 'media', 'Lazy images', 'Loads images when they come near the view.'),
  imageFormats: z
    .array(z.enum(['webp', 'avif']))
    .max(2)
    .default(['avif', 'webp'])
    .meta({
      title: 'Image formats',
      description: 'Smaller copies offered to browsers that know them.',
      group: 'media',
      ...safe,
    }),
  imageQuality: z
    .int()
    .min(1)
    .max(100)
    .default(75)
    .meta({ title: 'Image quality', description: 'Of these copies, 1 to 100.', group: 'media', ...safe }),
  fontDisplaySwap: on('safe', 'fonts', 'Show text at once', 'Text shows in a fallback font until its own is there.'),
  selfHostFonts: on('moderate', 'fonts', 'Own copies of fonts', 'Serves fonts of other hosts from this site.'),
  preloadLinks: on('moderate', 'links', 'Prefetch links', 'Fetches a page when a visitor is about to open it.'),
  speculationRules: on(
    'moderate',
    'links',
    'Speculation rules',
    'Lets browsers that can do it prefetch by themselves.',
  ),
  cdnUrl: z
    .union([
      z.literal(''),
      // Paths are put behind it as it is, and every visitor reads it.
      z
        .url({ protocol: /^https?$/ })
        .regex(/^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/i, 'cdnUrl must have no query, fragment or credentials')
        .transform((url) => url.replace(/\/+$/, '')),
    ])
    .default('')
    .meta({
      title: 'CDN address',
      description: 'Where files of this site are fetched from instead, such as https://cdn.example.org.',
      group: 'links',
      risk: 'aggressive' satisfies Risk,
    }),
  optimizationExclusions: names(500)
    .default([])
    .meta({
      title: 'Never optimised',
      description: 'Parts of addresses or inline code; what contains one stays as it is.',
      group: 'code',
      ...safe,
    }),
  serviceWorker: on('moderate', 'links', 'Service worker', 'Keeps styles, scripts, fonts and images in the browser.'),
  vitalsSampleRate: z
    .number()
    .min(0)
    .max(100)
    .default(100)
    .meta({
      title: 'Measured visits',
      description: 'Percent of visits that report web vitals.',
      group: 'vitals',
      ...safe,
    }),
})

export type SpeedSettings = z.output<typeof settingsSchema>
