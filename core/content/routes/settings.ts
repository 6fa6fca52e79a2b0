import type { SiteSettings } from '../types.ts'
import { NAMESPACE, type RouteParts } from './parts.ts'

/** `wp/v2/settings`: the site's own settings under WordPress's names, in its order. */
export function registerSiteSettingsRoutes({ rest, content, siteUrl }: RouteParts): void {
  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/settings',
    access: 'manage_options',
    summary: "The site's settings.",
    handler: () => toAnswer(content.siteSettings(), siteUrl),
  })
}

/** What does not exist here has WordPress's default, since clients read it. */
function toAnswer(settings: SiteSettings, siteUrl: string): Record<string, unknown> {
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
    use_smilies: true,
    default_category: settings.defaultCategory,
    default_post_format: '0',
    posts_per_page: settings.postsPerPage,
    show_on_front: settings.showOnFront,
    page_on_front: settings.pageOnFront,
    page_for_posts: settings.pageForPosts,
    default_ping_status: settings.defaultPingStatus,
    default_comment_status: settings.defaultCommentStatus,
    site_logo: null,
    site_icon: 0,
  }
}
