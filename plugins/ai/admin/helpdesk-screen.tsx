import { __ } from 'pentad/admin/i18n.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { SettingsForm } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { HelpdeskPreview } from './helpdesk-preview.tsx'
import { VisitorQuestions } from './visitor-questions.tsx'

/** The settings of the helpdesk, and the questions of visitors. */
export default function HelpdeskScreen() {
  const draft = useSettings('ai')
  return (
    <Page
      isForm
      title={__('Helpdesk', 'pentad')}
      description={__(
        'A contact and chat widget on every page. With a license, AI answers visitors’ questions using your published content.',
        'pentad',
      )}
    >
      <Section
        title={__('Preview', 'pentad')}
        description={__('How visitors see the helpdesk with the settings below.', 'pentad')}
      >
        <HelpdeskPreview values={draft.values} />
      </Section>
      <SettingsForm
        draft={draft}
        groups={[
          {
            title: __('Helpdesk', 'pentad'),
            keys: [
              ...['helpdeskAgent', 'helpdeskEmail', 'helpdeskPosition', 'helpdeskRateLimit', 'helpdeskDailyTokenLimit'],
              ...['helpdeskConversation', 'helpdeskInstructions'],
            ],
          },
          {
            title: __('Related posts', 'pentad'),
            description: __('Suggest more content to visitors.', 'pentad'),
            keys: ['aiRelatedPosts', 'aiRelatedPostsQuantity'],
          },
        ]}
      />
      <VisitorQuestions />
    </Page>
  )
}
