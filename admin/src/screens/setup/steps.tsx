import { Alert, Anchor, Radio, Stack, Switch, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useRead } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import { hasService, pageData } from '../../page-data.ts'
import { LanguageSelect } from '../../parts/language-select.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { TimeZoneSelect } from '../../parts/time-zone-select.tsx'
import type { PluginFirstRun } from '../../plugins/types.ts'
import { SettingFields } from '../../settings/settings-form.tsx'
import { type SettingsDraft, useSettings } from '../../settings/use-settings.ts'
import { StyleField } from '../appearance/style-field.tsx'
import type { Choices } from '../appearance/types.ts'
import { ImageField } from '../media/image-field.tsx'
import { MailTest } from '../settings/mail-test.tsx'
import { type SiteSettingsDraft, useSiteSettings } from '../settings/site-settings.ts'
import { useOwnAccount } from './own-account.tsx'
import { StepForm, type StepMoves } from './step-form.tsx'

function WithSite({ children }: { children: (site: SiteSettingsDraft) => ReactNode }) {
  const { stored, drafted } = useSiteSettings()
  return <Loaded query={stored}>{(values) => children(drafted(values))}</Loaded>
}

/** The title, tagline, language, and time zone, and who sets up the site. */
export const SiteStep = (moves: StepMoves) => <WithSite>{(site) => <SiteForm site={site} moves={moves} />}</WithSite>

function SiteForm({ site, moves }: { site: SiteSettingsDraft; moves: StepMoves }) {
  const { values, set, fieldErrors } = site
  const account = useOwnAccount()
  const [language] = useState(values.language)
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const isZoneUnset = values.timezone === '' || values.timezone === 'UTC'
  // biome-ignore lint/correctness/useExhaustiveDependencies: suggested once, when the step opens
  useEffect(() => {
    if (isZoneUnset && Intl.supportedValuesOf('timeZone').includes(ownZone)) set({ timezone: ownZone })
  }, [])
  return (
    <StepForm
      {...moves}
      title={__('Your site', 'pentad')}
      description={__('The title is shown on every page and in search results.', 'pentad')}
      isSaving={site.isSaving || account.isSaving}
      save={async () => (await account.save()) && (!site.isDirty || (await site.save()))}
      next={async () => {
        await moves.next()
        // The texts of the admin and the account come with the page.
        if (values.language !== language || account.isDirty) window.location.reload()
      }}
    >
      <TextInput
        label={__('Site title', 'pentad')}
        maxLength={1000}
        value={values.title}
        error={fieldErrors.title}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
      />
      <TextInput
        label={__('Tagline', 'pentad')}
        description={__('In a few words, explain what this site is about.', 'pentad')}
        maxLength={1000}
        value={values.description}
        error={fieldErrors.description}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <LanguageSelect
        label={__('Site language', 'pentad')}
        value={values.language}
        error={fieldErrors.language}
        onChange={(chosen) => set({ language: chosen })}
      />
      <TimeZoneSelect value={values.timezone} error={fieldErrors.timezone} onChange={(timezone) => set({ timezone })} />
      {account.inputs}
    </StepForm>
  )
}

/** The style of the theme, and the logo. */
export function LookStep(moves: StepMoves) {
  const draft = useSettings('appearance')
  const choices = useRead<Choices>('host/v1/appearance')
  const save = async (site: SiteSettingsDraft) =>
    (!site.isDirty || (await site.save())) && (draft.changed.length === 0 || (await draft.save()))
  return (
    <WithSite>
      {(site) => (
        <StepForm
          {...moves}
          title={__('Appearance', 'pentad')}
          description={__('You can change colors, fonts, and the layout later under Appearance.', 'pentad')}
          isSaving={site.isSaving || draft.isSaving}
          save={() => save(site)}
        >
          <Loaded query={choices}>{(offered) => <StyleField draft={draft} choices={offered} />}</Loaded>
          <ImageField
            label={__('Logo', 'pentad')}
            description={__('Shown in the header, and used in structured data for search engines.', 'pentad')}
            value={site.values.site_logo ?? 0}
            onChange={(id) => site.set({ site_logo: id === 0 ? null : id })}
          />
        </StepForm>
      )}
    </WithSite>
  )
}

