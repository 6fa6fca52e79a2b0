import type { LegacyPlugin } from '../types.ts'
import { COMMON_NAMES } from './common-names.ts'

/** Squirrly SEO. Newer versions store the fields in a table, which exports do not contain. */
export const squirrly: LegacyPlugin = {
  id: 'squirrly',
  name: 'Squirrly SEO',
  optionNames: ['sq_options'],
  places: {
    _sq_title: 'title',
    _sq_fp_title: 'title',
    _sq_description: 'description',
    _sq_fp_description: 'description',
    _sq_canonical: 'canonical',
    _sq_noindex: 'noindex',
    _sq_nofollow: 'nofollow',
    _sq_og_title: 'ogTitle',
    _sq_og_description: 'ogDescription',
    _sq_og_media: 'ogImage',
    _sq_fp_ogimage: 'ogImage',
    _sq_tw_title: 'xTitle',
    _sq_tw_description: 'xDescription',
    _sq_tw_media: 'xImage',
    _sq_keywords: 'focusKeyword',
    _sq_fp_keywords: 'focusKeyword',
  },
  variables: {
    pattern: /\{\{([a-z_]+)\}\}/gi,
    names: {
      ...COMMON_NAMES,
      category: 'categories',
      category_description: 'termDescription',
      keyword: 'focusKeyword',
      plural: 'types',
      primary_category: 'category',
      searchphrase: 'search',
      single: 'type',
      tag: 'tags',
      tag_description: 'termDescription',
      term_title: 'termTitle',
    },
  },
  separator: '-',
  options: {},
}
