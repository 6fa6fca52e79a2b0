import { __ } from 'pentad/admin/i18n.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { SettingsForm, type SettingsGroup } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { PWA_FIELDS } from './fields.tsx'

const GROUPS: readonly SettingsGroup[] = [
  {
    title: __('Notification prompt', 'pentad'),
    keys: [
      ...['pushPrompt', 'pushPromptText', 'pushPromptDelaySeconds', 'pushPromptSkipFirstVisit'],
      ...['pushButton', 'pushButtonPosition'],
    ],
  },
  {
    title: __('Automatic notifications', 'pentad'),
    keys: [
      ...['pushAutomation', 'pushWelcome', 'pushWelcomeTitle', 'pushWelcomeMessage', 'pushNewContent'],
      ...['pushNewContentTypes', 'pushPriceDrop', 'pushBackInStock', 'pushOrderStatus'],
    ],
  },
  { title: __('Delivery', 'pentad'), keys: ['pushBatchSize', 'pushTimeToLiveSeconds', 'pushSubject'] },
  {
    title: __('Shortcuts and integrations', 'pentad'),
    keys: ['shortcuts', 'screenshots', 'shareTargetPath', 'protocolHandlers', 'fileHandlers'],
  },
  {
    title: __('Launch behavior', 'pentad'),
    keys: ['appId', 'displayOverride', 'launchMode', 'handleLinks', 'edgeSidePanelWidth'],
  },
  {
    title: __('App stores', 'pentad'),
    keys: ['relatedApplications', 'preferRelatedApplications', 'iarcRatingId'],
  },
  { title: __('Analytics', 'pentad'), keys: ['countryHeader'] },
]

export default function PwaSettings() {
  const draft = useSettings('pwa')
  return (
    <Page isForm title={__('App settings', 'pentad')}>
      <SettingsForm draft={draft} groups={GROUPS} fields={PWA_FIELDS} />
    </Page>
  )
}
