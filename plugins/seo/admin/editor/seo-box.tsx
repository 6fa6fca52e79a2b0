import { Tabs } from '@mantine/core'
import type { EditorFieldsProps } from 'pentad/admin'
import { __ } from 'pentad/admin/i18n.ts'
import { can } from 'pentad/admin/page-data.ts'
import { Section } from 'pentad/admin/parts/section.tsx'
import { LinkSuggestions } from './link-suggestions.tsx'
import { RetrievalScore } from './retrieval-score.tsx'
import { SearchFields } from './search-fields.tsx'
import { SharingFields } from './sharing-fields.tsx'
import { useSnippet } from './use-snippet.ts'

/** The SEO fields of a post that has a page. */
export function SeoBox(props: EditorFieldsProps) {
  return props.type.viewable && <Box {...props} />
}

function Box({ type, edited }: EditorFieldsProps) {
  const snippet = useSnippet(type, edited)
  return (
    <Section title={__('SEO', 'pentad')}>
      <Tabs defaultValue="search" keepMounted={false}>
        <Tabs.List style={{ flexWrap: 'nowrap', overflowX: 'auto' }} aria-label={__('SEO', 'pentad')}>
          <Tabs.Tab value="search">{__('Search', 'pentad')}</Tabs.Tab>
          <Tabs.Tab value="sharing">{__('Social', 'pentad')}</Tabs.Tab>
          <Tabs.Tab value="score">{__('AI', 'pentad')}</Tabs.Tab>
          {can('manage_options') && <Tabs.Tab value="links">{__('Links', 'pentad')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="search" pt="sm">
          <SearchFields edited={edited} snippet={snippet} />
        </Tabs.Panel>
        <Tabs.Panel value="sharing" pt="sm">
          <SharingFields edited={edited} snippet={snippet} />
        </Tabs.Panel>
        <Tabs.Panel value="score" pt="sm">
          <RetrievalScore edited={edited} />
        </Tabs.Panel>
        <Tabs.Panel value="links" pt="sm">
          <LinkSuggestions edited={edited} />
        </Tabs.Panel>
      </Tabs>
    </Section>
  )
}
