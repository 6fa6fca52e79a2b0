import { z } from 'zod'
import { RestError } from '../../../core/errors.ts'
import { isTimezone } from '../../../core/options/site-info.ts'
import type { RestRequest } from '../../../core/rest/types.ts'
import { isPublicSite } from '../public-site.ts'
import { SITE_DEFAULTS } from '../site-settings.ts'
import type { SiteSettings } from '../types.ts'
import { invalidParameter } from './errors.ts'
import { NAMESPACE, type RouteParts } from './parts.ts'

const id = z.int().min(0).max(2_147_483_647).nullish()
const openOrClosed = z.enum(['open', 'closed']).nullish()
const line = z.string().max(1000).nullish()
const short = z.string().max(100).nullish()
const path = z.string().max(200).nullish()

/** WordPress's names and order, followed by settings that WordPress does not expose in REST; `null` resets a setting to its default. */
const updateSchema = z.object({
  title: line.describe('Site title.'),
  description: line.describe('Site tagline.'),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Site URL.'),
  email: z.email().optional().describe('This address is used for admin purposes, like new user notification.'),
  timezone: z
    .string()
    .max(100)
    .refine(isTimezone, { error: 'timezone is not a valid time zone.', params: { code: 'rest_invalid_param' } })
    .nullish()
    .describe('A city in the same timezone as you.'),
  date_format: short.describe('A date format for all date strings.'),
  time_format: short.describe('A time format for all time strings.'),
  start_of_week: z.int().min(0).max(6).nullish().describe('A day number of the week that the week should start on.'),
  language: z
    .string()
    .regex(/^(?:[a-zA-Z]{2,3}(?:[_-][a-zA-Z0-9]+)*)?$/)
    .nullish()
    .describe('WordPress locale code. The date and time formats follow, unless others were chosen.'),
  use_smilies: z.boolean().nullish().describe('Convert emoticons like :-) and :-P to graphics on display.'),
  default_category: id.describe('Default post category.'),
  default_post_format: short.describe('Default post format.'),
  posts_per_page: z.int().min(1).max(1000).nullish().describe('Blog pages show at most.'),
  show_on_front: z.enum(['posts', 'page']).nullish().describe('What to show on the front page'),
  page_on_front: id.describe('The ID of the page that should be displayed on the front page'),
  page_for_posts: id.describe('The ID of the page that should display the latest posts'),
  default_ping_status: openOrClosed.describe('Allow link notifications from other blogs on new articles.'),
  default_comment_status: openOrClosed.describe('Allow people to submit comments on new posts.'),
  site_logo: id.describe('Site logo.'),
  site_icon: id.describe('Site icon.'),
  permalink_structure: path.describe(
    'Permalink structure of posts, such as /%year%/%postname%/; empty for plain permalinks.',
  ),
  category_base: path.describe('Category base; empty for "category".'),
  tag_base: path.describe('Tag base; empty for "tag".'),
  blog_public: z.boolean().nullish().describe('Whether search engines may index the site.'),
})

const responseSchema: z.ZodType = z
  .looseObject({
    ...{ title: z.string(), description: z.string(), url: z.string(), email: z.string(), timezone: z.string() },
    ...{ date_format: z.string(), time_format: z.string(), start_of_week: z.int(), language: z.string() },
    ...{
      use_smilies: z.boolean(),
      default_category: z.int(),
      default_post_format: z.string(),
      posts_per_page: z.int(),
    },
    ...{ show_on_front: z.string(), page_on_front: z.int(), page_for_posts: z.int() },
    ...{ default_ping_status: z.string(), default_comment_status: z.string(), site_logo: z.int().nullable() },
    ...{ site_icon: z.int(), permalink_structure: z.string(), category_base: z.string(), tag_base: z.string() },
    blog_public: z.boolean(),
  })
  .meta({ id: 'Settings' })

type Asked = z.output<typeof updateSchema>

