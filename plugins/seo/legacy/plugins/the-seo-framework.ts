import type { LegacyFields, LegacyPlugin } from '../types.ts'
import { at, flagOf, isEmpty, textOf } from '../values.ts'

const OPTIONS = 'autodescription-site-settings'

/**
 * The SEO Framework, which uses the post meta keys of Genesis. Its titles have no variables: by default it appends the
 * site name to each.
 */
export const theSeoFramework: LegacyPlugin = {
  id: 'seoframework',
  name: 'The SEO Framework',
  optionNames: [OPTIONS],
  places: {
    _genesis_title: 'title',
    _genesis_description: 'description',
    _genesis_canonical_uri: 'canonical',
    _genesis_noindex: 'noindex',
    _genesis_nofollow: 'nofollow',
    _open_graph_title: 'ogTitle',
    _open_graph_description: 'ogDescription',
    _social_image_url: 'ogImage',
    _twitter_title: 'xTitle',
    _twitter_description: 'xDescription',
    _primary_term_category: 'primaryCategory',
    'autodescription-term-settings.doctitle': 'title',
    'autodescription-term-settings.description': 'description',
    'autodescription-term-settings.canonical': 'canonical',
    'autodescription-term-settings.noindex': 'noindex',
    'autodescription-term-settings.nofollow': 'nofollow',
    'autodescription-term-settings.og_title': 'ogTitle',
    'autodescription-term-settings.og_description': 'ogDescription',
    'autodescription-term-settings.social_image_url': 'ogImage',
    'autodescription-term-settings.tw_title': 'xTitle',
    'autodescription-term-settings.tw_description': 'xDescription',
    'autodescription-term-settings.redirect': 'redirect',
  },
  // It has no variables.
  variables: { pattern: /(?!)/g, names: {} },
  separator: '-',
  separators: {
    hyphen: '-',
    pipe: '|',
    ndash: '–',
    mdash: '—',
    bull: '•',
    middot: '·',
    lsaquo: '‹',
    rsaquo: '›',
    frasl: '⁄',
    laquo: '«',
    raquo: '»',
    le: '≤',
    ge: '≥',
    lt: '<',
    gt: '>',
  },
  options: {
    [`${OPTIONS}.title_separator`]: 'separator',
    [`${OPTIONS}.homepage_title`]: 'title home',
    [`${OPTIONS}.homepage_description`]: 'description home',
    [`${OPTIONS}.noindex_post_types.{type}`]: 'noindex {type}',
    [`${OPTIONS}.noindex_taxonomies.{taxonomy}`]: 'noindex {taxonomy}',
    [`${OPTIONS}.author_noindex`]: 'noindex author',
    [`${OPTIONS}.date_noindex`]: 'noindex date',
    [`${OPTIONS}.og_tags`]: 'openGraph',
    [`${OPTIONS}.twitter_tags`]: 'xCards',
    [`${OPTIONS}.twitter_site`]: 'xAccount',
    [`${OPTIONS}.google_verification`]: 'verify google',
    [`${OPTIONS}.bing_verification`]: 'verify bing',
    [`${OPTIONS}.yandex_verification`]: 'verify yandex',
    [`${OPTIONS}.baidu_verification`]: 'verify baidu',
    [`${OPTIONS}.pint_verification`]: 'verify pinterest',
    [`${OPTIONS}.knowledge_type`]: 'representedBy',
    [`${OPTIONS}.knowledge_name`]: 'representedAs',
    [`${OPTIONS}.knowledge_facebook`]: 'profile',
    [`${OPTIONS}.knowledge_instagram`]: 'profile',
    [`${OPTIONS}.knowledge_youtube`]: 'profile',
    [`${OPTIONS}.knowledge_linkedin`]: 'profile',
    [`${OPTIONS}.knowledge_pinterest`]: 'profile',
  },
  complete(fields, { at: value, options }): LegacyFields {
    if (isEmpty(fields.title)) return fields
    const isBare = [
      value('_tsf_title_no_blogname'),
      value('autodescription-term-settings.title_no_blog_name'),
      at(options, [OPTIONS, 'title_rem_additions']),
    ].some(flagOf)
    if (isBare) return fields
    const parts = [textOf(fields.title), '%sitename%']
    const isLeft = at(options, [OPTIONS, 'title_location']) === 'left'
    return { ...fields, title: (isLeft ? parts.reverse() : parts).join(' %sep% ') }
  },
}
