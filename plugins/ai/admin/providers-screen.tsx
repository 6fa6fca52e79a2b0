import { SimpleGrid } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { SettingsForm } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { ModelsInUse } from './models-in-use.tsx'
import { ProviderCard } from './provider-card.tsx'
import type { Providers } from './routes.ts'

/** The AI providers, and the models in use. */
export default function ProvidersScreen() {
  const providers = useRead<Providers>('ai/v1/providers')
  const draft = useSettings('ai')
  return (
    <Page
      isForm
      title={__('AI', 'pentad')}
      description={__(
        'Connect an AI provider to use the copilot, the writing tools in the editor, and the helpdesk. API keys are stored encrypted and are sent only to their provider.',
        'pentad',
      )}
    >
      <Section title={__('Models in use', 'pentad')}>
        <Loaded query={providers}>{({ choices }) => <ModelsInUse choices={choices} />}</Loaded>
      </Section>
      <Loaded query={providers} lines={6}>
        {({ items }) => (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            {items.map((provider) => (
              <ProviderCard key={provider.id} provider={provider} />
            ))}
          </SimpleGrid>
        )}
      </Loaded>
      <SettingsForm
        draft={draft}
        groups={[
          {
            title: __('Models', 'pentad'),
            description: __('Leave empty to use the default model of the first connected provider.', 'pentad'),
            keys: ['textModel', 'imageModel', 'embeddingModel', 'temperature', 'timeoutSeconds'],
          },
          {
            title: __('Writing style', 'pentad'),
            keys: ['language', 'tone'],
          },
          {
            title: __('Copilot', 'pentad'),
            description: __(
              'Available on every screen: press Ctrl+J, or select the sparkles button at the top.',
              'pentad',
            ),
            keys: ['copilotMaxSteps'],
          },
        ]}
      />
    </Page>
  )
}
