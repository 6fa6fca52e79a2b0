import { SimpleGrid } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { SettingsForm } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { Choices } from './choices.tsx'
import { ProviderCard } from './provider-card.tsx'
import type { Providers } from './routes.ts'

/** Which models the site asks, with whose keys. */
export default function ProvidersScreen() {
  const providers = useRead<Providers>('ai/v1/providers')
  const draft = useSettings('ai')
  return (
    <Page
      title={__('AI', 'pentad')}
      description={__(
        'Connect a provider of models, and the copilot, the buttons of the editor and the helpdesk can work. Keys are kept encrypted and go to their provider only.',
        'pentad',
      )}
    >
      <Section title={__('What the site asks now', 'pentad')}>
        <Loaded query={providers}>{({ choices }) => <Choices choices={choices} />}</Loaded>
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
            description: __('Left empty, the first connected provider is asked for its usual model.', 'pentad'),
            keys: ['textModel', 'imageModel', 'embeddingModel', 'temperature', 'timeoutSeconds'],
          },
          {
            title: __('How it writes', 'pentad'),
            keys: ['language', 'tone'],
          },
          {
            title: __('Copilot', 'pentad'),
            description: __(
              'It is beside every screen: press Ctrl+J, or the button with the stars at the top.',
              'pentad',
            ),
            keys: ['copilotMaxSteps'],
          },
        ]}
      />
    </Page>
  )
}
