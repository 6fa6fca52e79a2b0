import { __ } from 'pentad/admin/i18n.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { SettingsForm, type SettingsGroup } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { PWA_FIELDS } from './fields.tsx'

const GROUPS: readonly SettingsGroup[] = [
  {
    title: __('Install prompt', 'pentad'),
    description: __(
      'Shown where the browser supports it. On iOS, it explains how to install the app. A dismissed prompt returns after two weeks.',
      'pentad',
    ),
    keys: [
      'installPrompts',
      'installPromptKinds',
      'installPromptText',
      'installPromptDelaySeconds',
      'installPromptSkipFirstVisit',
    ],
  },
  {
    title: __('App-like features', 'pentad'),
    keys: ['shareButton', 'pullToRefresh', 'scrollProgress', 'screenWakeLock', 'vibration', 'smoothTransitions'],
  },
]

export default function PwaInstall() {
  const draft = useSettings('pwa')
  return (
    <Page isForm title={__('Install prompts', 'pentad')}>
      <SettingsForm draft={draft} groups={GROUPS} fields={PWA_FIELDS} />
    </Page>
  )
}
