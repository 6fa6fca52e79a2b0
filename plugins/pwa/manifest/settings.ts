import { line, toggle } from 'pentad'
import { z } from 'zod'
import { color, imageId, path } from '../settings-fields.ts'

export const DISPLAY_MODES = ['standalone', 'minimal-ui', 'fullscreen', 'browser'] as const

/** Values of the Screen Orientation API. */
const ORIENTATIONS = [
  'any',
  'natural',
  'portrait',
  'portrait-primary',
  'portrait-secondary',
  'landscape',
  'landscape-primary',
  'landscape-secondary',
] as const

/** Browsers show no more than the first few. */
const MOST_SHORTCUTS = 10
const MOST_SCREENSHOTS = 16

/** `web+recipe`, or a scheme that the HTML standard allows. */
const SCHEME =
  /^(?:web\+[a-z]+|bitcoin|ftp|ftps|geo|im|irc|ircs|magnet|mailto|matrix|mms|news|nntp|openpgp4fpr|sftp|sip|sms|smsto|ssh|tel|urn|webcal|wtai|xmpp)$/

const MEDIA_TYPE = /^[a-z0-9][\w.+-]*\/(?:[\w.+-]+|\*)$/i
const FILE_EXTENSION = /^\.[\w.+-]{1,32}$/

const shortcut = z.object({
  name: line(100).min(1),
  shortName: line(50).default(''),
  description: line().default(''),
  url: path,
  icon: imageId.default(0),
})

const screenshot = z.union([
  z
    .int()
    .min(1)
    .transform((image) => ({ image, label: '' })),
  z.object({ image: imageId.min(1), label: line(150).default('') }),
])

const relatedApplication = z
  .object({
    /** `play`, `itunes`, `windows`, `webapp`, … */
    platform: line(50).min(1),
    url: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(2000)]).default(''),
    id: line(200).default(''),
  })
  .refine(({ url, id }) => url !== '' || id !== '', 'Enter a URL or an ID.')

/** Settings of the web app manifest. */
export const manifestSettings = {
  appName: line(200).default('').meta({
    title: 'App name',
    description: 'Name of the installed app. Leave empty to use the site title.',
    group: 'manifest',
  }),
  shortName: line(50).default('').meta({
    title: 'Short name',
    description: 'Shown below the icon. Up to 12 characters fit on every device.',
    group: 'manifest',
  }),
  description: line(1000)
    .default('')
    .meta({ title: 'Description', description: 'Leave empty to use the tagline.', group: 'manifest' }),
  appIcon: imageId
    .default(0)
    .meta({ title: 'App icon', description: 'A square image of at least 512 × 512 pixels.', group: 'manifest' }),
  themeColor: color
    .default('#000000')
    .meta({ title: 'Theme color', description: 'Color of the browser toolbar and the status bar.', group: 'manifest' }),
  backgroundColor: color
    .default('#ffffff')
    .meta({ title: 'Background color', description: 'Background of icons and splash screens.', group: 'manifest' }),
  appId: path.default('/').meta({
    title: 'App ID',
    description: 'Identifies the app to browsers. Installed apps no longer receive updates if you change it.',
    group: 'manifest',
  }),
  startPath: path
    .default('/')
    .meta({ title: 'Start page', description: 'Path that opens when the app starts.', group: 'manifest' }),
  displayMode: z
    .enum(DISPLAY_MODES)
    .default('standalone')
    .meta({ title: 'Display mode', description: 'How much of the browser interface is visible.', group: 'manifest' }),
  displayOverride: z
    .array(z.enum([...DISPLAY_MODES, 'window-controls-overlay', 'tabbed']))
    .max(6)
    .default([])
    .meta({
      title: 'Display override',
      description:
        'Preferred display modes. Browsers that support none of them use the display mode set under Identity.',
      group: 'manifest',
    }),
  orientation: z
    .enum(ORIENTATIONS)
    .default('any')
    .meta({ title: 'Orientation', description: 'Allowed screen orientation.', group: 'manifest' }),
  iosStatusBar: z
    .enum(['default', 'black', 'black-translucent'])
    .default('default')
    .meta({ title: 'iOS status bar', description: 'Style of the status bar in the installed app.', group: 'manifest' }),
  categories: z.array(line(50).min(1).toLowerCase()).max(20).default([]).meta({
    title: 'Categories',
    description: 'Categories for app stores, such as news or shopping.',
    group: 'manifest',
  }),
  shortcuts: z
    .array(shortcut)
    .max(MOST_SHORTCUTS)
    .default([])
    .meta({ title: 'Shortcuts', description: 'Links in the context menu of the app icon.', group: 'manifest' }),
  screenshots: z
    .array(screenshot)
    .max(MOST_SCREENSHOTS)
    .default([])
    .meta({ title: 'Screenshots', description: 'Images shown in the install dialog.', group: 'manifest' }),
  launchMode: z
    .enum(['auto', 'focus-existing', 'navigate-existing', 'navigate-new'])
    .default('auto')
    .meta({ title: 'Launch mode', description: 'Whether to reuse an open window.', group: 'manifest' }),
  handleLinks: z
    .enum(['auto', 'preferred', 'not-preferred'])
    .default('auto')
    .meta({ title: 'Link handling', description: 'Whether links to the site open in the app.', group: 'manifest' }),
  shareTargetPath: z
    .union([z.literal(''), path])
    .default('')
    .meta({
      title: 'Share target',
      description: 'Path that receives shared content in the query parameters title, text, and url.',
      group: 'manifest',
    }),
  protocolHandlers: z
    .array(
      z.object({
        protocol: z
          .string()
          .trim()
          .toLowerCase()
          .regex(SCHEME, 'Enter a scheme such as web+recipe, or one that browsers let sites handle, such as mailto.'),
        url: path.refine((url) => url.includes('%s'), 'It must contain the placeholder %s for the link.'),
      }),
    )
    .max(20)
    .default([])
    .meta({ title: 'Protocol handlers', description: 'URL schemes that open in the app.', group: 'manifest' }),
  fileHandlers: z
    .array(
      z.object({
        action: path,
        accept: z
          .record(z.string().regex(MEDIA_TYPE), z.array(z.string().regex(FILE_EXTENSION)).max(20))
          .refine((types) => Object.keys(types).length > 0, 'Enter at least one file type.'),
      }),
    )
    .max(20)
    .default([])
    .meta({ title: 'File handlers', description: 'File types that open in the app.', group: 'manifest' }),
  relatedApplications: z
    .array(relatedApplication)
    .max(20)
    .default([])
    .meta({ title: 'Related applications', description: 'Versions of this app in app stores.', group: 'manifest' }),
  preferRelatedApplications: toggle(
    'off',
    'Prefer related applications',
    'Browsers offer a related application instead of this one.',
    'manifest',
  ),
  iarcRatingId: z
    .union([z.literal(''), z.guid()])
    .default('')
    .meta({
      title: 'IARC rating ID',
      description: 'Age rating certificate of the app from globalratings.com.',
      group: 'manifest',
    }),
  edgeSidePanelWidth: z.int().min(0).max(2000).default(0).meta({
    title: 'Edge side panel width',
    description: 'Preferred width in pixels. Set to 0 to disable.',
    group: 'manifest',
  }),
}
