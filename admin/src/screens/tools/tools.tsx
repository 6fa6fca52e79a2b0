import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { __ } from '../../i18n.ts'
import { can } from '../../page-data.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'

/** What the tools are for. */
export default function Tools() {
  return (
    <Page title={__('Tools', 'pentad')}>
      {can('import') && (
        <Section
          title={__('Import', 'pentad')}
          description={__(
            'Posts, pages, media, comments and menus of a WordPress site, or of another Pentad.',
            'pentad',
          )}
        >
          <Text>
            <Anchor component={Link} to="/tools/import">
              {__('Import content', 'pentad')}
            </Anchor>
          </Text>
        </Section>
      )}
      {can('export') && (
        <Section
          title={__('Export', 'pentad')}
          description={__('The content of this site as a file that WordPress and Pentad import.', 'pentad')}
        >
          <Text>
            <Anchor component={Link} to="/tools/export">
              {__('Export content', 'pentad')}
            </Anchor>
          </Text>
        </Section>
      )}
    </Page>
  )
}
