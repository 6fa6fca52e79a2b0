import { line, toggle } from 'pentad'
import { z } from 'zod'

/** The title that the CMS writes: the heading of the page, the page number in a list, the site's name. */
export const DEFAULT_TITLE = '%title% %sep% %page% %sep% %sitename%'

const template = (initial: string, title: string, description: string) =>
  line(500).default(initial).meta({ title, description, group: 'titles' })
const titles = (of: string, initial = DEFAULT_TITLE) => template(initial, `${of} title`, 'Can contain variables.')
const descriptions = (of: string, initial = '') =>
  template(
    initial,
    `${of} description`,
    'Can contain variables. Leave empty to generate the description from the content.',
  )
/** Names of post types and taxonomies: `book`, `genre`. */
const name = z.string().regex(/^[a-z0-9_-]{1,40}$/, 'It must be the name of a post type or taxonomy.')
const templates = (title: string) =>
  z
    .record(name, line(500))
    .refine((all) => Object.keys(all).length <= 100, 'At most 100 entries are allowed.')
    .default({})
    .meta({ title, description: 'Keys are names of post types or taxonomies, such as book or genre.', group: 'titles' })

const titleSettings = {
  titleSeparator: line(10).default('–').meta({
    title: 'Title separator',
    description: 'Separates the parts of a title. Insert it with the variable %sep%.',
    group: 'titles',
  }),
  homeTitle: titles('Homepage', '%sitename% %sep% %tagline% %sep% %page%'),
  homeDescription: descriptions('Homepage', '%tagline%'),
  postTitleTemplate: titles('Post'),
  postDescriptionTemplate: descriptions('Post', '%excerpt%'),
  pageTitleTemplate: titles('Page'),
  pageDescriptionTemplate: descriptions('Page', '%excerpt%'),
  attachmentTitleTemplate: titles('Attachment'),
  attachmentDescriptionTemplate: descriptions('Attachment', '%excerpt%'),
  categoryTitleTemplate: titles('Category'),
  categoryDescriptionTemplate: descriptions('Category', '%term_description%'),
  tagTitleTemplate: titles('Tag'),
  tagDescriptionTemplate: descriptions('Tag', '%term_description%'),
  authorTitleTemplate: titles('Author archive'),
  authorDescriptionTemplate: descriptions('Author archive', '%author_description%'),
  dateTitleTemplate: titles('Date archive'),
  archiveTitleTemplate: titles('Post type archive'),
  searchTitleTemplate: titles('Search results page'),
  notFoundTitleTemplate: titles('404 page'),
  typeTitleTemplates: templates('Titles of custom post types and taxonomies'),
  typeDescriptionTemplates: templates('Descriptions of custom post types and taxonomies'),
}

const robotsSettings = {
  noindexTypes: z.array(name).max(100).default(['attachment']).meta({
    title: 'Noindex content types',
    description: 'Post types and taxonomies to keep out of search results.',
    group: 'robots',
  }),
  noindexAuthors: toggle(
    'off',
    'Noindex author archives',
    'Keeps author archives out of search results. Recommended for sites with one author.',
    'robots',
  ),
  noindexDates: toggle('on', 'Noindex date archives', 'Keeps date archives out of search results.', 'robots'),
}

const socialSettings = {
  openGraph: toggle(
    'on',
    'Open Graph',
    'Adds Open Graph tags, which set the title, description, and image of shared pages.',
    'social',
  ),
  xCards: toggle('on', 'X cards', 'Adds X card tags, which set how shared pages look on X.', 'social'),
  xAccount: line(16)
    .transform((text) => text.replace(/^@/, ''))
    .refine((text) => /^\w{0,15}$/.test(text), 'It must be an X username, such as @example.')
    .default('')
    .meta({ title: 'X username', description: 'The site’s X account, such as @example.', group: 'social' }),
  socialImage: z.int().min(0).default(0).meta({
    title: 'Default social image',
    description:
      'Attachment ID of the image for shared pages without their own. 1200 × 630 pixels is recommended. Enter 0 to use the site logo or icon.',
    group: 'social',
  }),
}

/** Accepts the whole meta tag that a search engine provides, and extracts its `content`. */
const code = (engine: string) =>
  line(400)
    .transform((text) => /\bcontent=["']([^"']*)["']/i.exec(text)?.[1] ?? text)
    .refine(
      (text) => /^[\w=.+/:-]{0,200}$/.test(text),
      'It must be the verification code or meta tag from the search engine.',
    )
    .default('')
    .meta({
      title: engine,
      description: `Verification code or meta tag from ${engine}, which proves that you own the site.`,
      group: 'verification',
    })

const verificationSettings = {
  googleVerification: code('Google'),
  bingVerification: code('Bing'),
  yandexVerification: code('Yandex'),
  baiduVerification: code('Baidu'),
  naverVerification: code('Naver'),
  pinterestVerification: code('Pinterest'),
}

/** Settings of the SEO tags in the head of a page. */
export const headSettings = { ...titleSettings, ...robotsSettings, ...socialSettings, ...verificationSettings }
