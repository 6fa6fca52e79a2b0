import { Box } from '@mantine/core'
import { __ } from '../../i18n.ts'
import { Page } from '../../parts/page.tsx'
import { SettingsForm } from '../../settings/settings-form.tsx'
import { useSettings } from '../../settings/use-settings.ts'

/** Embedded content of other sites. */
export default function Media() {
  const draft = useSettings('embeds')
  return (
    <Page title={__('Media settings', 'pentad')}>
      <Box maw={760}>
        <SettingsForm draft={draft} groups={[{ title: __('Embeds', 'pentad'), keys: ['embeds', 'previews'] }]} />
      </Box>
    </Page>
  )
}
