import { ColorInput, MultiSelect, TagsInput, TextInput } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import { ImageField } from 'pentad/admin/screens/media/image-field.tsx'
import { DAY, duration } from 'pentad/admin/settings/duration-field.tsx'
import { KindsField } from 'pentad/admin/settings/kinds-field.tsx'
import { choice, described, type OwnField } from 'pentad/admin/settings/own-field.tsx'
import { Screenshots, Shortcuts } from './list-fields.tsx'

const colour =
  (key: string): OwnField =>
  (draft) => (
    <ColorInput
      {...described(draft, key)}
      eyeDropperButtonProps={{ 'aria-label': __('Take a colour from the screen', 'pentad') }}
      value={String(draft.values[key] ?? '')}
      onChange={(value) => draft.set({ [key]: value })}
    />
  )

/** A path, on one line. */
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

/** What app stores know. */
const CATEGORIES = [
  ...['books', 'business', 'education', 'entertainment', 'finance', 'fitness', 'food', 'games', 'government', 'health'],
  ...['kids', 'lifestyle', 'magazines', 'medical', 'music', 'navigation', 'news', 'photo', 'politics', 'productivity'],
  ...['security', 'shopping', 'social', 'sports', 'travel', 'utilities', 'weather'],
]

const KINDS: Readonly<Record<string, string>> = {
  headerBanner: __('Above the page', 'pentad'),
  snackbar: __('Below the page', 'pentad'),
  navigationMenu: __('In the menu', 'pentad'),
  inFeed: __('Among posts', 'pentad'),
  blogPopup: __('Beside a post', 'pentad'),
  checkout: __('At the checkout', 'pentad'),
}

const DISPLAYS: Readonly<Record<string, string>> = {
  standalone: __('An app: no bars of the browser', 'pentad'),
  'minimal-ui': __('Few bars', 'pentad'),
  fullscreen: __('The whole screen', 'pentad'),
  browser: __('A tab of the browser', 'pentad'),
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Several of those that have words of their own, in the order in which they were chosen. */
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

/** Controls that say more than the schema of the service does. */
export const PWA_FIELDS: Readonly<Record<string, OwnField>> = {
  appIcon: (draft) => (
    <ImageField
      label={__('App icon', 'pentad')}
      description={__('Square, 512 pixels at least; best 1024.', 'pentad')}
      error={draft.refusals.appIcon}
      value={Number(draft.values.appIcon ?? 0)}
      onChange={(id) => draft.set({ appIcon: id })}
    />
  ),
  themeColor: colour('themeColor'),
  backgroundColor: colour('backgroundColor'),
  displayMode: choice('displayMode', DISPLAYS),
  displayOverride: several('displayOverride', {
    ...DISPLAYS,
    'window-controls-overlay': __('A window whose title bar the page fills', 'pentad'),
    tabbed: __('An app with tabs', 'pentad'),
  }),
  shortcuts: (draft) => <Shortcuts draft={draft} />,
  screenshots: (draft) => <Screenshots draft={draft} />,
  startPath: path('startPath'),
  appId: path('appId'),
  shareTargetPath: path('shareTargetPath'),
  offlineFallbackPage: path('offlineFallbackPage'),
  orientation: choice('orientation', {
    any: __('As the device is held', 'pentad'),
    natural: __('As the device is meant to be held', 'pentad'),
    portrait: __('Upright', 'pentad'),
    'portrait-primary': __('Upright, never upside down', 'pentad'),
    'portrait-secondary': __('Upside down', 'pentad'),
    landscape: __('Lying', 'pentad'),
    'landscape-primary': __('Lying, on one side only', 'pentad'),
    'landscape-secondary': __('Lying, on the other side only', 'pentad'),
  }),
  iosStatusBar: choice('iosStatusBar', {
    default: __('As usual', 'pentad'),
    black: __('Black', 'pentad'),
    'black-translucent': __('The page shows through', 'pentad'),
  }),
  launchMode: choice('launchMode', {
    auto: __('The browser decides', 'pentad'),
    'focus-existing': __('An open window comes to the front', 'pentad'),
    'navigate-existing': __('An open window goes there', 'pentad'),
    'navigate-new': __('A new window', 'pentad'),
  }),
  handleLinks: choice('handleLinks', {
    auto: __('The browser decides', 'pentad'),
    preferred: __('Links to the site open the app', 'pentad'),
    'not-preferred': __('Links stay in the browser', 'pentad'),
  }),
  categories: (draft) => (
    <TagsInput
      {...described(draft, 'categories')}
      data={CATEGORIES}
      value={texts(draft.values.categories)}
      onChange={(categories) => draft.set({ categories })}
      clearable
      clearButtonProps={{ 'aria-label': __('Remove all', 'pentad') }}
    />
  ),
  installPromptKinds: several('installPromptKinds', KINDS),
  pushNewContentTypes: (draft) => <KindsField draft={draft} name="pushNewContentTypes" />,
  pushTimeToLiveSeconds: duration(
    'pushTimeToLiveSeconds',
    DAY,
    __('Days that a device may be away, 28 at most.', 'pentad'),
  ),
  offlineCacheStrategy: choice('offlineCacheStrategy', {
    NetworkFirst: __('The network; what is kept where there is none', 'pentad'),
    StaleWhileRevalidate: __('What is kept, refreshed for the next time', 'pentad'),
    CacheFirst: __('What is kept, until it expires', 'pentad'),
    CacheOnly: __('What is kept; others from the network', 'pentad'),
    NetworkOnly: __('The network; only the offline page is kept', 'pentad'),
  }),
  pushButtonPosition: choice('pushButtonPosition', {
    'bottom-left': __('Bottom left', 'pentad'),
    'bottom-right': __('Bottom right', 'pentad'),
    'top-left': __('Top left', 'pentad'),
    'top-right': __('Top right', 'pentad'),
  }),
}
