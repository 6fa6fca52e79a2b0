import { line, toggle } from 'pentad'
import { z } from 'zod'
import { color, imageId, path } from '../settings-fields.ts'

export const DISPLAY_MODES = ['standalone', 'minimal-ui', 'fullscreen', 'browser'] as const

/** Of the Screen Orientation API. */
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

/** `web+recipe`, or one of the schemes that the HTML standard lets a site handle. */
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
  .refine(({ url, id }) => url !== '' || id !== '', 'It needs a url or an id.')

/** The app as the web app manifest describes it. */
export const manifestSettings = {
  appName: line(200)
    .default('')
    .meta({ title: 'App name', description: "Of the installed app; empty for the site's title.", group: 'manifest' }),
  shortName: line(50)
    .default('')
    .meta({ title: 'Short name', description: 'Below the icon; 12 characters fit everywhere.', group: 'manifest' }),
  description: line(1000)
    .default('')
    .meta({ title: 'Description', description: "Of the app; empty for the site's tagline.", group: 'manifest' }),
  appIcon: imageId
    .default(0)
    .meta({ title: 'App icon', description: 'Attachment, square, 512 px at least.', group: 'manifest' }),
  themeColor: color
    .default('#000000')
    .meta({ title: 'Theme color', description: 'Of the bars around the page.', group: 'manifest' }),
  backgroundColor: color
    .default('#ffffff')
    .meta({ title: 'Background color', description: 'Behind icon and splash screen.', group: 'manifest' }),
  appId: path.default('/').meta({
    title: 'App ID',
    description: 'What browsers know the app by. With another one, an installed app gets no more updates.',
    group: 'manifest',
  }),
  startPath: path
    .default('/')
    .meta({ title: 'Start page', description: 'Path that the app opens with.', group: 'manifest' }),
  displayMode: z
    .enum(DISPLAY_MODES)
    .default('standalone')
    .meta({ title: 'Display', description: 'How much of the browser the app shows.', group: 'manifest' }),
  displayOverride: z
    .array(z.enum([...DISPLAY_MODES, 'window-controls-overlay', 'tabbed']))
    .max(6)
    .default([])
    .meta({
      title: 'Display override',
      description: 'Other ways to show the app, for browsers that know them; else the one above.',
      group: 'manifest',
    }),
  orientation: z
    .enum(ORIENTATIONS)
    .default('any')
    .meta({ title: 'Orientation', description: 'How the app may be turned.', group: 'manifest' }),
  iosStatusBar: z
    .enum(['default', 'black', 'black-translucent'])
    .default('default')
    .meta({ title: 'Status bar on iOS', description: 'Look of it in the installed app.', group: 'manifest' }),
  categories: z
    .array(line(50).min(1).toLowerCase())
    .max(20)
    .default([])
    .meta({ title: 'Categories', description: 'For app stores: news, shopping, …', group: 'manifest' }),
  shortcuts: z
    .array(shortcut)
    .max(MOST_SHORTCUTS)
    .default([])
    .meta({ title: 'Shortcuts', description: 'Pages in the menu of the app icon.', group: 'manifest' }),
  screenshots: z
    .array(screenshot)
    .max(MOST_SCREENSHOTS)
    .default([])
    .meta({ title: 'Screenshots', description: 'Attachments that install dialogues show.', group: 'manifest' }),
  launchMode: z
    .enum(['auto', 'focus-existing', 'navigate-existing', 'navigate-new'])
    .default('auto')
    .meta({ title: 'Launch', description: 'Whether a window that is open is used again.', group: 'manifest' }),
  handleLinks: z
    .enum(['auto', 'preferred', 'not-preferred'])
    .default('auto')
    .meta({ title: 'Links', description: 'Whether links to the site open the app.', group: 'manifest' }),
  shareTargetPath: z
    .union([z.literal(''), path])
    .default('')
    .meta({
      title: 'Share target',
      description: 'Page that gets what people share to the app, as title, text and url in its query.',
      group: 'manifest',
    }),
  protocolHandlers: z
    .array(
      z.object({
        protocol: z
          .string()
          .trim()
          .toLowerCase()
          .regex(SCHEME, 'It must be web+name or a scheme that sites may handle.'),
        url: path.refine((url) => url.includes('%s'), 'It must contain %s, which the address takes the place of.'),
      }),
    )
    .max(20)
    .default([])
    .meta({ title: 'Protocol handlers', description: 'Kinds of links that the app opens.', group: 'manifest' }),
  fileHandlers: z
    .array(
      z.object({
        action: path,
        accept: z
          .record(z.string().regex(MEDIA_TYPE), z.array(z.string().regex(FILE_EXTENSION)).max(20))
          .refine((types) => Object.keys(types).length > 0, 'It must name a type of files.'),
      }),
    )
    .max(20)
    .default([])
    .meta({ title: 'File handlers', description: 'Files that the app opens.', group: 'manifest' }),
  relatedApplications: z
    .array(relatedApplication)
    .max(20)
    .default([])
    .meta({ title: 'Related applications', description: 'The same app in stores.', group: 'manifest' }),
  preferRelatedApplications: toggle(
    'off',
    'Prefer related applications',
    'Browsers offer the related application instead of this one.',
    'manifest',
  ),
  iarcRatingId: z
    .union([z.literal(''), z.guid()])
    .default('')
    .meta({
      title: 'Age rating',
      description: 'Number of the certificate that the IARC (globalratings.com) gave the app.',
      group: 'manifest',
    }),
  edgeSidePanelWidth: z
    .int()
    .min(0)
    .max(2000)
    .default(0)
    .meta({ title: 'Side panel of Edge', description: 'Width in pixels; 0 for none.', group: 'manifest' }),
}
