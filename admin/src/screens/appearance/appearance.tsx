import { Accordion, Anchor, Input, Skeleton, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { invalidate, useRead } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import { can } from '../../page-data.ts'
import { useLeaveGuard } from '../../parts/leave-guard.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { notifyFailed } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { SettingFields } from '../../settings/settings-form.tsx'
import { type SettingsDraft, useSettings } from '../../settings/use-settings.ts'
import { ImageField } from '../media/image-field.tsx'
import { type SiteSettingsDraft, useSiteSettings } from '../settings/site-settings.ts'
import { COLOR_KEYS, ColorFields, colorError } from './color-fields.tsx'
import { History } from './history.tsx'
import classes from './preview-frame.module.css'
import { PreviewFrame } from './preview-frame.tsx'
import { FontField, StyleField, styleOf } from './style-field.tsx'
import { Themes } from './themes.tsx'
import type { Choices } from './types.ts'
import { type Preview, usePreview } from './use-preview.ts'

const TextField = lazy(async () => ({
  default: (await import('../content/editor/text/text-field.tsx')).TextField,
}))
const ROUTE = 'host/v1/appearance'

/** The look of the site, next to a preview of it. */
export default function Appearance() {
  const draft = useSettings('appearance')
  const { stored, drafted } = useSiteSettings()
  const choices = useRead<Choices>(ROUTE)
  return (
    <Page title={__('Appearance', 'pentad')}>
      <Loaded query={choices} lines={8}>
        {(offered) => (
          <Loaded query={stored} lines={8}>
            {(site) => <AppearanceForm draft={draft} choices={offered} site={drafted(site)} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

interface AppearanceFormProps {
  readonly draft: SettingsDraft
  readonly choices: Choices
  readonly site: SiteSettingsDraft
}

function AppearanceForm({ draft, choices, site }: AppearanceFormProps) {
  const client = useQueryClient()
  const isDirty = draft.changed.length > 0 || site.isDirty
  useLeaveGuard(isDirty)
  const { site_logo: siteLogo, site_icon: siteIcon } = site.values
  const [chosenScheme, setScheme] = useState('light')
  const isAuto = draft.values.colorScheme === 'auto'
  // A page does not know the scheme that is chosen for its preview, so the settings determine it.
  const scheme = isAuto ? chosenScheme : String(draft.values.colorScheme)
  const settings = { ...draft.values, colorScheme: scheme }
  const [theme, setTheme] = useState<string>()
  const [open, setOpen] = useState<string | null>('style')
  // A section above it closes at the same time.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each section that is opened
  useEffect(() => {
    document.activeElement?.scrollIntoView({ block: 'nearest' })
  }, [open])
  const wrong = colorError(draft)
  const preview = usePreview({ settings, siteLogo: siteLogo ?? 0, siteIcon, theme }, wrong === undefined)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (wrong !== undefined) {
      setOpen('colors')
      notifyFailed(new Error(wrong))
      return
    }
    if (site.isDirty) await site.save()
    if (draft.changed.length > 0) await draft.save()
    await invalidate(client, [ROUTE])
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once after each save
  useEffect(() => {
    const failed = SECTION_KEYS.find(([, keys]) => keys.some((key) => key in draft.fieldErrors))
    if (failed && !draft.isSaving) setOpen(failed[0])
  }, [draft.isSaving])
  const discard = () => {
    draft.discard()
    site.discard()
  }
  const sections: readonly SectionContent[] = [
    ...(can('switch_themes')
      ? [{ id: 'theme', title: __('Theme', 'pentad'), content: <Themes previewed={theme} onPreview={setTheme} /> }]
      : []),
    ...sectionsOf({ draft, choices, site, open }, preview),
  ]
  return (
    <div className={classes.columns}>
      <form onSubmit={submit} noValidate aria-label={__('Appearance', 'pentad')}>
        <Stack>
          <Accordion variant="separated" transitionDuration={0} value={open} onChange={setOpen} order={2}>
            {sections.map(({ id, title, content }) => (
              <Accordion.Item key={id} value={id}>
                <Accordion.Control>{title}</Accordion.Control>
                <Accordion.Panel>
                  <Stack gap="sm">{content}</Stack>
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
          <SaveBar isDirty={isDirty} isSaving={draft.isSaving || site.isSaving} onDiscard={discard} />
        </Stack>
      </form>
      <PreviewFrame query={preview?.query} scheme={scheme} onScheme={isAuto ? setScheme : undefined} />
    </div>
  )
}

const HEADER_KEYS = ['headerLayout', 'showTitle', 'showTagline', 'showSearch']
const POST_KEYS = ['breadcrumbs', 'authorBox', 'relatedPosts', 'shareButton']
const CODE_KEYS = ['customCss', 'headCode', 'footerCode']

/** The settings in each section, to open the one with an error. */
const SECTION_KEYS: readonly (readonly [id: string, keys: readonly string[]])[] = [
  ['style', ['style', 'headingFont', 'textFont']],
  ['colors', ['colorScheme', ...COLOR_KEYS]],
  ['logo', ['darkLogo']],
  ['header', HEADER_KEYS],
  ['home', ['homeLayout']],
  ['sidebar', ['sidebarBlocks', 'sidebarOnPosts']],
  ['posts', POST_KEYS],
  ['footer', ['footerText']],
  ['code', CODE_KEYS],
]

interface SectionContent {
  readonly id: string
  readonly title: string
  readonly content: ReactNode
}

function sectionsOf(
  props: AppearanceFormProps & { readonly open: string | null },
  preview: Preview | undefined,
): SectionContent[] {
  const { draft, choices, site, open } = props
  const fields = (...keys: string[]) => <SettingFields draft={draft} keys={keys} />
  const style = styleOf(props)
  return [
    {
      id: 'style',
      title: __('Style and fonts', 'pentad'),
      content: (
        <>
          <StyleField draft={draft} choices={choices} />
          <FontField draft={draft} choices={choices} name="headingFont" label={__('Heading font', 'pentad')} />
          <FontField draft={draft} choices={choices} name="textFont" label={__('Body font', 'pentad')} />
        </>
      ),
    },
    {
      id: 'colors',
      title: __('Colors', 'pentad'),
      content: (
        <>
          {fields('colorScheme')}
          <ColorFields draft={draft} style={style} scheme="light" preview={preview} />
          <ColorFields draft={draft} style={style} scheme="dark" preview={preview} />
        </>
      ),
    },
    { id: 'logo', title: __('Logo and site icon', 'pentad'), content: <Images site={site} draft={draft} /> },
    {
      id: 'header',
      title: __('Header', 'pentad'),
      content: fields(...HEADER_KEYS),
    },
    {
      id: 'home',
      title: __('Homepage and post lists', 'pentad'),
      content: (
        <>
          {fields('homeLayout')}
          <Text size="sm">
            <Anchor component={Link} to="/settings/reading" size="sm">
              {__('Choose a homepage and a posts page', 'pentad')}
            </Anchor>
          </Text>
        </>
      ),
    },
    { id: 'sidebar', title: __('Sidebar', 'pentad'), content: open === 'sidebar' && <Sidebar draft={draft} /> },
    {
      id: 'posts',
      title: __('Posts', 'pentad'),
      content: fields(...POST_KEYS),
    },
    { id: 'footer', title: __('Footer', 'pentad'), content: fields('footerText') },
    ...(can('unfiltered_html')
      ? [{ id: 'code', title: __('CSS and code', 'pentad'), content: fields(...CODE_KEYS) }]
      : []),
    {
      id: 'history',
      title: __('History, reset, and export', 'pentad'),
      content: <History draft={draft} revisions={choices.revisions} />,
    },
  ]
}

/** The blocks of the sidebar. The editor is large, so it is loaded only here. */
function Sidebar({ draft }: { readonly draft: SettingsDraft }) {
  return (
    <>
      <Suspense fallback={<Skeleton h="12rem" />}>
        <TextField
          label={__('Sidebar', 'pentad')}
          value={String(draft.values.sidebarBlocks ?? '')}
          onChange={(sidebarBlocks) => draft.set({ sidebarBlocks })}
        />
      </Suspense>
      <Input.Description>
        {__('Add a block with + or /. Without blocks, no sidebar is shown.', 'pentad')}
      </Input.Description>
      {draft.fieldErrors.sidebarBlocks && <Input.Error>{draft.fieldErrors.sidebarBlocks}</Input.Error>}
      <SettingFields draft={draft} keys={['sidebarOnPosts']} />
    </>
  )
}

function Images({ site, draft }: Pick<AppearanceFormProps, 'site' | 'draft'>) {
  return (
    <>
      <ImageField
        label={__('Logo', 'pentad')}
        description={__('Shown in the header, and used in structured data for search engines.', 'pentad')}
        value={site.values.site_logo ?? 0}
        onChange={(id) => site.set({ site_logo: id === 0 ? null : id })}
      />
      <ImageField
        label={__('Logo for dark mode', 'pentad')}
        description={__(
          'Replaces the logo in dark mode. Select one if the logo is hard to read on a dark background.',
          'pentad',
        )}
        value={Number(draft.values.darkLogo ?? 0)}
        onChange={(darkLogo) => draft.set({ darkLogo })}
      />
      <ImageField
        label={__('Site icon', 'pentad')}
        description={__(
          'Shown in browser tabs and bookmarks. Should be square and at least 512 × 512 pixels.',
          'pentad',
        )}
        value={site.values.site_icon}
        onChange={(id) => site.set({ site_icon: id })}
      />
    </>
  )
}
