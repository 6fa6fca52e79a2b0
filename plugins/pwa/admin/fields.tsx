import { ColorInput, MultiSelect, TagsInput, TextInput } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import { ImageField } from 'pentad/admin/screens/media/image-field.tsx'
import { DAY, duration } from 'pentad/admin/settings/duration-field.tsx'
import { KindsField } from 'pentad/admin/settings/kinds-field.tsx'
import { choice, described, type OwnField } from 'pentad/admin/settings/own-field.tsx'
import { Screenshots, Shortcuts } from './list-fields.tsx'

const colorField =
  (key: string): OwnField =>
  (draft) => (
    <ColorInput
      {...described(draft, key)}
      eyeDropperButtonProps={{ 'aria-label': __('Pick a color from the screen', 'pentad') }}
      value={String(draft.values[key] ?? '')}
      onChange={(value) => draft.set({ [key]: value })}
    />
  )

/** A single-line path. */
const path =
  (key: string): OwnField =>
  (draft) => (
    <TextInput
      {...described(draft, key)}
      placeholder="/"
      value={String(draft.values[key] ?? '')}
      onChange={(event) => draft.set({ [key]: event.currentTarget.value })}
    />
  )

/** The categories of app stores. */
const CATEGORIES = [
  ...['books', 'business', 'education', 'entertainment', 'finance', 'fitness', 'food', 'games', 'government', 'health'],
  ...['kids', 'lifestyle', 'magazines', 'medical', 'music', 'navigation', 'news', 'photo', 'politics', 'productivity'],
  ...['security', 'shopping', 'social', 'sports', 'travel', 'utilities', 'weather'],
]

const KINDS: Readonly<Record<string, string>> = {
  headerBanner: __('Header banner', 'pentad'),
  snackbar: __('Snackbar', 'pentad'),
  launcher: __('Button', 'pentad'),
  navigationMenu: __('Navigation menu', 'pentad'),
  inFeed: __('In-feed', 'pentad'),
  blogPopup: __('Blog popup', 'pentad'),
  checkout: __('Checkout', 'pentad'),
}

const DISPLAYS: Readonly<Record<string, string>> = {
  standalone: __('Standalone', 'pentad'),
  'minimal-ui': __('Minimal UI', 'pentad'),
  fullscreen: __('Fullscreen', 'pentad'),
  browser: __('Browser tab', 'pentad'),
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** A multi-select with labels, in the order of selection. */
function several(key: string, labels: Readonly<Record<string, string>>): OwnField {
  return (draft) => (
    <MultiSelect
      {...described(draft, key)}
      data={Object.entries(labels).map(([value, label]) => ({ value, label }))}
      value={texts(draft.values[key])}
      onChange={(values) => draft.set({ [key]: values })}
    />
  )
}

/** Custom controls in place of those generated from the schema. */
export const PWA_FIELDS: Readonly<Record<string, OwnField>> = {
  appIcon: (draft) => (
    <ImageField
      label={__('App icon', 'pentad')}
      description={__('Square, at least 512 × 512 pixels. 1024 × 1024 pixels is recommended.', 'pentad')}
      error={draft.fieldErrors.appIcon}
      value={Number(draft.values.appIcon ?? 0)}
      onChange={(id) => draft.set({ appIcon: id })}
    />
  ),
  themeColor: colorField('themeColor'),
  backgroundColor: colorField('backgroundColor'),
  displayMode: choice('displayMode', DISPLAYS),
  displayOverride: several('displayOverride', {
    ...DISPLAYS,
    'window-controls-overlay': __('Window controls overlay', 'pentad'),
    tabbed: __('Tabbed', 'pentad'),
  }),
  shortcuts: (draft) => <Shortcuts draft={draft} />,
  screenshots: (draft) => <Screenshots draft={draft} />,
  startPath: path('startPath'),
  appId: path('appId'),
  shareTargetPath: path('shareTargetPath'),
  offlineFallbackPage: path('offlineFallbackPage'),
  orientation: choice('orientation', {
    any: __('Any', 'pentad'),
    natural: __('Natural', 'pentad'),
    portrait: __('Portrait', 'pentad'),
    'portrait-primary': __('Portrait (primary)', 'pentad'),
    'portrait-secondary': __('Portrait (secondary)', 'pentad'),
    landscape: __('Landscape', 'pentad'),
    'landscape-primary': __('Landscape (primary)', 'pentad'),
    'landscape-secondary': __('Landscape (secondary)', 'pentad'),
  }),
  iosStatusBar: choice('iosStatusBar', {
    default: __('Default', 'pentad'),
    black: __('Black', 'pentad'),
    'black-translucent': __('Black translucent', 'pentad'),
  }),
  launchMode: choice('launchMode', {
    auto: __('Automatic', 'pentad'),
    'focus-existing': __('Focus an open window', 'pentad'),
    'navigate-existing': __('Load the page in an open window', 'pentad'),
    'navigate-new': __('Open a new window', 'pentad'),
  }),
  handleLinks: choice('handleLinks', {
    auto: __('Automatic', 'pentad'),
    preferred: __('Open links in the app', 'pentad'),
    'not-preferred': __('Open links in the browser', 'pentad'),
  }),
  categories: (draft) => (
    <TagsInput
      {...described(draft, 'categories')}
      data={CATEGORIES}
      value={texts(draft.values.categories)}
      onChange={(categories) => draft.set({ categories })}
      clearable
      clearButtonProps={{ 'aria-label': __('Clear all', 'pentad') }}
    />
  ),
  installPromptKinds: several('installPromptKinds', KINDS),
  pushNewContentTypes: (draft) => <KindsField draft={draft} name="pushNewContentTypes" />,
  pushTimeToLiveSeconds: duration(
    'pushTimeToLiveSeconds',
    DAY,
    __('Number of days to hold a notification for a device that is offline. Up to 28.', 'pentad'),
  ),
  offlineCacheStrategy: choice('offlineCacheStrategy', {
    NetworkFirst: __('Network first (cache when offline)', 'pentad'),
    StaleWhileRevalidate: __('Stale while revalidate (show the cached page, update it in the background)', 'pentad'),
    CacheFirst: __('Cache first (network after expiry)', 'pentad'),
    CacheOnly: __('Cache only (visited pages are not added; other pages load from the network)', 'pentad'),
    NetworkOnly: __('Network only (only the offline page is cached)', 'pentad'),
  }),
  pushButtonPosition: choice('pushButtonPosition', {
    'page-end': __('End of the page', 'pentad'),
    'bottom-left': __('Bottom left', 'pentad'),
    'bottom-right': __('Bottom right', 'pentad'),
    'top-left': __('Top left', 'pentad'),
    'top-right': __('Top right', 'pentad'),
  }),
}
