import { z } from 'zod'
import { line } from '../../settings/fields.ts'

const slug = z.string().regex(/^[a-z0-9-]{0,40}$/)
const color = z.union([z.literal(''), z.string().regex(/^#[0-9a-f]{6}$/i, 'It must be a color such as #0f5c63.')])
const code = z.string().max(20_000)

/** What the owner of a site chooses about its look; the theme's own values apply to empty ones. Stored in `appearance_settings`. */
export const appearanceSettings = z.object({
  style: slug.default('').meta({ title: 'Style', group: 'style' }),
  headingFont: slug.default('').meta({ title: 'Heading font', group: 'style' }),
  textFont: slug.default('').meta({ title: 'Body font', group: 'style' }),
  colorScheme: z.enum(['auto', 'light', 'dark']).default('auto').meta({
    title: 'Color scheme',
    description: '“Auto” follows the setting of the visitor’s device.',
    group: 'colors',
  }),
  lightBase: color.default('').meta({ title: 'Background', group: 'colors' }),
  lightContrast: color.default('').meta({ title: 'Text', group: 'colors' }),
  lightAccent: color.default('').meta({ title: 'Accent', group: 'colors' }),
  darkBase: color.default('').meta({ title: 'Background (dark)', group: 'colors' }),
  darkContrast: color.default('').meta({ title: 'Text (dark)', group: 'colors' }),
  darkAccent: color.default('').meta({ title: 'Accent (dark)', group: 'colors' }),
  headerLayout: z.enum(['left', 'centered']).default('left').meta({ title: 'Header layout', group: 'header' }),
  darkLogo: z.int().min(0).default(0).meta({
    title: 'Logo for dark mode',
    description: 'Replaces the logo in dark mode. Select one if the logo is hard to read on a dark background.',
    group: 'header',
  }),
  showTitle: z.boolean().default(true).meta({
    title: 'Show site title',
    description: 'Turn this off if the logo contains the title.',
    group: 'header',
  }),
  showTagline: z.boolean().default(true).meta({ title: 'Show tagline', group: 'header' }),
  showSearch: z.boolean().default(true).meta({ title: 'Show search', group: 'header' }),
  homeLayout: z
    .enum(['list', 'cards', 'magazine'])
    .default('magazine')
    .meta({ title: 'Post lists', description: '“Magazine” features the first post on the homepage.', group: 'lists' }),
  sidebarBlocks: code.default('').meta({
    title: 'Sidebar',
    description: 'The blocks of the sidebar. If there are none, no sidebar is shown.',
    group: 'sidebar',
  }),
  sidebarOnPosts: z.boolean().default(false).meta({
    title: 'Show the sidebar on posts',
    description: 'By default, the sidebar is shown only next to lists of posts.',
    group: 'sidebar',
  }),
  breadcrumbs: z.boolean().default(false).meta({ title: 'Show breadcrumbs', group: 'posts' }),
  authorBox: z.boolean().default(true).meta({
    title: 'Show author box',
    description: 'Shown below posts whose author has biographical information in their profile.',
    group: 'posts',
  }),
  relatedPosts: z.boolean().default(true).meta({
    title: 'Show related posts',
    description: 'Shows three other posts below each post, starting with those in the same category.',
    group: 'posts',
  }),
  shareButton: z.boolean().default(true).meta({
    title: 'Show share button',
    description:
      'Visitors can copy the link to a post, or share it by email or on X, Facebook, or LinkedIn. Loads nothing from these sites.',
    group: 'posts',
  }),
  footerText: line(300).default('').meta({ title: 'Footer text', group: 'footer' }),
  customCss: code
    // Nothing else ends the element; `<` is valid in queries and strings.
    .refine((css) => !/<\/style/i.test(css), 'CSS must not contain “</style”.')
    .default('')
    .meta({ title: 'Additional CSS', group: 'code' }),
  headCode: code.default('').meta({
    title: 'Code in the head',
    description:
      'HTML to insert before the closing head tag of every page, such as a verification tag or an analytics script.',
    group: 'code',
  }),
  footerCode: code.default('').meta({
    title: 'Code in the footer',
    description: 'HTML to insert before the closing body tag of every page.',
    group: 'code',
  }),
})

export type AppearanceSettings = z.output<typeof appearanceSettings>

/** Settings that require `unfiltered_html`, as in WordPress (`edit_css` there). */
export const CODE_SETTINGS = ['customCss', 'headCode', 'footerCode'] as const

/** Changes of those settings. */
export const codeSchema = z.object({
  customCss: z.string().optional(),
  headCode: z.string().optional(),
  footerCode: z.string().optional(),
} satisfies Record<(typeof CODE_SETTINGS)[number], z.ZodType>)

export type CodeSettings = z.infer<typeof codeSchema>
