import { Grid, Stack } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { SettingsForm, type SettingsGroup } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { AppPreview } from './app-preview.tsx'
import { AssetsCard } from './assets-card.tsx'
import { PWA_FIELDS } from './fields.tsx'

const GROUPS: readonly SettingsGroup[] = [
  { title: __('Name', 'pentad'), keys: ['appName', 'shortName', 'description', 'categories'] },
  { title: __('Appearance', 'pentad'), keys: ['appIcon', 'themeColor', 'backgroundColor', 'displayMode'] },
  { title: __('Launch', 'pentad'), keys: ['startPath', 'orientation', 'iosStatusBar'] },
]

export default function PwaIdentity() {
  const draft = useSettings('pwa')
  return (
    <Page
      title={__('Identity', 'pentad')}
      description={__('The name and look of the app on phones and desktops.', 'pentad')}
    >
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <SettingsForm draft={draft} groups={GROUPS} fields={PWA_FIELDS} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack pos="sticky" top={68}>
            <AppPreview values={draft.values} />
            <AssetsCard isSaved={draft.changed.length === 0} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}
