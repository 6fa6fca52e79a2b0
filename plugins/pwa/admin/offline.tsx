import { Button } from '@mantine/core'
import { useChange } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { formatBytes } from 'pentad/admin/parts/format.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { SettingsForm, type SettingsGroup } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { PWA_FIELDS } from './fields.tsx'
import { PWA } from './routes.ts'

const GROUPS: readonly SettingsGroup[] = [
  {
    title: __('Offline cache', 'pentad'),
    keys: [
      'offlineCache',
      'offlineCacheStrategy',
      'offlineCacheExpiration',
      'offlineFallbackPage',
      'offlineExcludedPaths',
    ],
  },
  { title: __('Other offline features', 'pentad'), keys: ['offlineNotice', 'backgroundSync', 'periodicSync'] },
]

export default function PwaOffline() {
  const draft = useSettings('pwa')
  const generate = useChange(() => change<{ size: number }>('POST', `${PWA}/service-worker/generate`), {
    done: ({ size }) => sprintf(__('Service worker regenerated (%s).', 'pentad'), formatBytes(size)),
  })
  return (
    <Page
      isForm
      title={__('Offline', 'pentad')}
      description={__(
        'Visited pages open without an internet connection. Pages for logged-in users are never cached.',
        'pentad',
      )}
      actions={
        <Button variant="default" loading={generate.isPending} onClick={() => generate.mutate()}>
          {__('Regenerate service worker', 'pentad')}
        </Button>
      }
    >
      <SettingsForm draft={draft} groups={GROUPS} fields={PWA_FIELDS} />
    </Page>
  )
}
