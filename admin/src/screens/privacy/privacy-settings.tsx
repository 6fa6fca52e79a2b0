import { Box, Button, Stack, Text } from '@mantine/core'
import { useNavigate } from 'react-router'
import { useChange } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change, read } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { SettingsForm } from '../../settings/settings-form.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { PageSelect } from '../settings/page-select.tsx'

type PolicyText = Responses['GET /host/v1/privacy/policy-text']

/** WordPress's _Settings → Privacy_: the page with the privacy policy. */
export default function PrivacySettings() {
  const draft = useSettings('privacy')
  return (
    <Page title={__('Privacy settings', 'pentad')}>
      <Box maw={760}>
        <Stack>
          <SettingsForm
            draft={draft}
            groups={[{ title: __('Privacy policy', 'pentad'), keys: ['policyPage'] }]}
            fields={{
              policyPage: ({ values, schema, fieldErrors, set }) => (
                <>
                  <PageSelect
                    label={schema?.policyPage?.title ?? ''}
                    value={Number(values.policyPage)}
                    error={fieldErrors.policyPage}
                    onChange={(id) => set({ policyPage: id })}
                  />
                  <Text size="xs" c="dimmed">
                    {schema?.policyPage?.description}
                  </Text>
                </>
              ),
            }}
          />
          <CreatePage />
        </Stack>
      </Box>
    </Page>
  )
}

function CreatePage() {
  const navigate = useNavigate()
  const create = useChange(
    async () => {
      const { sections } = await read<PolicyText>('host/v1/privacy/policy-text')
      const { id } = await change<{ id: number }>('POST', 'wp/v2/pages', {
        title: __('Privacy Policy', 'pentad'),
        content: sections
          .map(({ title, paragraphs }) => [heading(title), ...paragraphs.map(paragraph)].join('\n\n'))
          .join('\n\n'),
      })
      await change('PUT', 'host/v1/settings/privacy', { settings: { policyPage: id } })
      return id
    },
    { invalidates: ['wp/v2/pages'] },
  )
  return (
    <Section
      title={__('New page', 'pentad')}
      description={__(
        'Creates a draft that describes what this site and its active services store. Review and complete it before you publish it.',
        'pentad',
      )}
    >
      <div>
        <Button
          variant="default"
          loading={create.isPending}
          onClick={() => create.mutate(undefined, { onSuccess: (id) => void navigate(`/pages/${id}`) })}
        >
          {__('Create privacy policy page', 'pentad')}
        </Button>
      </div>
    </Section>
  )
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const heading = (text: string) =>
  `<!-- wp:heading -->\n<h2 class="wp-block-heading">${escaped(text)}</h2>\n<!-- /wp:heading -->`
const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${escaped(text)}</p>\n<!-- /wp:paragraph -->`