/** `wp/v2/settings`: the site's own settings under WordPress's names, in its order. */
export function registerSiteSettingsRoutes({ rest, auth, content, hooks, options, siteUrl }: RouteParts): void {
  async function read(): Promise<Record<string, unknown>> {
    const values: Record<string, unknown> = {
      ...toResponse(content.siteSettings(), siteUrl),
      blog_public: isPublicSite(options),
    }
    if (!hooks.hasFilter('rest_pre_get_setting')) return values
    for (const name of Object.keys(values)) {
      const value = await hooks.applyFiltersAsync('rest_pre_get_setting', null, name)
      if (value !== null) values[name] = value
    }
    return values
  }

  /** The settings that callbacks have not handled. */
  async function left(asked: Asked): Promise<Asked> {
    if (!hooks.hasFilter('rest_pre_update_setting')) return asked
    const rest: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(asked)) {
      if (!(await hooks.applyFiltersAsync('rest_pre_update_setting', false, name, value))) rest[name] = value
    }
    return updateSchema.parse(rest)
  }

  async function check({ url, default_category: category }: Asked): Promise<void> {
    if (url !== undefined && url.replace(/\/+$/, '') !== siteUrl) {
      throw wrong('url', 'The site URL is set in the configuration: PENTAD_URL.')
    }
    if (typeof category === 'number' && (await content.terms.get(category))?.taxonomy !== 'category') {
      throw wrong('default_category', 'default_category is not the ID of a category.')
    }
  }

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/settings',
    access: 'manage_options',
    summary: "Returns the site's settings.",
    response: responseSchema,
    handler: read,
  })

  rest.registerRoute(NAMESPACE, {
    method: ['POST', 'PUT', 'PATCH'],
    path: '/settings',
    access: 'manage_options',
    summary: "Updates the site's settings.",
    input: updateSchema,
    response: responseSchema,
    async handler(request: RestRequest<Asked>) {
      const asked = await left(request.input)
      await check(asked)
      const formerEmail = content.siteSettings().adminEmail
      const changesEmail = asked.email !== undefined && asked.email !== formerEmail
      // The administrator's address receives mails about the site; WordPress requires confirmation by mail
      // (`update_option_new_admin_email`).
      if (changesEmail) await auth.requireConfirmation(request.identity)
      await content.updateSiteSettings(toChanges(asked)).catch(asWordPress)
      if (changesEmail) await auth.securityLog.record('site_email_changed')
      if (asked.blog_public !== undefined) await options.update('blog_public', asked.blog_public === false ? '0' : '1')
      return read()
    },
  })
}

function wrong(name: string, message: string) {
  return invalidParameter(name, { code: 'rest_invalid_param', message, data: null })
}

/** Names the setting that is wrong as the request does: `category_base`. */
function asWordPress(error: unknown): never {
  const params = error instanceof RestError ? error.data.params : undefined
  if (typeof params !== 'object' || params === null) throw error
  const [[key = '', message] = []] = Object.entries(params)
  const name = key === 'adminEmail' ? 'email' : key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  throw wrong(name, String(message))
}

/** `null` puts a setting back to its default, what was not sent stays. */
function toChanges(asked: Asked): { [Key in keyof SiteSettings]: SiteSettings[Key] | undefined } {
  const orDefault = <Key extends keyof SiteSettings>(key: Key, value: SiteSettings[Key] | null | undefined) =>
    value === null ? SITE_DEFAULTS[key] : value
  return {
    title: orDefault('title', asked.title),
    description: orDefault('description', asked.description),
    adminEmail: asked.email,
    timezone: orDefault('timezone', asked.timezone),
    dateFormat: orDefault('dateFormat', asked.date_format),
    timeFormat: orDefault('timeFormat', asked.time_format),
    startOfWeek: orDefault('startOfWeek', asked.start_of_week),
    language: asked.language === '' ? SITE_DEFAULTS.language : orDefault('language', asked.language),
    useSmilies: orDefault('useSmilies', asked.use_smilies),
    defaultCategory: orDefault('defaultCategory', asked.default_category),
    defaultPostFormat: orDefault('defaultPostFormat', asked.default_post_format),
    postsPerPage: orDefault('postsPerPage', asked.posts_per_page),
    showOnFront: orDefault('showOnFront', asked.show_on_front),
    pageOnFront: orDefault('pageOnFront', asked.page_on_front),
    pageForPosts: orDefault('pageForPosts', asked.page_for_posts),
    defaultPingStatus: orDefault('defaultPingStatus', asked.default_ping_status),
    defaultCommentStatus: orDefault('defaultCommentStatus', asked.default_comment_status),
    siteLogo: orDefault('siteLogo', asked.site_logo),
    siteIcon: orDefault('siteIcon', asked.site_icon),
    permalinkStructure: orDefault('permalinkStructure', asked.permalink_structure),
    categoryBase: orDefault('categoryBase', asked.category_base),
    tagBase: orDefault('tagBase', asked.tag_base),
  }
}

function toResponse(settings: SiteSettings, siteUrl: string): Record<string, unknown> {
  return {
    title: settings.title,
    description: settings.description,
    url: siteUrl,
    email: settings.adminEmail,
    timezone: settings.timezone,
    date_format: settings.dateFormat,
    time_format: settings.timeFormat,
    start_of_week: settings.startOfWeek,
    language: settings.language,
    use_smilies: settings.useSmilies,
    default_category: settings.defaultCategory,
    default_post_format: settings.defaultPostFormat,
    posts_per_page: settings.postsPerPage,
    show_on_front: settings.showOnFront,
    page_on_front: settings.pageOnFront,
    page_for_posts: settings.pageForPosts,
    default_ping_status: settings.defaultPingStatus,
    default_comment_status: settings.defaultCommentStatus,
    site_logo: settings.siteLogo,
    site_icon: settings.siteIcon,
    permalink_structure: settings.permalinkStructure,
    category_base: settings.categoryBase,
    tag_base: settings.tagBase,
  }
}
