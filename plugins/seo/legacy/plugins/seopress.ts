import type { LegacyPlugin } from '../types.ts'
import { flagOf } from '../values.ts'

const TITLES = 'seopress_titles_option_name'
const SOCIAL = 'seopress_social_option_name'
const ADVANCED = 'seopress_advanced_option_name'

/**
 * SEOPress. Its variables: https://www.seopress.org/support/guides/manage-titles-meta-descriptions/ Its redirects are
 * posts of the `seopress_404` type, which exports contain.
 */
export const seopress: LegacyPlugin = {
  id: 'seopress',
  name: 'SEOPress',
  optionNames: [TITLES, SOCIAL, ADVANCED],
  places: {
    _seopress_titles_title: 'title',
    _seopress_titles_desc: 'description',
    _seopress_robots_canonical: 'canonical',
    // `yes` means noindex.
    _seopress_robots_index: 'noindex',
    _seopress_robots_follow: 'nofollow',
    _seopress_social_fb_title: 'ogTitle',
    _seopress_social_fb_desc: 'ogDescription',
    _seopress_social_fb_img: 'ogImage',
    _seopress_social_twitter_title: 'xTitle',
    _seopress_social_twitter_desc: 'xDescription',
    _seopress_social_twitter_img: 'xImage',
    _seopress_robots_primary_cat: 'primaryCategory',
    _seopress_analysis_target_kw: 'focusKeyword',
    _seopress_redirections_value: 'redirect',
    _seopress_redirections_type: 'redirectStatus',
  },
  variables: {
    pattern: /%%([a-z0-9_-]+)%%/gi,
    names: {
      _category_description: 'termDescription',
      _category_title: 'termTitle',
      archive_date: 'archiveDate',
      archive_title: 'archiveTitle',
      author_bio: 'authorBio',
      author_first_name: 'authorFirstName',
      author_last_name: 'authorLastName',
      author_nickname: 'author',
      author_website: 'authorUrl',
      cpt_plural: 'types',
      current_pagination: 'pageNumber',
      currentdate: 'currentDate',
      currentday: 'currentDay',
      currentmonth: 'currentMonth',
      currenttime: 'currentTime',
      currentyear: 'currentYear',
      page: 'page',
      post_author: 'author',
      post_category: 'category',
      post_content: 'content',
      post_date: 'date',
      post_excerpt: 'excerpt',
      post_modified_date: 'modified',
      post_tag: 'tag',
      post_thumbnail_url: 'image',
      post_title: 'title',
      post_url: 'url',
      search_keywords: 'search',
      sep: 'separator',
      sitedesc: 'tagline',
      sitename: 'siteName',
      sitetitle: 'siteName',
      tag_description: 'termDescription',
      tag_title: 'termTitle',
      tagline: 'tagline',
      target_keyword: 'focusKeyword',
      term_description: 'termDescription',
      term_title: 'termTitle',
      title: 'title',
    },
    open(name) {
      if (name.startsWith('_cf_')) return `field:${name.slice(4)}`
      return name.startsWith('_ct_') ? `term:${name.slice(4)}` : undefined
    },
  },
  separator: '-',
  options: {
    [`${TITLES}.seopress_titles_sep`]: 'separator',
    [`${TITLES}.seopress_titles_home_site_title`]: 'title home',
    [`${TITLES}.seopress_titles_home_site_desc`]: 'description home',
    [`${TITLES}.seopress_titles_single_titles.{type}.title`]: 'title {type}',
    [`${TITLES}.seopress_titles_single_titles.{type}.description`]: 'description {type}',
    [`${TITLES}.seopress_titles_single_titles.{type}.noindex`]: 'noindex {type}',
    [`${TITLES}.seopress_titles_tax_titles.{taxonomy}.title`]: 'title {taxonomy}',
    [`${TITLES}.seopress_titles_tax_titles.{taxonomy}.description`]: 'description {taxonomy}',
    [`${TITLES}.seopress_titles_tax_titles.{taxonomy}.noindex`]: 'noindex {taxonomy}',
    [`${TITLES}.seopress_titles_archives_author_title`]: 'title author',
    [`${TITLES}.seopress_titles_archives_author_desc`]: 'description author',
    [`${TITLES}.seopress_titles_archives_author_noindex`]: 'noindex author',
    [`${TITLES}.seopress_titles_archives_date_title`]: 'title date',
    [`${TITLES}.seopress_titles_archives_date_noindex`]: 'noindex date',
    [`${TITLES}.seopress_titles_archives_search_title`]: 'title search',
    [`${TITLES}.seopress_titles_archives_404_title`]: 'title notFound',
    [`${SOCIAL}.seopress_social_knowledge_type`]: 'representedBy',
    [`${SOCIAL}.seopress_social_knowledge_name`]: 'representedAs',
    [`${SOCIAL}.seopress_social_accounts_twitter`]: 'xAccount',
    [`${SOCIAL}.seopress_social_accounts_facebook`]: 'profile',
    [`${SOCIAL}.seopress_social_accounts_instagram`]: 'profile',
    [`${SOCIAL}.seopress_social_accounts_linkedin`]: 'profile',
    [`${SOCIAL}.seopress_social_accounts_pinterest`]: 'profile',
    [`${SOCIAL}.seopress_social_accounts_youtube`]: 'profile',
    [`${SOCIAL}.seopress_social_facebook_og`]: 'openGraph',
    [`${SOCIAL}.seopress_social_twitter_card`]: 'xCards',
    [`${ADVANCED}.seopress_advanced_advanced_google`]: 'verify google',
    [`${ADVANCED}.seopress_advanced_advanced_bing`]: 'verify bing',
    [`${ADVANCED}.seopress_advanced_advanced_yandex`]: 'verify yandex',
    [`${ADVANCED}.seopress_advanced_advanced_pinterest`]: 'verify pinterest',
  },
  redirectType: 'seopress_404',
  complete(fields, { at }) {
    // The URL stays stored when the redirect is turned off.
    const { redirect, ...others } = fields
    return flagOf(at('_seopress_redirections_enabled')) ? fields : others
  },
}
