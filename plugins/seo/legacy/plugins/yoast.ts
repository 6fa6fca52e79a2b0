import { rooted } from '../../redirects/formats/row-readers.ts'
import { withSlash } from '../redirects.ts'
import type { LegacyPlugin } from '../types.ts'
import { itemsOf, membersOf, textOf } from '../values.ts'
import { COMMON_NAMES } from './common-names.ts'

/**
 * Yoast SEO. Its variables: https://yoast.com/help/list-available-snippet-variables-yoast-seo/ Fields of terms are in
 * the `wpseo_taxonomy_meta` option, redirects of Premium in `wpseo-premium-redirects-base`.
 */
export const yoast: LegacyPlugin = {
  id: 'yoast',
  name: 'Yoast SEO',
  optionNames: ['wpseo', 'wpseo_titles', 'wpseo_social', 'wpseo_taxonomy_meta', 'wpseo-premium-redirects-base'],
  places: {
    _yoast_wpseo_title: 'title',
    _yoast_wpseo_metadesc: 'description',
    _yoast_wpseo_canonical: 'canonical',
    '_yoast_wpseo_meta-robots-noindex': 'noindex',
    '_yoast_wpseo_meta-robots-nofollow': 'nofollow',
    '_yoast_wpseo_meta-robots-adv': 'robots',
    '_yoast_wpseo_opengraph-title': 'ogTitle',
    '_yoast_wpseo_opengraph-description': 'ogDescription',
    '_yoast_wpseo_opengraph-image': 'ogImage',
    '_yoast_wpseo_twitter-title': 'xTitle',
    '_yoast_wpseo_twitter-description': 'xDescription',
    '_yoast_wpseo_twitter-image': 'xImage',
    _yoast_wpseo_primary_category: 'primaryCategory',
    _yoast_wpseo_schema_article_type: 'schemaType',
    _yoast_wpseo_focuskw: 'focusKeyword',
    _yoast_wpseo_redirect: 'redirect',
  },
  variables: {
    pattern: /%%((?:ct_[^%]+?%%single|[^%]+))%%?/g,
    names: {
      ...COMMON_NAMES,
      archive_title: 'archiveTitle',
      author_first_name: 'authorFirstName',
      author_last_name: 'authorLastName',
      caption: 'excerptOnly',
      category: 'categories',
      category_description: 'termDescription',
      category_title: 'category',
      focuskw: 'focusKeyword',
      permalink: 'url',
      post_content: 'content',
      post_day: 'day',
      post_month: 'month',
      post_year: 'year',
      primary_category: 'category',
      searchphrase: 'search',
      tag: 'tags',
      tag_description: 'termDescription',
      term_title: 'termTitle',
      userid: 'authorId',
    },
    open(name) {
      if (name.startsWith('cf_')) return `field:${name.slice(3)}`
      if (name.startsWith('ct_desc_')) return `termDescription:${name.slice(8)}`
      if (!name.startsWith('ct_')) return undefined
      return name.endsWith('%%single') ? `term:${name.slice(3, -8)}` : `terms:${name.slice(3)}`
    },
  },
  separator: '-',
  separators: {
    'sc-dash': '-',
    'sc-ndash': '–',
    'sc-mdash': '—',
    'sc-colon': ':',
    'sc-middot': '·',
    'sc-bull': '•',
    'sc-star': '*',
    'sc-smstar': '⋆',
    'sc-pipe': '|',
    'sc-tilde': '~',
    'sc-laquo': '«',
    'sc-raquo': '»',
    'sc-lt': '<',
    'sc-gt': '>',
  },
  options: {
    'wpseo_titles.separator': 'separator',
    'wpseo_titles.title-home-wpseo': 'title home',
    'wpseo_titles.metadesc-home-wpseo': 'description home',
    'wpseo_titles.title-{type}': 'title {type}',
    'wpseo_titles.metadesc-{type}': 'description {type}',
    'wpseo_titles.noindex-{type}': 'noindex {type}',
    'wpseo_titles.title-tax-{taxonomy}': 'title {taxonomy}',
    'wpseo_titles.metadesc-tax-{taxonomy}': 'description {taxonomy}',
    'wpseo_titles.noindex-tax-{taxonomy}': 'noindex {taxonomy}',
    'wpseo_titles.title-author-wpseo': 'title author',
    'wpseo_titles.metadesc-author-wpseo': 'description author',
    'wpseo_titles.noindex-author-wpseo': 'noindex author',
    'wpseo_titles.title-archive-wpseo': 'title date',
    'wpseo_titles.noindex-archive-wpseo': 'noindex date',
    'wpseo_titles.title-search-wpseo': 'title search',
    'wpseo_titles.title-404-wpseo': 'title notFound',
    'wpseo_titles.breadcrumbs-enable': 'breadcrumbs',
    'wpseo_titles.breadcrumbs-home': 'breadcrumbsHome',
    'wpseo_titles.breadcrumbs-sep': 'breadcrumbsSeparator',
    'wpseo_titles.company_or_person': 'representedBy',
    'wpseo_titles.company_name': 'representedAs',
    'wpseo.googleverify': 'verify google',
    'wpseo.msverify': 'verify bing',
    'wpseo.yandexverify': 'verify yandex',
    'wpseo.baiduverify': 'verify baidu',
    'wpseo_social.pinterestverify': 'verify pinterest',
    'wpseo_social.opengraph': 'openGraph',
    'wpseo_social.twitter': 'xCards',
    'wpseo_social.twitter_site': 'xAccount',
    'wpseo_social.facebook_site': 'profile',
    'wpseo_social.instagram_url': 'profile',
    'wpseo_social.linkedin_url': 'profile',
    'wpseo_social.youtube_url': 'profile',
    'wpseo_social.pinterest_url': 'profile',
    'wpseo_social.wikipedia_url': 'profile',
    'wpseo_social.other_social_urls': 'profile',
  },
  terms: ({ wpseo_taxonomy_meta: taxonomies }) =>
    Object.entries(membersOf(taxonomies)).flatMap(([taxonomy, terms]) =>
      Object.entries(membersOf(terms)).map(([id, term]) => {
        const value = (name: string) => membersOf(term)[`wpseo_${name}`] ?? ''
        return {
          taxonomy,
          id: Number(id),
          fields: {
            title: value('title'),
            description: value('desc'),
            canonical: value('canonical'),
            noindex: value('noindex'),
            ogTitle: value('opengraph-title'),
            ogDescription: value('opengraph-description'),
            ogImage: value('opengraph-image'),
            xTitle: value('twitter-title'),
            xDescription: value('twitter-description'),
            xImage: value('twitter-image'),
          },
        }
      }),
    ),
  redirects: (options) =>
    itemsOf(options['wpseo-premium-redirects-base']).map((rule) => {
      const { origin, url, type, format } = membersOf(rule)
      const isPattern = format === 'regex'
      return {
        source: isPattern ? rooted(textOf(origin)) : withSlash(textOf(origin)),
        target: withSlash(textOf(url)),
        match: isPattern ? 'regex' : 'exact',
        status: Number(textOf(type)) || 301,
        enabled: true,
      }
    }),
}
