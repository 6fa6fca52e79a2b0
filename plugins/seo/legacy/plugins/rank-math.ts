import type { LegacyPlugin } from '../types.ts'
import { flagOf, isEmpty } from '../values.ts'
import { COMMON_NAMES } from './common-names.ts'

/**
 * Rank Math. Its variables: https://rankmath.com/kb/variables-in-seo-title-description/ Its redirects are in a table,
 * which it exports as CSV.
 */
export const rankMath: LegacyPlugin = {
  id: 'rankmath',
  name: 'Rank Math',
  optionNames: ['rank-math-options-general', 'rank-math-options-titles', 'rank-math-options-sitemap'],
  places: {
    rank_math_title: 'title',
    rank_math_description: 'description',
    rank_math_canonical_url: 'canonical',
    rank_math_robots: 'robots',
    rank_math_facebook_title: 'ogTitle',
    rank_math_facebook_description: 'ogDescription',
    rank_math_facebook_image: 'ogImage',
    rank_math_twitter_title: 'xTitle',
    rank_math_twitter_description: 'xDescription',
    rank_math_twitter_image: 'xImage',
    rank_math_primary_category: 'primaryCategory',
    rank_math_snippet_article_type: 'schemaType',
    rank_math_focus_keyword: 'focusKeyword',
  },
  variables: {
    pattern: /%([a-z][a-z0-9_-]*)(?:\(([^)%]*)\))?%/gi,
    names: {
      ...COMMON_NAMES,
      archive_title: 'archiveTitle',
      categories: 'categories',
      category: 'category',
      focuskw: 'focusKeyword',
      keywords: 'focusKeyword',
      org_name: 'siteName',
      post_author: 'author',
      post_thumbnail: 'image',
      search_query: 'search',
      seo_title: 'title',
      tag: 'tag',
      tags: 'tags',
      term: 'termTitle',
      url: 'url',
      userid: 'authorId',
    },
    open(name, argument) {
      if (argument === '') return undefined
      if (name === 'customfield') return `field:${argument}`
      if (name === 'customterm') return `terms:${argument}`
      return name === 'customterm_desc' ? `termDescription:${argument}` : undefined
    },
  },
  separator: '-',
  options: {
    'rank-math-options-titles.title_separator': 'separator',
    'rank-math-options-titles.homepage_title': 'title home',
    'rank-math-options-titles.homepage_description': 'description home',
    'rank-math-options-titles.pt_{type}_title': 'title {type}',
    'rank-math-options-titles.pt_{type}_description': 'description {type}',
    'rank-math-options-titles.pt_{type}_robots': 'noindex {type}',
    'rank-math-options-titles.tax_{taxonomy}_title': 'title {taxonomy}',
    'rank-math-options-titles.tax_{taxonomy}_description': 'description {taxonomy}',
    'rank-math-options-titles.tax_{taxonomy}_robots': 'noindex {taxonomy}',
    'rank-math-options-titles.author_archive_title': 'title author',
    'rank-math-options-titles.author_archive_description': 'description author',
    'rank-math-options-titles.author_robots': 'noindex author',
    'rank-math-options-titles.date_archive_title': 'title date',
    'rank-math-options-titles.date_archive_robots': 'noindex date',
    'rank-math-options-titles.search_title': 'title search',
    'rank-math-options-titles.404_title': 'title notFound',
    'rank-math-options-titles.knowledgegraph_type': 'representedBy',
    'rank-math-options-titles.knowledgegraph_name': 'representedAs',
    'rank-math-options-titles.twitter_author_names': 'xAccount',
    'rank-math-options-titles.social_url_facebook': 'profile',
    'rank-math-options-titles.social_additional_profiles': 'profile',
    'rank-math-options-general.breadcrumbs': 'breadcrumbs',
    'rank-math-options-general.breadcrumbs_home_label': 'breadcrumbsHome',
    'rank-math-options-general.breadcrumbs_separator': 'breadcrumbsSeparator',
    'rank-math-options-general.google_verify': 'verify google',
    'rank-math-options-general.bing_verify': 'verify bing',
    'rank-math-options-general.yandex_verify': 'verify yandex',
    'rank-math-options-general.baidu_verify': 'verify baidu',
    'rank-math-options-general.pinterest_verify': 'verify pinterest',
  },
  complete(fields, { at }) {
    // Unless turned off, X uses the values for Facebook.
    const { xTitle, xDescription, xImage, ...others } = fields
    const isOwn = flagOf(at('rank_math_twitter_use_facebook')) === false
    return isOwn || isEmpty(at('rank_math_twitter_use_facebook')) ? fields : others
  },
}
