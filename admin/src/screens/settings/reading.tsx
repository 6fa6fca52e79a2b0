import { Alert, NumberInput, Radio, Stack, Switch } from '@mantine/core'
import { __ } from '../../i18n.ts'
import { Section } from '../../parts/section.tsx'
import { TermSelect } from '../terms/term-select.tsx'
import { PageSelect } from './page-select.tsx'
import { SiteForm } from './site-form.tsx'

/** The homepage, search engine visibility, and defaults for new posts. */
export default function Reading() {
  return (
    <SiteForm title={__('Reading settings', 'pentad')}>
      {({ values, set, fieldErrors }) => (
        <>
          <Section title={__('Homepage', 'pentad')}>
            <Radio.Group
              label={__('Your homepage displays', 'pentad')}
              value={values.show_on_front}
              onChange={(value) => set({ show_on_front: value === 'page' ? value : 'posts' })}
            >
              <Stack gap={6} mt={6}>
                <Radio value="posts" label={__('Your latest posts', 'pentad')} />
                <Radio value="page" label={__('A static page', 'pentad')} />
              </Stack>
            </Radio.Group>
            {values.show_on_front === 'page' && (
              <>
                <PageSelect
                  label={__('Homepage', 'pentad')}
                  value={values.page_on_front}
                  error={fieldErrors.page_on_front}
                  onChange={(id) => set({ page_on_front: id })}
                />
                <PageSelect
                  label={__('Posts page', 'pentad')}
                  value={values.page_for_posts}
                  error={fieldErrors.page_for_posts}
                  onChange={(id) => set({ page_for_posts: id })}
                />
                {values.page_on_front > 0 && values.page_on_front === values.page_for_posts && (
                  <Alert color="yellow">
                    {__('The homepage and the posts page should be different pages.', 'pentad')}
                  </Alert>
                )}
              </>
            )}
            <NumberInput
              label={__('Posts per page', 'pentad')}
              min={1}
              max={1000}
              value={values.posts_per_page}
              error={fieldErrors.posts_per_page}
              onChange={(count) => {
                if (typeof count === 'number') set({ posts_per_page: count })
              }}
            />
          </Section>
          <Section title={__('Search engine visibility', 'pentad')}>
            <Switch
              label={__('Allow search engines to index this site', 'pentad')}
              description={__(
                'When this is off, every page asks search engines not to index it. It is up to search engines to honor this request.',
                'pentad',
              )}
              checked={values.blog_public}
              onChange={({ currentTarget }) => set({ blog_public: currentTarget.checked })}
            />
          </Section>
          <Section title={__('Writing', 'pentad')}>
            <TermSelect
              route="wp/v2/categories"
              label={__('Default post category', 'pentad')}
              value={values.default_category}
              onChange={(id) => set({ default_category: id })}
            />
            <Switch
              label={__('Convert emoticons like :-) to graphics', 'pentad')}
              checked={values.use_smilies}
              onChange={({ currentTarget }) => set({ use_smilies: currentTarget.checked })}
            />
            <Switch
              label={__('Allow comments on new posts', 'pentad')}
              checked={values.default_comment_status === 'open'}
              onChange={({ currentTarget }) =>
                set({ default_comment_status: currentTarget.checked ? 'open' : 'closed' })
              }
            />
          </Section>
        </>
      )}
    </SiteForm>
  )
}
