import { rooted } from '../../redirects/formats/row-readers.ts'
import { withSlash } from '../redirects.ts'
import type { LegacyPlugin } from '../types.ts'
import { isEmpty, itemsOf, membersOf, textOf } from '../values.ts'

/** Slim SEO: all fields of a post or term in one value. Its variables: https://docs.wpslimseo.com/slim-seo/dynamic-variables/ */
export const slimSeo: LegacyPlugin = {
  id: 'slimseo',
  name: 'Slim SEO',
  optionNames: ['slim_seo', 'ss_redirects'],
  places: {
    'slim_seo.title': 'title',
    'slim_seo.description': 'description',
    'slim_seo.canonical': 'canonical',
    'slim_seo.noindex': 'noindex',
    'slim_seo.nofollow': 'nofollow',
    'slim_seo.facebook_image': 'ogImage',
    'slim_seo.twitter_image': 'xImage',
  },
  variables: {
    pattern: /\{\{\s*([\w.-]+)\s*\}\}/g,
    names: {
      'author.auto_description': 'authorBio',
      'author.description': 'authorBio',
      'author.display_name': 'author',
      'author.first_name': 'authorFirstName',
      'author.last_name': 'authorLastName',
      'author.nickname': 'author',
      'author.website_url': 'authorUrl',
      'current.day': 'currentDay',
      'current.month': 'currentMonth',
      'current.year': 'currentYear',
      page: 'page',
      'post.auto_description': 'excerpt',
      'post.categories': 'categories',
      'post.content': 'content',
      'post.date': 'date',
      'post.excerpt': 'excerptOnly',
      'post.modified_date': 'modified',
      'post.tags': 'tags',
      'post.thumbnail': 'image',
      'post.title': 'title',
      'post.url': 'url',
      'post_type.labels.plural': 'types',
      'post_type.labels.singular': 'type',
      'post_type.plural': 'types',
      'post_type.singular': 'type',
      sep: 'separator',
      'site.description': 'tagline',
      'site.title': 'siteName',
      'term.auto_description': 'termDescription',
      'term.description': 'termDescription',
      'term.name': 'termTitle',
      'user.description': 'authorBio',
      'user.display_name': 'author',
    },
    open(name) {
      if (name.startsWith('post.custom_field.')) return `field:${name.slice(18)}`
      return name.startsWith('post.tax.') ? `terms:${name.slice(9)}` : undefined
    },
  },
  separator: '-',
  options: {
    'slim_seo.home.title': 'title home',
    'slim_seo.home.description': 'description home',
    'slim_seo.{type}.title': 'title {type}',
    'slim_seo.{type}.description': 'description {type}',
    'slim_seo.{type}.noindex': 'noindex {type}',
    'slim_seo.{taxonomy}.title': 'title {taxonomy}',
    'slim_seo.{taxonomy}.description': 'description {taxonomy}',
    'slim_seo.{taxonomy}.noindex': 'noindex {taxonomy}',
    'slim_seo.author.title': 'title author',
    'slim_seo.author.description': 'description author',
    'slim_seo.author.noindex': 'noindex author',
    'slim_seo.twitter_site': 'xAccount',
  },
  // Newer versions store redirects in a table.
  redirects: (options) =>
    itemsOf(options.ss_redirects).map((rule) => {
      const { type, condition, from, to, enable } = membersOf(rule)
      const isPattern = condition === 'regex'
      return {
        source: isPattern ? rooted(textOf(from)) : withSlash(textOf(from)),
        target: withSlash(textOf(to)),
        match: isPattern ? 'regex' : 'exact',
        status: Number(textOf(type)) || 301,
        enabled: !isEmpty(enable),
      }
    }),
}