/** Whether to import a WordPress site. */
export function ContentStep(moves: StepMoves) {
  const navigate = useNavigate()
  const [choice, setChoice] = useState('fresh')
  return (
    <StepForm
      {...moves}
      title={__('Content', 'pentad')}
      description={__('Do you already have a site?', 'pentad')}
      isSaving={false}
      save={async () => true}
      next={async () => {
        await moves.next()
        if (choice === 'import') void navigate('/tools/import')
      }}
    >
      <Radio.Group aria-label={__('Content', 'pentad')} value={choice} onChange={setChoice}>
        <Stack gap="xs">
          <Radio
            value="fresh"
            label={__('Start fresh', 'pentad')}
            description={__(
              'The site contains a sample post and a sample page, which you can edit or delete.',
              'pentad',
            )}
          />
          <Radio
            value="import"
            label={__('Import a WordPress site', 'pentad')}
            description={__(
              'Opens the importer for posts, pages, media, comments, and menus. Setup continues when you return to the dashboard.',
              'pentad',
            )}
          />
        </Stack>
      </Radio.Group>
    </StepForm>
  )
}

const MAIL_KEYS = ['smtpHost', 'smtpPort', 'smtpSecurity', 'smtpUser', 'smtpPassword', 'fromEmail'] as const

/** The SMTP server, with a test. */
export function MailStep(moves: StepMoves) {
  const draft = useSettings('mail')
  return (
    <SettingsStep
      {...moves}
      title={__('Email', 'pentad')}
      description={__(
        'Emails such as password resets, notifications, and new orders are sent through your email provider.',
        'pentad',
      )}
      draft={draft}
      below={<MailTest draft={draft} />}
    >
      {pageData.site.smtpFromServer ? (
        <Alert color="blue">
          {__('The SMTP server is set in the server configuration (PENTAD_SMTP_URL).', 'pentad')}
        </Alert>
      ) : (
        <SettingFields draft={draft} keys={MAIL_KEYS} />
      )}
    </SettingsStep>
  )
}

/** The settings of a service. */
export function PluginStep({ step, ...moves }: StepMoves & { step: PluginFirstRun }) {
  const draft = useSettings(step.id)
  const { title, description, keys, fields } = step
  // biome-ignore lint/correctness/useExhaustiveDependencies: suggested once, when the step opens
  useEffect(() => draft.set(step.suggested), [])
  return (
    <SettingsStep {...{ ...moves, title, description, draft }}>
      <SettingFields draft={draft} keys={keys} fields={fields} />
    </SettingsStep>
  )
}

interface SettingsStepProps extends StepMoves {
  readonly title: string
  readonly description: string
  readonly draft: SettingsDraft
  readonly below?: ReactNode
  readonly children: ReactNode
}

function SettingsStep({ draft, ...props }: SettingsStepProps) {
  const save = async () => draft.changed.length === 0 || (await draft.save())
  return <StepForm {...props} isSaving={draft.isSaving} save={save} />
}

/** Whether search engines may index the site. */
export const SearchStep = (moves: StepMoves) => (
  <WithSite>
    {(site) => (
      <StepForm
        {...moves}
        title={__('Search engines', 'pentad')}
        description={__('Turn indexing off while you work on the site, and on when it is ready.', 'pentad')}
        isSaving={site.isSaving}
        save={async () => !site.isDirty || (await site.save())}
      >
        <Switch
          label={__('Allow search engines to index this site', 'pentad')}
          checked={site.values.blog_public}
          onChange={({ currentTarget }) => site.set({ blog_public: currentTarget.checked })}
        />
        {hasService('seo') && (
          <Anchor component={Link} to="/seo/setup" size="sm">
            {__('Set up titles, social sharing, and AI crawlers', 'pentad')}
          </Anchor>
        )}
      </StepForm>
    )}
  </WithSite>
)
