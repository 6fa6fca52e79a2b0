import { line, toggle } from 'pentad'
import { z } from 'zod'

/** What core writes: the heading of the page, the number of a later page of a list, the site's name. */
export const USUAL_TITLE = '%title% %sep% %page% %sep% %sitename%'

const template = (initial: string, title: string, description: string) =>
  line(500).default(initial).meta({ title, description, group: 'titles' })
const titles = (of: string, initial = USUAL_TITLE) => template(initial, `Title of ${of}`, 'May hold variables.')
const descriptions = (of: string, initial = '') =>
  template(initial, `Description of ${of}`, 'May hold variables. What is empty is made from the text.')
/** Names of post types and taxonomies: `book`, `genre`. */
const name = z.string().regex(/^[a-z0-9_-]{1,40}$/, 'It must be the name of a post type or taxonomy.')
const templates = (title: string) =>
  z
    .record(name, line(500))
    .refine((all) => Object.keys(all).length <= 100, 'At most 100 of them.')
    .default({})
    .meta({ title, description: 'By name of a post type or taxonomy: book, genre.', group: 'titles' })

const titleSettings = {
  titleSeparator: line(10).default('–').meta({
    title: 'Separator',
    description: 'Stands between the parts of a title: the variable %sep%.',
    group: 'titles',
  }),
  homeTitle: titles('the home page', '%sitename% %sep% %tagline% %sep% %page%'),
  homeDescription: descriptions('the home page', '%tagline%'),
  postTitleTemplate: titles('posts'),
  postDescriptionTemplate: descriptions('posts', '%excerpt%'),
  pageTitleTemplate: titles('pages'),
  pageDescriptionTemplate: descriptions('pages', '%excerpt%'),
  attachmentTitleTemplate: titles('attachments'),
  attachmentDescriptionTemplate: descriptions('attachments', '%excerpt%'),
  categoryTitleTemplate: titles('categories'),
  categoryDescriptionTemplate: descriptions('categories', '%term_description%'),
  tagTitleTemplate: titles('tags'),
  tagDescriptionTemplate: descriptions('tags', '%term_description%'),
  authorTitleTemplate: titles('authors'),
  authorDescriptionTemplate: descriptions('authors', '%author_description%'),
  dateTitleTemplate: titles('archives by date'),
  archiveTitleTemplate: titles('archives of a post type'),
  searchTitleTemplate: titles('search results'),
  notFoundTitleTemplate: titles('pages that are not found'),
  typeTitleTemplates: templates('Titles of other types and taxonomies'),
  typeDescriptionTemplates: templates('Descriptions of other types and taxonomies'),
}

const robotsSettings = {
  noindexTypes: z.array(name).max(100).default(['attachment']).meta({
    title: 'Kept out of search engines',
    description: 'Post types and taxonomies whose pages search engines should not keep.',
    group: 'robots',
  }),
  noindexAuthors: toggle(
    'off',
    'Hide author archives',
    'Search engines should not keep archives of authors.',
    'robots',
  ),
  noindexDates: toggle('on', 'Hide date archives', 'Search engines should not keep archives by date.', 'robots'),
}

const socialSettings = {
  openGraph: toggle('on', 'Open Graph', 'Says how a page looks where it is shared.', 'social'),
  xCards: toggle('on', 'X cards', 'Says how a page looks on X.', 'social'),
  xAccount: line(16)
    .transform((text) => text.replace(/^@/, ''))
    .refine((text) => /^\w{0,15}$/.test(text), 'It must be the name of an account, such as @example.')
    .default('')
    .meta({ title: 'Account on X', description: 'Of the site: @example.', group: 'social' }),
  socialImage: z.int().min(0).default(0).meta({
    title: 'Image for sharing',
    description: 'Id of the image of pages without one; 1200 by 630 pixels are best. 0 for the logo or icon.',
    group: 'social',
  }),
}

/** The whole tag that a search engine hands out will do; its `content` counts. */
const code = (engine: string) =>
  line(400)
    .transform((text) => /\bcontent=["']([^"']*)["']/i.exec(text)?.[1] ?? text)
    .refine((text) => /^[\w=.+/:-]{0,200}$/.test(text), 'It must be the code or tag that the search engine gave.')
    .default('')
    .meta({ title: engine, description: `Proves to ${engine} that the site is yours.`, group: 'verification' })

const verificationSettings = {
  googleVerification: code('Google'),
  bingVerification: code('Bing'),
  yandexVerification: code('Yandex'),
  baiduVerification: code('Baidu'),
  naverVerification: code('Naver'),
  pinterestVerification: code('Pinterest'),
}

/** Settings of what the head of a page says. */
export const headSettings = { ...titleSettings, ...robotsSettings, ...socialSettings, ...verificationSettings }
